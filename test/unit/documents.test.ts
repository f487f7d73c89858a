// The documents agree with what they speak of.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repository } from '../../scripts/lib/places.mjs';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import { documentBlocks } from '../support/documentBlocks.ts';

const read = (file: string): string => readFileSync(join(repository, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  contributes: {
    commands: { title: string; category: string }[];
    configuration: { properties: Record<string, unknown> }[];
  };
};
const titles = JSON.parse(read('package.nls.json')) as Record<string, string>;
const own = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'media/extension-readme.md'];

describe('the documents', () => {
  for (const file of ['README.md', 'media/extension-readme.md']) {
    it(`show a configuration that is accepted as it stands: ${file}`, () => {
      const samples = documentBlocks(file, 'jsonc');
      assert.ok(samples.length > 0);
      for (const text of samples) {
        const reading = readConfigText(text, { file: 'mcp.json', scope: { kind: 'user' } });
        assert.equal(reading.kind, 'config', JSON.stringify(reading));
      }
    });
  }

  for (const file of own) {
    it(`name only scripts, commands and files that there are: ${file}`, () => {
      const text = read(file);
      for (const [, name = ''] of text.matchAll(/npm run ([\w:]+)/g)) assert.ok(name in manifest.scripts, name);
      const commands = manifest.contributes.commands.map(
        ({ title, category }) => `${category}: ${titles[title.slice(1, -1)]!}`,
      );
      for (const [, title = ''] of text.matchAll(/`(MCP(?: Roundhouse)?: [^`]+)`/g)) {
        assert.ok(commands.includes(title), title);
      }
      for (const [, target = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[\w-]+)?\)/g)) {
        assert.ok(existsSync(join(repository, target)), target);
      }
    });
  }

  it('tell a contributor of every script', () => {
    const text = read('CONTRIBUTING.md');
    const told = (name: string): boolean => new RegExp(`\`npm (run )?${name}\``).test(text);
    assert.deepEqual(
      Object.keys(manifest.scripts).filter((name) => !told(name)),
      [],
    );
  });

  it('tell a user of every setting', () => {
    for (const file of ['README.md', 'media/extension-readme.md']) {
      const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
      for (const setting of settings) assert.ok(read(file).includes(`\`${setting}\``), `${file}: ${setting}`);
    }
  });
});
