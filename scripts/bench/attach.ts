// QUAL-15: a proxy that attaches to a window that is there, from its start to its first list.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../lib/places.mjs';
import { type Measured, median, ms } from './measure.ts';
import { startWindow } from './window.ts';
import { echoCommand, environment } from './setting.ts';

const rounds = 9;

export async function attach(node: number): Promise<Omit<Measured, 'row'>> {
  const folder = await mkdtemp(join(tmpdir(), 'rh-bench-'));
  const config = join(folder, 'config.json');
  await writeFile(config, JSON.stringify({ mcpServers: { echo: echoCommand() } }));
  const window = await startWindow(config, folder);
  try {
    const samples: number[] = [];
    for (let round = 0; round < rounds; round++) samples.push(await firstList(folder));
    const taken = median(samples.slice(1));
    return {
      what: 'a proxy attaches to a window: spawn to its first list',
      ours: ms(taken),
      reference: `Node's own start ${ms(node)}`,
      bar: '<= 4.00 x',
      met: taken <= 4 * node,
    };
  } finally {
    await window.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstList(folder: string): Promise<number> {
  const env = { ...environment.base, HOME: folder, USERPROFILE: folder };
  const args = [join(repository, 'dist', 'cli.js'), 'proxy', '--workspace', folder];
  const begun = performance.now();
  const proxy = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(proxy.stdout);
  const send = (message: object): void => void proxy.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const ended = once(proxy, 'exit');
  send({ id: 1, method: 'initialize', params });
  await once(lines, 'line');
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  const [line] = (await once(lines, 'line')) as [string];
  const taken = performance.now() - begun;
  const { result } = JSON.parse(line) as { readonly result?: { readonly tools?: readonly unknown[] } };
  if (!result?.tools?.length) throw new Error(`no list of tools: ${line}`);
  proxy.stdin.end();
  await ended;
  return taken;
}
