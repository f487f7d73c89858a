// Connecting agents and taking it back, on real files of a home directory of its own (GATE-8).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ClientId } from '../../src/core/agents/clients.ts';
import { clientOf } from '../../src/core/agents/clients.ts';
import { planEdit, readClientFile } from '../../src/core/agents/clientFile.ts';
import { parseText } from '../../src/core/agents/clientText.ts';
import { EditLedger } from '../../src/core/agents/editLedger.ts';
import { undoEverything } from '../../src/core/agents/undoEverything.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { builtProgram } from '../support/commandLine.ts';
import { type AgentWorld, agentWorld, nine } from '../support/agentWorld.ts';

// The home directory, its links and modes are those of Unix.
const unix = process.platform === 'win32' ? describe.skip : describe;

unix('connecting agents', () => {
  let world: AgentWorld;
  beforeEach(async () => (world = await agentWorld()));
  afterEach(() => world.remove());

  async function stateOf(id: ClientId): Promise<string> {
    const { state } = await world.agents.view(id);
    return state.kind === 'stale' ? `stale ${state.why}` : state.kind;
  }

  async function connect(id: ClientId, options: { readonly replace?: boolean } = {}): Promise<void> {
    await world.agents.connect(await world.agents.planConnect(id, options));
  }

  async function isEmptyOfUs(): Promise<void> {
    assert.deepEqual(await world.ledger.records(), []);
    assert.deepEqual(await readdir(join(world.home, 'agents', 'backups')).catch(() => []), []);
  }

  it('shows the edit, makes it, and takes it back to the very bytes, for each of the nine agents [GATE-8a]', async () => {
    for (const id of nine) await world.place(id);
    const before = await world.everything();
    for (const id of nine) {
      assert.equal(await stateOf(id), 'notConnected', id);
      const plan = await world.agents.planConnect(id);
      assert.equal(Buffer.from(plan.edit.before!).equals(await readFile(world.fileOf(id))), true);
      await world.agents.connect(plan);
      assert.equal(await readFile(world.fileOf(id), 'utf8'), plan.edit.after, id);
      assert.equal(await stateOf(id), 'connected', id);
    }
    for (const id of nine) {
      assert.equal(await world.agents.disconnect(id), 'undone', id);
      assert.equal(await stateOf(id), 'notConnected', id);
    }
    assert.deepEqual(await world.everything(), before);
    await isEmptyOfUs();
  });

  it('keeps a copy of the file while its edit stands, for the person alone [GATE-8a]', async () => {
    const bytes = await world.place('claudeCode');
    await chmod(world.fileOf('claudeCode'), 0o640);
    await connect('claudeCode');
    assert.equal((await stat(world.fileOf('claudeCode'))).mode & 0o777, 0o640);
    const folder = join(world.home, 'agents', 'backups');
    const [name] = await readdir(folder);
    assert.equal((await readFile(join(folder, name!))).equals(bytes), true);
    const modes = [folder, join(folder, name!), join(world.home, 'agents'), join(world.home, 'agents', 'edits.json')];
    const found = await Promise.all(modes.map(async (path) => (await stat(path)).mode & 0o777));
    assert.deepEqual(found, [0o700, 0o600, 0o700, 0o600]);
  });

  it('makes a file that is missing, and takes file and folders away again [GATE-8a]', async () => {
    await writeFile(join(world.userHome, 'mine'), 'x');
    const before = await readdir(world.userHome, { recursive: true });
    for (const id of nine) {
      assert.equal(await stateOf(id), 'notInstalled', id);
      await connect(id);
      assert.equal((await stat(world.fileOf(id))).mode & 0o077, 0, id);
    }
    for (const { outcome } of await world.agents.disconnectAll()) assert.equal(outcome, 'undone');
    await rm(world.home, { recursive: true });
    assert.deepEqual(await readdir(world.userHome, { recursive: true }), before);
  });

  it('leaves what the person added to a file that it made, and takes only its own out [GATE-8a]', async () => {
    await connect('cursor');
    const file = world.fileOf('cursor');
    const made = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: object };
    await writeFile(file, JSON.stringify({ mcpServers: { mine: { command: 'm' }, ...made.mcpServers } }, undefined, 4));
    assert.equal(await world.agents.disconnect('cursor'), 'undone');
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { mcpServers: { mine: { command: 'm' } } });
  });

  it('takes its entry alone back where the rest of the file changed since [GATE-8a]', async () => {
    for (const id of ['claudeCode', 'codex', 'zed'] as const) {
      const bytes = await world.place(id);
      const before = bytes.toString('utf8');
      await connect(id);
      const file = world.fileOf(id);
      const change = (text: string): string =>
        text
          .replace('"numStartups": 412', '"numStartups": 413')
          .replace('[tui]', '# more\n[tui]')
          .replace('16,', '17, // px');
      await writeFile(file, change(await readFile(file, 'utf8')));
      assert.equal(await world.agents.disconnect(id), 'undone', id);
      assert.equal(await readFile(file, 'utf8'), change(before), id);
    }
    // Written anew by the agent, in a form of its own.
    await world.place('gemini');
    await connect('gemini');
    const file = world.fileOf('gemini');
    const written = (await readFile(file, 'utf8')).replace(/\/\*.*?\*\/|\/\/ .*$/gm, '');
    await writeFile(file, JSON.stringify(JSON.parse(written)));
    assert.equal(await world.agents.disconnect('gemini'), 'undone');
    const left = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: object };
    assert.deepEqual(Object.keys(left.mcpServers), ['old', 'new']);
  });

  it('refuses an edit of a file that changed after it was shown, and loses nothing [GATE-8a]', async () => {
    for (const id of nine) {
      await world.place(id);
      const plan = await world.agents.planConnect(id);
      const file = world.fileOf(id);
      const changed = `${await readFile(file, 'utf8')}\n`;
      await writeFile(file, changed);
      await assert.rejects(world.agents.connect(plan), isCode('agentFileChanged'), id);
      assert.equal(await readFile(file, 'utf8'), changed);
    }
    const missing = await world.agents.planConnect('cursor');
    await unlink(world.fileOf('cursor'));
    await assert.rejects(world.agents.connect(missing), isCode('agentFileChanged'));
    const absent = await world.agents.planConnect('cursor');
    await writeFile(world.fileOf('cursor'), '');
    await assert.rejects(world.agents.connect(absent), isCode('agentFileChanged'));
    assert.equal(await readFile(world.fileOf('cursor'), 'utf8'), '');
    await isEmptyOfUs();
  });

  it('refuses a file that is broken, names the line, and does not touch it [GATE-8a]', async () => {
    for (const id of nine) {
      await world.place(id);
      const file = world.fileOf(id);
      const broken = `${id === 'codex' ? '# x' : '// x'}\n{{ "mcpServers": [\n`;
      await writeFile(file, broken);
      assert.equal(await stateOf(id), 'refused', id);
      await assert.rejects(world.agents.planConnect(id), (error: unknown) => {
        assert.ok(error instanceof ManagerError);
        assert.equal(error.code, 'agentFileMalformed');
        assert.equal(error.data['file'], file);
        assert.equal(error.data['line'], 2, id);
        return true;
      });
      assert.equal(await readFile(file, 'utf8'), broken);
    }
  });

  it('keeps an edit on its list whose file is broken now, and undoes it once it is whole [GATE-8a]', async () => {
    const bytes = await world.place('windsurf');
    await connect('windsurf');
    const file = world.fileOf('windsurf');
    const whole = await readFile(file);
    await writeFile(file, '{');
    await assert.rejects(world.agents.disconnect('windsurf'), isCode('agentFileMalformed'));
    assert.equal(await readFile(file, 'utf8'), '{');
    await writeFile(file, whole);
    assert.equal(await world.agents.disconnect('windsurf'), 'undone');
    assert.equal((await readFile(file)).equals(bytes), true);
  });

  it('edits a linked file at its target, and the link stays [GATE-8a]', async () => {
    const bytes = await world.place('zed');
    const dotfiles = join(world.userHome, 'dotfiles');
    await mkdir(dotfiles);
    await rename(world.fileOf('zed'), join(dotfiles, 'zed.json'));
    await symlink(join(dotfiles, 'zed.json'), world.fileOf('zed'));
    await connect('zed');
    assert.equal((await lstat(world.fileOf('zed'))).isSymbolicLink(), true);
    assert.equal((await readFile(join(dotfiles, 'zed.json'), 'utf8')).includes('roundhouse'), true);
    assert.deepEqual(await readdir(dotfiles), ['zed.json']);
    assert.equal(await world.agents.disconnect('zed'), 'undone');
    assert.equal((await lstat(world.fileOf('zed'))).isSymbolicLink(), true);
    assert.equal((await readFile(join(dotfiles, 'zed.json'))).equals(bytes), true);
  });

  it('never replaces an entry of the person’s own unasked, and puts it back [GATE-8b]', async () => {
    const own = '{\n  "mcpServers": {\n    "roundhouse": { "command": "mine", "env": { "A": "b" } } // keep\n  }\n}\n';
    await mkdir(dirname(world.fileOf('cursor')), { recursive: true });
    await writeFile(world.fileOf('cursor'), own);
    assert.equal(await stateOf('cursor'), 'taken');
    await assert.rejects(world.agents.planConnect('cursor'), isCode('agentEntryTaken'));
    assert.equal(await world.agents.disconnect('cursor'), 'alreadyGone');
    assert.equal(await readFile(world.fileOf('cursor'), 'utf8'), own);
    await connect('cursor', { replace: true });
    assert.equal(await stateOf('cursor'), 'connected');
    assert.equal(await world.agents.disconnect('cursor'), 'undone');
    assert.equal(await readFile(world.fileOf('cursor'), 'utf8'), own);
  });

  it('leaves an entry alone that somebody changed after us [GATE-8a]', async () => {
    await world.place('cline');
    await connect('cline');
    const file = world.fileOf('cline');
    const edited = (await readFile(file, 'utf8')).replace('"proxy"', '"proxy", "--workspace", "/w"');
    await writeFile(file, edited);
    assert.equal(await stateOf('cline'), 'stale edited');
    for (const time of ['first', 'second']) {
      assert.equal(await world.agents.disconnect('cline'), 'changedSince', time);
      assert.equal(await readFile(file, 'utf8'), edited);
      assert.equal((await readdir(join(world.home, 'agents', 'backups'))).length, 1);
    }
    const [all] = await world.agents.disconnectAll();
    assert.equal(all?.outcome, 'changedSince');
    assert.equal(await world.agents.disconnect('cline', { removeChanged: true }), 'undone');
    assert.equal(await stateOf('cline'), 'notConnected');
    await isEmptyOfUs();
  });

  it('leaves no entry that starts the launcher once the extension is uninstalled, also where it was changed [GATE-8c]', async () => {
    const bytes = await world.place('codex');
    await connect('codex');
    const file = world.fileOf('codex');
    const whole = await readFile(file, 'utf8');
    await writeFile(file, whole.replace('"proxy"]', '"proxy"]\nstartup_timeout_sec = 30'));
    assert.equal(await stateOf('codex'), 'connected');
    assert.equal(await undoEverything({ home: world.home }), 0);
    assert.equal((await readFile(file)).equals(bytes), true);
  });

  it('keeps what the person had in its place at the uninstall, where their entry was changed since [GATE-8c]', async () => {
    const own = '{ "mcpServers": { "roundhouse": { "command": "mine", "env": { "KEY": "their-key" } } } }';
    await mkdir(dirname(world.fileOf('cursor')), { recursive: true });
    await writeFile(world.fileOf('cursor'), own);
    await connect('cursor', { replace: true });
    await writeFile(world.fileOf('cursor'), '{ "mcpServers": { "roundhouse": { "command": "other" } } }');
    assert.equal(await undoEverything({ home: world.home }), 1);
    const folder = join(world.home, 'agents', 'backups');
    const [copy] = await readdir(folder);
    assert.equal(await readFile(join(folder, copy!), 'utf8'), own);
    assert.equal((await world.ledger.records())[0]?.before?.text.includes('their-key'), true);
  });

  it('takes an entry of ours for no entry of the person’s own, whatever was changed in it [GATE-8a]', async () => {
    for (const isNoted of [true, false]) {
      const bytes = await world.place('gemini');
      const older = world.anotherWindow({ moved: true });
      await older.connect(await older.planConnect('gemini'));
      const file = world.fileOf('gemini');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"proxy"', '"proxy", "--workspace", "/w"'));
      if (!isNoted) await rm(join(world.home, 'agents'), { recursive: true });
      await connect('gemini');
      assert.equal(await world.agents.disconnect('gemini'), 'undone');
      assert.equal(await stateOf('gemini'), 'notConnected');
      assert.deepEqual(parse(await readFile(file, 'utf8')), parse(bytes.toString('utf8')));
      await isEmptyOfUs();
    }
  });

  it('writes over nothing that another program wrote in the very last moment [GATE-8a]', async () => {
    for (const id of nine) {
      await world.place(id);
      const file = world.fileOf(id);
      const plan = await world.agents.planConnect(id);
      const theirs = `${plan.edit.before!}\n`;
      // Asked for when the list is written and the file is not.
      const late = {
        ...plan.edit,
        get mode() {
          writeFileSync(file, theirs);
          return plan.edit.mode;
        },
      };
      await assert.rejects(world.agents.connect({ ...plan, edit: late }), isCode('agentFileChanged'), id);
      assert.equal(await readFile(file, 'utf8'), theirs, id);
    }
    assert.deepEqual(await world.ledger.records(), []);
  });

  it('takes no file away that another program wrote in the very last moment [GATE-8a]', async () => {
    await connect('cursor');
    const file = world.fileOf('cursor');
    const theirs = '{ "mcpServers": { "theirs": { "command": "t" } } }';
    class Interrupted extends EditLedger {
      override async planUndo(...planned: Parameters<EditLedger['planUndo']>): ReturnType<EditLedger['planUndo']> {
        const plan = await super.planUndo(...planned);
        assert.equal(plan.result.kind, 'removeFile');
        await writeFile(file, theirs);
        return plan;
      }
    }
    const [record] = await world.ledger.records();
    await assert.rejects(new Interrupted({ home: world.home }).undo(record!.id), isCode('agentFileChanged'));
    assert.equal(await readFile(file, 'utf8'), theirs);
    assert.equal((await world.ledger.records()).length, 1);
  });

  it('says why an edit was not made, also where its list cannot be put back [GATE-8a]', async () => {
    await world.place('cursor');
    const plan = await world.agents.planConnect('cursor');
    const late = {
      ...plan.edit,
      get mode() {
        writeFileSync(world.fileOf('cursor'), '{}');
        const list = join(world.home, 'agents', 'edits.json');
        rmSync(list);
        mkdirSync(join(list, 'x'), { recursive: true });
        return plan.edit.mode;
      },
    };
    await assert.rejects(world.agents.connect({ ...plan, edit: late }), isCode('agentFileChanged'));
    assert.equal(await readFile(world.fileOf('cursor'), 'utf8'), '{}');
  });

  it('brings an entry up to date that starts an older launcher, and still undoes it whole [GATE-8a]', async () => {
    for (const id of nine) {
      const bytes = await world.place(id);
      const older = world.anotherWindow({ moved: true });
      await older.connect(await older.planConnect(id));
      assert.equal(await stateOf(id), 'stale launcher', id);
      await connect(id);
      assert.equal(await stateOf(id), 'connected', id);
      assert.equal(await world.agents.disconnect(id), 'undone', id);
      assert.equal((await readFile(world.fileOf(id))).equals(bytes), true, id);
    }
    await isEmptyOfUs();
  });

  it('takes an agent for connected only while its entry is switched on', async () => {
    for (const [id, before, after] of [
      ['cursor', '"command"', '"disabled": true, "command"'],
      ['codex', '[mcp_servers.roundhouse]', '[mcp_servers.roundhouse]\nenabled = false'],
    ] as const) {
      await world.place(id);
      await connect(id);
      const text = await readFile(world.fileOf(id), 'utf8');
      const at = text.indexOf(before, text.indexOf('roundhouse') - '[mcp_servers.'.length);
      await writeFile(world.fileOf(id), text.slice(0, at) + after + text.slice(at + before.length));
      assert.equal(await stateOf(id), 'stale edited', id);
    }
  });

  it('finds and takes out an entry of ours that its list knows nothing of [GATE-8a]', async () => {
    const bytes = await world.place('cursor');
    await connect('cursor');
    await rm(join(world.home, 'agents'), { recursive: true });
    assert.equal(await stateOf('cursor'), 'connected');
    assert.equal(await world.agents.disconnect('cursor'), 'undone');
    assert.equal((await readFile(world.fileOf('cursor'))).equals(bytes), true);
  });

  it('lets two windows take turns, and one of two equal edits win [GATE-8a]', async () => {
    for (const id of nine) await world.place(id);
    const before = await world.everything();
    const windows = [world.agents, world.anotherWindow(), world.anotherWindow()];
    const plans = await Promise.all(
      nine.flatMap((id) => windows.map(async (w) => [w, await w.planConnect(id)] as const)),
    );
    const results = await Promise.allSettled(plans.map(([agents, plan]) => agents.connect(plan)));
    const made = results.filter(({ status }) => status === 'fulfilled');
    assert.equal(made.length, nine.length);
    for (const result of results)
      if (result.status === 'rejected') assert.ok(isCode('agentFileChanged')(result.reason));
    assert.equal((await world.ledger.records()).length, nine.length);
    const outcomes = await Promise.all(windows.map((agents) => agents.disconnectAll()));
    const undone = outcomes.flat().filter(({ outcome }) => outcome === 'undone');
    assert.equal(undone.length, nine.length);
    assert.deepEqual(await world.everything(), before);
  });

  it('never writes into a project, and holds no secret in what it writes [GATE-8b]', async () => {
    const secret = 'canary-6b1f0c';
    for (const id of nine) await world.place(id);
    await writeFile(
      world.fileOf('claudeCode'),
      JSON.stringify({ mcpServers: { x: { command: 'c', env: { TOKEN: secret } } } }),
    );
    for (const id of nine) {
      const plan = await world.agents.planConnect(id);
      assert.deepEqual(plan.edit.file.scope, { kind: 'user' });
      assert.deepEqual(
        Object.keys(plan.edit.entryAfter!.raw).filter((key) => /env|header|token/i.test(key)),
        [],
      );
      await world.agents.connect(plan);
    }
    const list = await readFile(join(world.home, 'agents', 'edits.json'), 'utf8');
    assert.equal(list.includes(secret), false);
  });

  it('refuses to change anything while its own list cannot be read', async () => {
    await world.place('cursor');
    await connect('cursor');
    const before = await world.everything();
    await writeFile(join(world.home, 'agents', 'edits.json'), '{"version":2}');
    await assert.rejects(world.agents.views(), isCode('agentRecordsUnreadable'));
    await assert.rejects(world.agents.disconnectAll(), isCode('agentRecordsUnreadable'));
    assert.deepEqual(await world.everything(), before);
  });

  it('undoes every edit, of all purposes, and goes on where one cannot be undone [GATE-8c]', async () => {
    for (const id of nine) await world.place(id);
    const before = await world.everything();
    for (const id of nine) await connect(id);
    const [codex] = clientOf('codex').userFiles({ platform: 'linux', userHome: world.userHome, env: {} });
    const off = planEdit(await readClientFile(codex!), {
      kind: 'setField',
      name: 'docs',
      field: 'enabled',
      value: false,
    });
    await new EditLedger({ home: world.home }).apply(off, { purpose: 'takeOver' });
    const broken = await readFile(world.fileOf('gemini'));
    await writeFile(world.fileOf('gemini'), '[');
    const results = await world.agents.disconnectAll();
    assert.equal(results.filter(({ outcome }) => outcome === 'undone').length, nine.length);
    assert.equal(results.filter(({ outcome }) => typeof outcome === 'object').length, 1);
    await writeFile(world.fileOf('gemini'), broken);
    await world.agents.disconnectAll();
    assert.deepEqual(await world.everything(), before);
    await isEmptyOfUs();
  });

  it('undoes every edit once the extension is uninstalled, in a program of one file and after its folder is gone [GATE-8c]', async () => {
    builtProgram();
    for (const id of nine) await world.place(id);
    const before = await world.everything();
    for (const id of nine) await connect(id);
    const copy = join(world.userHome, '..', 'extension', 'uninstall.mjs');
    await mkdir(dirname(copy));
    await copyFile(new URL('../../out/cli/uninstall.js', import.meta.url), copy);
    const env = { HOME: world.userHome, USERPROFILE: world.userHome, PATH: '' };
    const ended = spawnSync(process.execPath, [copy, '--type=extension-post-uninstall'], {
      env,
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.deepEqual([ended.status, ended.stderr], [0, '']);
    assert.deepEqual(await world.everything(), before);
    assert.deepEqual(await readdir(world.home), []);
    const again = spawnSync(process.execPath, [copy], { env, encoding: 'utf8', timeout: 20_000 });
    assert.equal(again.status, 0);
  });

  it('keeps what cannot be undone at the uninstall on its list, and undoes the others [GATE-8c]', async () => {
    builtProgram();
    for (const id of ['cursor', 'codex'] as const) await world.place(id);
    const cursor = await readFile(world.fileOf('cursor'));
    for (const id of ['cursor', 'codex'] as const) await connect(id);
    await writeFile(world.fileOf('codex'), '= broken');
    const program = new URL('../../out/cli/uninstall.js', import.meta.url).pathname;
    const ended = spawnSync(process.execPath, [program], {
      env: { HOME: world.userHome },
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.deepEqual([ended.status, ended.stderr], [1, '']);
    assert.equal((await readFile(world.fileOf('cursor'))).equals(cursor), true);
    assert.equal(await readFile(world.fileOf('codex'), 'utf8'), '= broken');
    assert.deepEqual(
      (await world.ledger.records()).map(({ client }) => client),
      ['codex'],
    );
  });

  it('finds agents by their program or by what they keep, and tells the others apart [GATE-8a]', async () => {
    await world.program('codex', '#!/bin/sh\n');
    await mkdir(join(world.userHome, '.cursor'));
    const states = Object.fromEntries((await world.agents.views()).map(({ id, state }) => [id, state.kind]));
    assert.equal(states['codex'], 'notConnected');
    assert.equal(states['cursor'], 'notConnected');
    assert.equal(states['zed'], 'notInstalled');
    assert.equal(Object.keys(states).length, 9);
  });
});

function parse(text: string): unknown {
  const parsed = parseText('jsonc', text);
  return parsed.kind === 'parsed' ? parsed.value : assert.fail(parsed.detail);
}

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ManagerError && error.code === code;
}
