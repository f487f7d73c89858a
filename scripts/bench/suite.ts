// The measuring scripts for bridges, which live outside of this repository: raw clients and a raw upstream, no SDK in the
// path that is measured. Each takes a file of targets and prints a line of JSON for each; we add ours to theirs.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../lib/places.mjs';

export interface SuiteOptions {
  /** The folder of the scripts. */
  readonly suite: string;
  /** A file of targets with the peers in it; without it, there is nothing of theirs beside ours. */
  readonly peers?: string | undefined;
}

/** What a script said of one target. */
export type Finding = Readonly<Record<string, unknown>> & { readonly target: string };

const cli = join(repository, 'dist', 'cli.js');
const serve = ['{node}', cli, 'serve', '--config-file', '{config}', '--port', '{port}', '--insecure-no-token'];
const atServer = 'http://127.0.0.1:{port}/mcp/s0';
const chain = join(import.meta.dirname, 'chain.ts');

/** Ours, under the names that the measures know. */
const ours = [
  { name: 'ours', role: 'bridge', kind: 'http', cmd: serve, url: atServer },
  { name: 'ours+sdk-client', role: 'bridge', kind: 'sdk-http', cmd: serve, url: atServer },
  { name: 'ours-all', role: 'aggregator', kind: 'http', cmd: serve, url: 'http://127.0.0.1:{port}/mcp' },
  { name: 'ours-proxy', role: 'aggregator', kind: 'stdio', cmd: ['{node}', cli, 'proxy', '--config-file', '{config}'] },
  {
    name: 'ours-chain',
    role: 'chain',
    kind: 'stdio',
    cmd: ['{node}', '--import', import.meta.resolve('tsx'), chain, '{config}', '{dir}'],
  },
];

/**
 * Runs one script with the targets that are wanted, as far as there are such.
 * @param args of the script, without its targets
 */
export async function findings(
  script: string,
  wanted: readonly string[],
  args: readonly string[],
  { suite, peers }: SuiteOptions,
): Promise<ReadonlyMap<string, Finding>> {
  const all = await readTargets(peers ?? join(suite, 'targets.json'));
  const folder = await mkdtemp(join(tmpdir(), 'rh-bench-'));
  try {
    const file = join(folder, 'targets.json');
    const targets = [...all, ...ours, ...remote(suite, peers)].filter(({ name }) => wanted.includes(name));
    await writeFile(file, JSON.stringify({ targets }));
    const command = [join(suite, `${script}.mjs`), '--targets', file, '--sdk', repository, ...args];
    const lines = (await outputOf(command)).split('\n').filter((line) => line.startsWith('{'));
    return new Map(lines.map((line) => JSON.parse(line) as Finding).map((finding) => [nameOf(finding), finding]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The peer that an agent starts and that talks to a gateway, in front of the bridge that costs least. */
function remote(suite: string, peers: string | undefined): readonly { readonly name: string }[] {
  const program = peers && join(dirname(peers), 'mcp-remote', 'node_modules', 'mcp-remote', 'dist', 'proxy.js');
  if (program === undefined || !existsSync(program)) return [];
  const bridge = `{node} ${join(suite, 'raw-bridge.mjs')} --port {port} -- {upstreamShell}`;
  const client = `{node} ${program} ${atServer} --transport http-only`;
  const script = `${bridge} & B=$!; trap 'kill $B' EXIT; sleep 0.5; ${client}`;
  const target = { name: 'mcp-remote', role: 'chain', kind: 'stdio', cmd: ['/bin/sh', '-c', script] };
  return [target];
}

/** A script may say more than one thing of a target. */
function nameOf({ target, test, servers }: Finding): string {
  if (typeof test === 'string') return `${target} ${test}`;
  return typeof servers === 'number' && servers > 1 ? `${target} ${servers}` : target;
}

async function readTargets(file: string): Promise<readonly { readonly name: string }[]> {
  const read = JSON.parse(await readFile(file, 'utf8')) as { readonly targets: readonly { readonly name: string }[] };
  return read.targets;
}

function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}
