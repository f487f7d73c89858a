// QUAL-1 to QUAL-16 without what concerns the extension host: our gateway and our proxy beside prototypes that only replace
// ids, and beside peers where they are installed. What is compared ran interleaved, in one run.
import { type Compared, compare, figure, type Found } from './compare.ts';
import { type Measure, type Measured, median, ms, times } from './measure.ts';
import { nodeStart } from './nodeStart.ts';
import { attach } from './attach.ts';
import { findings } from './suite.ts';

const size = (bytes: number, iters: number, rounds: number): readonly string[] =>
  Object.entries({ size: bytes, iters, rounds }).flatMap(([name, value]) => [`--${name}`, String(value)]);
const mebibyte = 2 ** 20;

export const bridges: Measure = async ({ rounds, suite }) => {
  if (suite === undefined) throw new Error('bridges needs --suite FOLDER: the measuring scripts');
  const run = (script: string, wanted: readonly string[], args: readonly string[]): Promise<Found> =>
    findings(script, wanted, args, suite);
  const all: Measured[] = [];
  const say = (...lines: readonly Compared[]): void => void all.push(...lines.map(compare));

  const small = await run(
    'call',
    ['direct-raw', 'raw-bridge', 'ours', 'mcp-proxy'],
    [...size(100, 300, rounds), ...['--warm', '1500']],
  );
  say(
    {
      row: 'QUAL-1',
      what: 'gateway, tools/call of 100 B, p50',
      found: small,
      beside: { 'raw-bridge': 2, 'mcp-proxy': 0.35 },
    },
    {
      row: 'QUAL-2',
      what: 'the same, CPU',
      found: small,
      of: 'cpuUsPerCall',
      beside: { 'raw-bridge': 2, 'mcp-proxy': 0.3 },
    },
    { row: 'QUAL-4', what: 'the same, p99', found: small, of: 'p99', beside: { 'mcp-proxy': 0.5 } },
  );

  const sdk = await run(
    'call',
    ['raw-bridge+sdk-client', 'ours+sdk-client', 'mcp-proxy+sdk-client'],
    [...size(100, 200, rounds), ...['--warm', '500', '--base', 'raw-bridge+sdk-client']],
  );
  say({
    row: 'QUAL-3',
    what: "the same, the SDK's client",
    found: sdk,
    ours: 'ours+sdk-client',
    beside: { 'mcp-proxy+sdk-client': 0.45 },
  });

  const many = await run(
    'call',
    ['direct-raw', 'raw-bridge', 'ours', 'mcp-proxy'],
    [...size(100, 2_000, rounds), ...['--concurrency', '32', '--warm', '500']],
  );
  say({
    row: 'QUAL-5',
    what: '32 in flight, calls in a second',
    found: many,
    of: 'perSecond',
    beside: { 'raw-bridge': 0.75, 'mcp-proxy': 4 },
    atLeast: true,
  });

  const large = await run('call', ['direct-raw', 'raw-bridge', 'ours', 'mcp-proxy'], size(mebibyte, 20, rounds));
  say(
    { row: 'QUAL-6', what: 'result of 1 MiB, p50', found: large, beside: { 'direct-raw': 1.5, 'mcp-proxy': 0.15 } },
    { row: 'QUAL-6', what: 'the same, CPU', found: large, of: 'cpuUsPerCall', beside: { 'mcp-proxy': 0.15 } },
  );

  const five = await run('call', ['direct-raw', 'raw-bridge', 'ours'], [...size(5 * mebibyte, 3, 5), '--warm', '2']);
  const forty = await run('call', ['direct-raw', 'raw-bridge', 'ours'], [...size(40 * mebibyte, 2, 3), '--warm', '1']);
  say({ row: 'QUAL-7', what: 'result of 40 MiB, p50', found: forty, beside: { 'raw-bridge': 2 } });
  const growth = figure(forty, 'ours', 'p50') / 8 / figure(five, 'ours', 'p50');
  all.push({
    row: 'QUAL-7',
    what: 'time a MiB at 40 MiB, over that at 5 MiB',
    ours: times(growth),
    reference: '-',
    bar: '<= 1.50 x',
    met: growth <= 1.5,
  });

  for (const tools of [1_000, 10_000]) {
    const lists = await run('list', ['direct-raw', 'raw-bridge', 'ours', 'mcp-proxy'], ['--tools', String(tools)]);
    say({ row: 'QUAL-8', what: `list of ${tools} tools, p50`, found: lists, beside: { 'direct-raw': 2 } });
  }

  const alone = await run(
    'call',
    ['direct-raw', 'raw-aggregator', 'ours-proxy', 'mcporter-stdio'],
    [...size(100, 300, rounds), ...['--warm', '500']],
  );
  say({
    row: 'QUAL-10',
    what: 'proxy by itself, tools/call, p50',
    found: alone,
    ours: 'ours-proxy',
    beside: { 'direct-raw': 2.6, 'mcporter-stdio': undefined },
  });

  const chain = await run(
    'call',
    ['direct-raw', 'raw-shim(node)', 'ours-chain', 'mcp-remote'],
    [...size(100, 300, rounds), ...['--warm', '500']],
  );
  say({
    row: 'QUAL-11',
    what: 'proxy, gateway and server, tools/call, p50',
    found: chain,
    ours: 'ours-chain',
    beside: { 'raw-shim(node)': 1.4, 'mcp-remote': undefined },
  });

  const twenty = await run(
    'startup',
    ['raw-aggregator', 'ours-proxy', 'mcp-hub'],
    ['--servers', '20', '--rounds', '5'],
  );
  say({
    row: 'QUAL-12',
    what: 'spawn to all tools, 20 servers that take 300 ms',
    found: twenty,
    of: 'complete',
    suffix: ' 20',
    ours: 'ours-proxy',
    beside: { 'raw-aggregator': 1.2, 'mcp-hub': undefined },
  });

  const greeting = await run('startup', ['ours-proxy'], ['--servers', '1,20', '--rounds', '7']);
  const node = median(await nodeStart(7));
  for (const [servers, name] of [
    [1, 'ours-proxy'],
    [20, 'ours-proxy 20'],
  ] as const) {
    const taken = figure(greeting, name, 'connect');
    all.push({
      row: 'QUAL-13',
      what: `spawn to initialize answered, ${servers} server${servers === 1 ? '' : 's'}`,
      ours: ms(taken),
      reference: `Node's own start ${ms(node)}`,
      bar: '<= 2.70 x',
      met: taken <= 2.7 * node,
    });
  }

  const slow = await run('startup', ['ours-proxy'], ['--servers', '5', '--slow-one', '5000', '--rounds', '3']);
  const ready = figure(slow, 'ours-proxy 5', 'ready');
  all.push({
    row: 'QUAL-14',
    what: "the ready servers' tools, one of five slow by 5 s",
    ours: ms(ready),
    reference: `their own start, 300 ms and Node's ${ms(node)}`,
    bar: '<= 3 x',
    met: ready <= 3 * (300 + node),
  });

  all.push({ row: 'QUAL-15', ...(await attach(node)) });

  const idle = await run('rss', ['ours-all', 'ours-proxy', 'mcp-hub'], []);
  const after = await run('rss', ['ours-all', 'ours-proxy'], ['--servers', '20', '--calls', '300']);
  for (const name of ['ours-all', 'ours-proxy']) {
    const [rss, later] = [figure(idle, `${name} 20`, 'rssKiB'), figure(after, `${name} 20`, 'rssKiB')];
    const cpu = figure(idle, `${name} 20`, 'idleCpuMsPerSec');
    const what = name === 'ours-all' ? 'gateway' : 'proxy';
    all.push(
      row16(`memory of the ${what}, 20 idle servers`, `${(rss / 1024).toFixed(0)} MiB`, '<= 60 MiB', rss <= 60 * 1024),
      row16(`the same after 300 results of 1 MiB`, times(later / rss), '<= 2.20 x', later <= 2.2 * rss),
      row16(`the same, CPU when idle`, `${cpu.toFixed(1)} ms/s`, '<= 5 ms/s', cpu <= 5),
    );
  }
  return all;
};

function row16(what: string, ours: string, bar: string, met: boolean): Measured {
  return { row: 'QUAL-16', what, ours, reference: '-', bar, met };
}
