import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import { packageExtension } from '../../scripts/lib/packageExtension.mjs';
import { repository } from '../../scripts/lib/places.mjs';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';

interface Metafile {
  readonly outputs: Record<string, { readonly inputs: Record<string, { readonly bytesInOutput: number }> }>;
}

describe('the packed extension', () => {
  let session: EditorSession;
  let installed: string;
  useEditorSession(
    (started) => (session = started),
    async () => {
      const target = join(repository, 'out', 'test', 'packed.vsix');
      return { extension: { vsix: await packageExtension({ build: false, target }) } };
    },
  );
  before(async () => {
    const names = await readdir(session.server.extensions);
    installed = join(session.server.extensions, names.find((name) => name.startsWith('mcp-roundhouse.')) ?? '');
  });

  it('holds what runs and nothing else', async () => {
    const allowed =
      /^(package(\.nls(\.[\w-]+)?)?\.json|l10n\/[\w.-]+\.json|(readme|changelog)\.md|LICENSE\.txt|\.vsixmanifest|dist\/([\w/.-]+\.(js|css)|ThirdPartyNotices\.txt|cli\.files\.json)|media\/(icon\.png|roundhouse[\w-]*\.svg|schemas\/[\w.-]+\.json))$/i;
    const entries = await readdir(installed, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
    assert.deepEqual(
      files.filter((file) => !allowed.test(file)),
      [],
    );
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      main: string;
      icon: string;
    };
    for (const named of [manifest.main, manifest.icon, 'dist/cli.js']) assert.ok(files.includes(join(named)), named);
    const text = await readFile(join(installed, manifest.main), 'utf8');
    assert.doesNotMatch(text, /sourceMappingURL/);
  });

  it('tells its user how to use it, and speaks of no file that is not in it', async () => {
    const readme = await readFile(join(installed, 'readme.md'), 'utf8');
    assert.equal(readme, await readFile(join(repository, 'media', 'extension-readme.md'), 'utf8'));
    assert.doesNotMatch(readme, /npm |dist\/cli\.js|\]\((?!#)/);
    for (const part of ['## Start', '## Settings', '## Limits']) assert.ok(readme.includes(part), part);
  });

  it('holds the licence of every package whose code it holds', async () => {
    const notices = await readFile(join(installed, 'dist', 'ThirdPartyNotices.txt'), 'utf8');
    const metafiles = JSON.parse(await readFile(join(repository, 'dist', 'meta.json'), 'utf8')) as Metafile[];
    const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs).map((output) => output.inputs));
    const bundled = inputs.flatMap((part) => Object.keys(part).filter((file) => part[file]!.bytesInOutput > 0));
    const names = new Set(bundled.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
    assert.ok(names.size > 5, [...names].join());
    // The last two come inside the SDK's own files.
    for (const name of [...names, 'ajv', '@cfworker/json-schema']) {
      assert.match(notices, new RegExp(`^${name} \\d[\\w.-]* \\([\\w.-]+\\)$`, 'm'), name);
    }
  });

  it('activates in a window and lists the servers of the folder', async () => {
    const { window } = await session.openProject({ alpha: { command: 'node' }, beta: { command: 'node' } });
    for (const id of ['alpha', 'beta']) await window.mcp.waitFor([id]);
    assert.deepEqual(session.extensionChildren(), []);
  });
});
