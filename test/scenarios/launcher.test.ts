// The copied command line and its launcher, on a real disk and with the real sh.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ownIdentity } from '../../src/core/config/processIdentity.ts';
import { limits } from '../../src/core/limits.ts';
import { agentConfig, agentEntry } from '../../src/core/launcher/agentEntry.ts';
import { manifestName, readManifest } from '../../src/core/launcher/buildManifest.ts';
import { readRuntimes } from '../../src/core/launcher/runtimeList.ts';
import { removeLauncher } from '../../src/core/launcher/removeLauncher.ts';
import { writeWindow } from '../../src/gateway/windowFiles.ts';
import { installForAgents } from '../../src/vscode/launcher/installForAgents.ts';
import { LazyLauncher } from '../../src/vscode/launcher/lazyLauncher.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';
import { type LauncherWorld, launcherWorld, writeManifest } from '../support/launcherWorld.ts';
import { withDeadline } from '../support/withDeadline.ts';

type Child = ReturnType<LauncherWorld['start']>;

interface Served {
  readonly child: Child;
  readonly pid: number;
  readonly url: string;
  readonly token: string;
}

/** An agent that speaks lines to a proxy. */
function lineAgent(child: Child) {
  const lines = createInterface(child.stdout);
  let last = 0;
  return {
    request: (method: string, params: object): Promise<string> => {
      const id = (last += 1);
      const answered = new Promise<string>((resolve) => {
        lines.on('line', (line) => {
          if ((JSON.parse(line) as { id?: unknown }).id === id) resolve(line);
        });
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return withDeadline(answered, patience, `the answer to ${method}`);
    },
    end: async (): Promise<void> => {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const unix = process.platform === 'win32' ? describe.skip : describe;

unix('the launcher', () => {
  let world: LauncherWorld;
  beforeEach(async () => {
    world = await launcherWorld();
  });
  afterEach(() => world.dispose());

  it('runs the copy of the command line, whatever the path is called, for the person alone [GATE-5a]', async () => {
    const { build, launcher } = await world.install('1.0.0');
    const { files } = readManifest(await readFile(join(await world.source('1.0.0'), manifestName), 'utf8'));
    const target = join(world.bin.folder, build);
    for (const { path } of files) {
      const source = join(await world.source('1.0.0'), path);
      assert.ok(readFileSync(join(target, path)).equals(readFileSync(source)), path);
      assert.equal(statSync(join(target, path)).mode & 0o777, 0o600, path);
    }
    for (const folder of [world.home, world.bin.folder, target, join(target, 'chunks'), launcher]) {
      assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
    }
    const { out, err, code } = await world.run(['--version']);
    assert.match(out, /^\d+\.\d+\.\d+\n$/);
    assert.deepEqual([err, code], ['', 0]);

    const linked = join(world.folder, 'linked');
    await symlink(launcher, linked);
    assert.equal((await world.run(['--version'], { launcher: linked })).out, out);
    // Moved with everything in it, as a home folder may be.
    await rename(world.home, join(world.folder, 'moved'));
    const moved = join(world.folder, 'moved', 'bin', 'mcp-roundhouse');
    assert.equal((await world.run(['--version'], { launcher: moved })).out, out);
  });

  it('becomes the program: its arguments, its exit code, its signals and its process id are the program’s [GATE-5b]', async () => {
    await world.install('1.0.0');
    const wrong = await world.run([`no "such" $HOME 'command' \\`]);
    assert.equal(wrong.code, 64);
    assert.ok(wrong.err.includes(JSON.stringify(`no "such" $HOME 'command' \\`)), wrong.err);

    const { child, pid } = await serve();
    assert.equal(child.pid, pid);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'close'), [143, null]);
  });

  it('makes an editor’s program run as Node, and tells no server so [GATE-5b, CONN-7e]', async () => {
    const editor = await world.script(
      join(world.folder, 'an editor'),
      `[ "$ELECTRON_RUN_AS_NODE" = 1 ] || { echo "a window opens" >&2; exit 9; }; exec '${process.execPath}' "$@"`,
    );
    await world.install('1.0.0', { runtime: editor });
    const file = join(world.folder, 'mcp.json');
    const seen = { SEEN: '${env:ELECTRON_RUN_AS_NODE:-nothing}' };
    await writeFile(
      file,
      JSON.stringify({ version: 3, mcpServers: { demo: { ...fixtureCommand('inspects'), env: seen } } }),
    );
    const { out, err, code } = await world.run(['call', 'demo', 'environment', '{}', '--config-file', file], {
      env: { PATH: '/usr/bin:/bin', ELECTRON_RUN_AS_NODE: '1' },
    });
    assert.equal(code, 0, err);
    assert.ok(out.includes('SEEN') && out.includes('nothing'), out);
    assert.ok(!out.includes('ELECTRON_RUN_AS_NODE'), out);
  });

  it('tries what it knows in order: editors, then each node in an absolute folder of PATH [GATE-5b]', async () => {
    const old = await world.script(join(world.folder, 'old', 'node'), 'echo v20.18.3');
    const broken = await world.script(join(world.folder, 'broken', 'node'), 'exit 1');
    const good = await world.script(
      join(world.folder, 'good', 'node'),
      `[ "$1" = --version ] && echo v20.19.0 && exit; echo "good ran, as node $ELECTRON_RUN_AS_NODE"`,
    );
    const here = join(world.folder, 'project');
    await world.script(join(here, 'node'), `[ "$1" = --version ] && echo v22.0.0; echo project ran >&2`);
    await world.install('1.0.0', { runtime: old });
    const path = (...folders: readonly string[]): { PATH: string } => ({ PATH: folders.join(':') });
    const places = [old, broken, good].map((file) => join(file, '..'));
    const found = await world.run(['list'], { cwd: here, env: path('', '.', ...places) });
    assert.deepEqual(found, { code: 0, signal: null, out: 'good ran, as node \n', err: '' });

    const without = await world.run(['list'], { cwd: here, env: path('', '.', places[0]!, places[1]!) });
    assert.deepEqual([without.code, without.out], [127, '']);
    assert.match(without.err, /nothing here can run it\. It needs Node 20\.19 or newer/);
    assert.ok(without.err.includes(`  ${old}\n`), without.err);
  });

  it('runs no program that somebody else could have put there, nor in a folder that anybody may change [GATE-5b]', async () => {
    const folder = join(world.folder, 'an editor');
    const node = await world.script(join(world.folder, 'node', 'node'), 'echo v22.0.0');
    const editor = await world.script(
      join(folder, 'code'),
      '[ "$1" = --version ] && echo v24.0.0 && exit; echo editor',
    );
    const run = async (): Promise<string> => (await world.run(['list'], { env: { PATH: dirname(node) } })).out;
    await world.install('1.0.0', { runtime: editor });
    assert.equal(await run(), 'editor\n');
    const opened = [
      [editor, 0o702],
      [editor, 0o720],
      [folder, 0o702],
    ] as const;
    for (const [path, mode] of opened) {
      await chmod(path, mode);
      assert.equal(await run(), 'v22.0.0\n', `${path} ${mode.toString(8)}`);
      await chmod(path, 0o700);
    }
    // Only root can give a file away.
    for (const path of process.getuid?.() === 0 ? [editor, folder] : []) {
      await chown(path, 65_534, 65_534);
      assert.equal(await run(), 'v22.0.0\n', path);
      await chown(path, 0, 0);
    }
    assert.equal(await run(), 'editor\n');
    await rename(folder, `${folder} moved`);
    await symlink(`${folder} moved`, folder);
    assert.equal(await run(), 'v22.0.0\n', 'its folder became a link');
  });

  it('names no program at all that anybody could change when it was written [GATE-5b]', async () => {
    const editor = await world.script(join(world.folder, 'an editor', 'code'), 'echo v24.0.0');
    const runtimes = (): readonly string[] => readRuntimes(readFileSync(world.bin.runtimes, 'utf8'));
    await world.install('1.0.0', { runtime: editor });
    assert.deepEqual(runtimes(), [editor]);
    await chmod(dirname(editor), 0o707);
    await world.install('1.0.0', { runtime: process.execPath });
    assert.deepEqual(runtimes(), [process.execPath]);
    await world.install('1.0.0', { runtime: editor });
    assert.deepEqual(runtimes(), [process.execPath]);
  });

  it('names no program of an AppImage, and none among temporary files [GATE-5b]', async () => {
    const source = await world.source('1.0.0');
    for (const [passing, expected] of [
      [{ APPIMAGE: '/home/x/Editor.AppImage' }, []],
      [{ TMPDIR: dirname(process.execPath) }, []],
      [{}, [process.execPath]],
    ] as const) {
      const before = { ...process.env };
      Object.assign(process.env, passing);
      try {
        await installForAgents({ home: world.home, source, log: quiet }, new AbortController().signal);
      } finally {
        delete process.env['APPIMAGE'];
        delete process.env['TMPDIR'];
        Object.assign(process.env, before);
      }
      assert.deepEqual(readRuntimes(readFileSync(world.bin.runtimes, 'utf8')), expected, JSON.stringify(passing));
    }
  });

  it('is made again for whoever asks after another editor took it along [GATE-5a]', async () => {
    const launcher = new LazyLauncher({ home: world.home, source: await world.source('1.0.0'), log: quiet });
    const config = await launcher.agentConfig();
    await removeLauncher(world.home, { platform: process.platform });
    assert.equal(existsSync(world.bin.launcher), false);
    assert.deepEqual(await launcher.agentConfig(), config);
    assert.match((await world.run(['--version'])).out, /^\d+\.\d+\.\d+\n$/);
    launcher.dispose();
  });

  it('leaves what the agent writes to the program, however many runtimes it tries first [GATE-5b]', async () => {
    const greedy = await world.script(join(world.folder, 'greedy', 'node'), 'cat >/dev/null; exit 1');
    const reader = await world.script(
      join(world.folder, 'reader', 'node'),
      `[ "$1" = --version ] && echo v24.1.0 && exit; exec cat`,
    );
    await world.install('1.0.0', { runtime: greedy });
    const child = world.start(['proxy'], { env: { PATH: `${join(reader, '..')}:/usr/bin:/bin` } });
    child.stdin.end('a frame\n');
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    assert.equal(line, 'a frame');
    if (child.exitCode === null) await once(child, 'close');
  });

  it('says what to do where the copy is gone [GATE-5b]', async () => {
    const { build } = await world.install('1.0.0');
    await rm(join(world.bin.folder, build), { recursive: true });
    const { code, out, err } = await world.run(['proxy']);
    assert.deepEqual([code, out], [127, '']);
    assert.match(err, /Open your editor once/);
  });

  it('changes to a new build in one step, and the old one goes only once nobody runs it [GATE-5c]', async () => {
    const old = await world.install('1.0.0');
    const { child, url, token } = await serve();
    const updated = await world.install('1.1.0');
    assert.notEqual(updated.build, old.build);
    assert.equal(updated.launcher, old.launcher);
    assert.deepEqual(builds(), [old.build, updated.build].sort());
    await launcherIsOld();
    await world.install('1.1.0');
    assert.deepEqual(builds(), [old.build, updated.build].sort(), 'a process runs the old one');
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    });
    assert.equal(answer.status, 200, 'it works as before');
    await answer.text();
    child.kill('SIGKILL');
    await once(child, 'close');
    await world.install('1.1.0');
    assert.deepEqual(builds(), [updated.build]);
    assert.equal((await world.run(['--version'])).code, 0);
  });

  for (const place of ['attached', 'alone'] as const) {
    it(`is updated under an agent whose proxy is ${place} and goes on, in the middle of a call too [GATE-5c, GATE-5e]`, async () => {
      const old = await world.install('1.0.0');
      const log = fixtureLog();
      const servers = { one: fixtureCommand('basic-legacy', undefined, log) };
      const openWindow = async (): Promise<Served> => {
        const { url, token, ...window } = await serve(servers);
        const about = { process: await ownIdentity(), folders: [world.folder], focusedAt: Date.now() };
        await writeWindow(world.home, { version: 1, kind: 'serving', url, token, ...about });
        return { url, token, ...window };
      };
      const window = place === 'attached' ? await openWindow() : undefined;
      const own = place === 'alone' ? ['--config', JSON.stringify({ mcpServers: servers })] : [];
      const agent = lineAgent(world.start(['proxy', ...own]));
      await agent.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a' } });
      const gate = log.gate();
      const held = agent.request('tools/call', { name: 'mcp__one__slow', arguments: gate.args });
      await eventually(() => log.runs('slow') === 1, patience);

      await world.install('1.1.0');
      await launcherIsOld();
      await world.install('1.1.0');
      assert.ok(builds().includes(old.build));
      gate.open();
      assert.match(await held, /"result"/);
      if (window !== undefined) {
        window.child.kill('SIGKILL');
        await once(window.child, 'close');
        await openWindow();
      }
      const call = { name: 'mcp__one__echo', arguments: { text: 'afterwards' } };
      assert.match(await agent.request('tools/call', call), /afterwards/);
      await agent.end();
      await launcherIsOld();
      await world.install('1.1.0');
      assert.equal(builds().includes(old.build), false);
      log.dispose();
    });
  }

  it('keeps an old build for a while that was the launcher’s just now, as somebody may be starting it [GATE-5c]', async () => {
    const old = await world.install('1.0.0');
    const updated = await world.install('1.1.0');
    await world.install('1.1.0');
    assert.deepEqual(builds(), [old.build, updated.build].sort());
    await launcherIsOld();
    await world.install('1.1.0');
    assert.deepEqual(builds(), [updated.build]);
  });

  it('is written once by however many windows start at once, of two editors too [GATE-5a]', async () => {
    const other = await world.script(join(world.folder, 'other editor'), `exec '${process.execPath}' "$@"`);
    const windows = Array.from({ length: 12 }, (_, at) =>
      world.install(at % 2 === 0 ? '1.0.0' : '1.1.0', at % 3 === 0 ? { runtime: other } : {}),
    );
    await Promise.all(windows);
    assert.equal((await world.run(['--version'])).code, 0);
    const left = readdirSync(world.bin.folder).filter((name) => !builds().includes(name));
    assert.deepEqual(left.sort(), ['mcp-roundhouse', 'runtimes.json']);
    assert.equal(builds().length, 2);

    const before = await stat(world.bin.launcher);
    const runtimes = await stat(world.bin.runtimes);
    const [build] = /\d+\.\d+\.\d+/.exec(readFileSync(world.bin.launcher, 'utf8'))!;
    await Promise.all([world.install(build), world.install(build, { runtime: other })]);
    assert.equal((await stat(world.bin.launcher)).ino, before.ino, 'the launcher was written again');
    assert.equal((await stat(world.bin.runtimes)).ino, runtimes.ino);
  });

  it('mends a copy that was changed, file by file [GATE-5a]', async () => {
    const { build } = await world.install('1.0.0');
    const program = join(world.bin.folder, build, 'cli.js');
    const { ino } = await stat(join(world.bin.folder, build));
    await writeFile(program, 'process.exit(3)');
    const elsewhere = join(world.folder, 'elsewhere');
    await writeFile(elsewhere, 'kept');
    await rm(join(world.bin.folder, build, 'package.json'));
    await symlink(elsewhere, join(world.bin.folder, build, 'package.json'));
    await world.install('1.0.0');
    assert.equal((await world.run(['--version'])).code, 0);
    assert.equal((await stat(join(world.bin.folder, build))).ino, ino);
    assert.equal(await readFile(elsewhere, 'utf8'), 'kept');
  });

  it('follows no link and takes no file that is not what was built [GATE-5a]', async () => {
    const source = await world.source('1.0.0');
    const program = join(source, 'cli.js');
    const text = await readFile(program, 'utf8');
    const refused = async (what: RegExp): Promise<void> => {
      await assert.rejects(world.install('1.0.0'), (error: Error & { data?: { detail: string } }) => {
        assert.match(error.data?.detail ?? '', what);
        return true;
      });
      assert.ok(!existsSync(world.bin.launcher));
    };
    await writeFile(program, `${text}\nprocess.exit(1)`);
    await refused(/cli\.js is (?:not what was built|larger than it may be)$/);
    await writeFile(program, text.replace('import', 'imposs'));
    await refused(/cli\.js is not what was built$/);
    await rename(program, join(source, 'other.js'));
    await writeFile(join(source, 'other.js'), text);
    await symlink('other.js', program);
    await refused(/cli\.js is no ordinary file$/);
    await rm(program);
    await refused(/a file of the extension is missing/);
    await writeFile(program, text);

    const elsewhere = join(world.folder, 'elsewhere');
    await mkdir(elsewhere);
    await rm(world.bin.folder, { recursive: true });
    await symlink(elsewhere, world.bin.folder);
    await refused(/bin is no folder$/);
    assert.deepEqual(readdirSync(elsewhere), []);
    await rm(world.bin.folder);

    await mkdir(world.bin.folder, { mode: 0o755 });
    await writeFile(join(elsewhere, 'file'), 'kept');
    await symlink(join(elsewhere, 'file'), world.bin.launcher);
    await world.install('1.0.0');
    assert.equal(await readFile(join(elsewhere, 'file'), 'utf8'), 'kept');
    assert.equal((await world.run(['--version'])).code, 0);
  });

  it('refuses a list of files that leads out of its folder [GATE-5a]', async () => {
    const source = await world.source('1.0.0');
    const manifest = readManifest(await readFile(join(source, manifestName), 'utf8'));
    await writeFile(join(world.folder, 'out.js'), '');
    await writeManifest(source, { ...manifest, files: [{ path: '../out.js', bytes: 0, sha256: '' }] });
    await assert.rejects(world.install('1.0.0'), { code: 'configWriteFailed' });
    assert.ok(!existsSync(world.bin.launcher));
  });

  it('is what an agent is given: no secret, and nothing that an update changes [GATE-6a]', async () => {
    const entry = (): string => JSON.stringify(agentConfig(agentEntry(world.home, 'linux')));
    await world.install('1.0.0');
    const before = entry();
    await world.install('2.0.0', { runtime: '/moved/editor' });
    assert.equal(entry(), before);
    const { mcpServers } = JSON.parse(before) as ReturnType<typeof agentConfig>;
    const { command, args } = mcpServers.roundhouse;
    assert.deepEqual([Object.keys(mcpServers), args], [['roundhouse'], ['proxy']]);
    assert.ok(!before.includes('2.0.0') && !before.includes(process.execPath));
    assert.equal((await world.run(['--version'], { launcher: command })).code, 0);
  });

  it('goes with the extension, but for a build that somebody runs', async () => {
    const { build } = await world.install('1.0.0');
    const { child } = await serve();
    const stay = await removeLauncher(world.home, { platform: 'linux' });
    assert.deepEqual(stay, [join(world.bin.folder, build)]);
    assert.deepEqual(readdirSync(world.bin.folder), [build]);
    child.kill('SIGTERM');
    await once(child, 'close');
    assert.deepEqual(readdirSync(join(world.bin.folder, build, 'used')), [], 'its mark went with it');
    assert.deepEqual(await removeLauncher(world.home, { platform: 'linux' }), []);
    assert.ok(!existsSync(world.bin.folder));
    assert.deepEqual(await removeLauncher(world.home, { platform: 'linux' }), []);
  });

  function builds(): string[] {
    return readdirSync(world.bin.folder)
      .filter((name) => /^\d/.test(name))
      .sort();
  }

  /** As if the launcher had named its build for longer than anybody needs to start another one. */
  async function launcherIsOld(): Promise<void> {
    const then = new Date(Date.now() - limits.launcher.settle - 1_000);
    await utimes(world.bin.launcher, then, then);
  }

  /** A process that lives until it is ended. */
  async function serve(mcpServers: object = {}): Promise<Served> {
    const file = join(world.folder, 'served.json');
    await writeFile(file, JSON.stringify({ version: 3, mcpServers }));
    const child = world.start(['serve', '--config-file', file]);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const marks = (): string[] => builds().flatMap((build) => readdirSync(join(world.bin.folder, build, 'used')));
    await eventually(
      () => marks().some((name) => name.startsWith(`${child.pid}-`)),
      patience,
      'the mark of the process',
    );
    return { child, ...(JSON.parse(line) as { pid: number; url: string; token: string }) };
  }
});
