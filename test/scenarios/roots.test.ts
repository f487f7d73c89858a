import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';

const filesystem = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

describe('the folders that a server is told', () => {
  let cli: CommandLine;
  let folder: string;
  beforeEach(() => {
    cli = commandLine();
    folder = realpathSync(cli.folder);
  });
  afterEach(() => cli.dispose());

  it('are none with roots: false, so that server-filesystem keeps to the folder in its arguments [CONN-14a, CONN-14d]', async () => {
    const given = join(folder, 'given');
    mkdirSync(given);
    const served = async (entry: { readonly roots?: boolean }): Promise<readonly string[]> => {
      cli.configure({ files: { command: process.execPath, args: [filesystem, given], ...entry } });
      const { code, out, err } = await cli.run(['call', 'files', 'list_allowed_directories']);
      assert.equal(code, 0, err);
      return out.trim().split('\n').slice(1);
    };
    assert.deepEqual(await served({}), [folder]);
    assert.deepEqual(await served({ roots: true }), [folder]);
    assert.deepEqual(await served({ roots: false }), [given]);
  });

  it('are none in a diagnosis either [CONN-14d]', async () => {
    const log = fixtureLog();
    try {
      const declared = async (entry: { readonly roots?: boolean }): Promise<boolean> => {
        cli.configure({ one: { ...fixtureCommand('small-legacy', undefined, log), ...entry } });
        assert.equal((await cli.run(['doctor'])).code, 0);
        const asked = log.events().findLast(({ capabilities }) => capabilities !== undefined);
        return 'roots' in (asked?.['capabilities'] as object);
      };
      assert.equal(await declared({}), true);
      assert.equal(await declared({ roots: false }), false);
    } finally {
      log.dispose();
    }
  });
});
