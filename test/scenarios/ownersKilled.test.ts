// What the real owners leave that are killed: the stand-alone proxy, `serve`, `call`. Windows: test/editor.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import type { ProcessReport } from '../../src/cli/servers.ts';
import { eventually } from '../support/eventually.ts';
import {
  childrenOf,
  descendantsOf,
  findProcess,
  hasProcessTable,
  processesWithEnvironment,
  stillThere,
} from '../support/processTable.ts';
import { useProxies } from '../support/proxyWorld.ts';

/** KEEP-5, in milliseconds. */
const bound = 5_000;
const deaf = { stubborn: { fixture: 'stubborn-with-grandchildren' } } as const;

describe('What a program leaves that is killed', function () {
  this.timeout(300_000);
  const world = useProxies();
  before(function () {
    if (!hasProcessTable) this.skip();
  });

  /** Kills it, and answers when all that was started is gone, in milliseconds. */
  async function goneAfter(child: {
    readonly pid?: number | undefined;
    kill(signal: 'SIGKILL'): boolean;
  }): Promise<number> {
    const all = new Set([
      ...descendantsOf(child.pid ?? 0).map(({ pid }) => pid),
      ...processesWithEnvironment('HOME', world().userHome).map(({ pid }) => pid),
    ]);
    assert.equal(all.size > 3, true);
    const begin = performance.now();
    child.kill('SIGKILL');
    await eventually(
      () => stillThere([...all]).length + processesWithEnvironment('HOME', world().userHome).length === 0,
    );
    return performance.now() - begin;
  }

  it('is gone within 5 s: of a stand-alone proxy, whose servers ignore everything [KEEP-5b]', async () => {
    const proxy = world().start(['--config', world().configuration(deaf)]);
    await proxy.initialize();
    await proxy.request(1, 'tools/list');
    assert.equal((await goneAfter(proxy.child)) < bound, true);
  });

  it('is gone within 5 s: of `serve`, whose servers ignore everything [KEEP-5b]', async () => {
    const served = await world().openWindow(deaf);
    const proxy = world().start();
    await proxy.initialize();
    await proxy.request(1, 'tools/list');
    proxy.child.stdin.end();
    await proxy.ended;
    assert.equal((await goneAfter(served.child)) < bound, true);
  });

  it('is told of by doctor, and ended by it where the guard was killed too; so is what runs', async () => {
    const servers = { deaf: { fixture: 'stubborn-with-grandchildren' } } as const;
    const proxy = world().start(['--config', world().configuration(servers)]);
    await proxy.initialize();
    await proxy.request(1, 'tools/list');
    const { pid = 0 } = proxy.child;
    const before = doctor();
    assert.deepEqual(
      before.running.map(({ owner, server }) => ({ owner, server })),
      [{ owner: pid, server: 'deaf' }],
    );
    assert.equal(findProcess(before.running[0]?.pid ?? 0)?.parent, pid);
    const guard = childrenOf(pid).find(({ command }) => command.join(' ').includes('guard.js'));
    process.kill(guard?.pid ?? 0, 'SIGKILL');
    proxy.child.kill('SIGKILL');
    await proxy.ended;
    const after = doctor();
    assert.deepEqual(after.running, []);
    assert.equal((after.ended?.found ?? 0) >= 3, true);
    assert.deepEqual(await world().leftovers(), []);
  });

  /** What it says of processes, over a configuration without servers. */
  function doctor(): ProcessReport {
    const { command, args, env, cwd } = world().command();
    const file = join(world().folder, 'none.json');
    writeFileSync(file, world().configuration({}));
    const program = args[0] ?? '';
    const run = spawnSync(command, [program, 'doctor', '--json', '--config-file', file], {
      env,
      cwd,
      encoding: 'utf8',
    });
    return (JSON.parse(run.stdout) as { readonly processes: ProcessReport }).processes;
  }

  it('is gone within 5 s: a browser in a group of its own [KEEP-5b]', async () => {
    const chromium = await ensureChromium(() => undefined);
    const require = createRequire(import.meta.url);
    const manifest = require.resolve('chrome-devtools-mcp/package.json');
    const { bin } = require(manifest) as { bin: Record<string, string> };
    const args = [
      join(dirname(manifest), bin['chrome-devtools-mcp'] ?? ''),
      ...['--headless', '--isolated', '--executablePath', chromium],
      ...['--chrome-arg=--no-sandbox', '--chrome-arg=--disable-gpu', '--no-usage-statistics'],
    ];
    const servers = { browser: { command: process.execPath, args, env: { TMPDIR: world().folder } } };
    const proxy = world().start(['--config', JSON.stringify({ version: 3, mcpServers: servers })]);
    await proxy.initialize();
    const { result } = await proxy.request(1, 'tools/call', { name: 'mcp__browser__list_pages', arguments: {} });
    assert.match(JSON.stringify(result), /about:blank/);
    assert.equal((await goneAfter(proxy.child)) < bound, true);
  });
});
