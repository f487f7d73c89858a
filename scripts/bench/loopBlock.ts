// QUAL-9: how long the extension host's loop gets no turn while a long list is read, and at the first call after it.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { systemClock } from '../../src/base/clock.ts';
import { createToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { longestBlock, type Measure, median, ms } from './measure.ts';
import { echoCommand, echoManager } from './setting.ts';

export const loopBlock: Measure = async ({ rounds }) => {
  const lines = [];
  for (const [count, most] of [
    [1_000, 50],
    [10_000, 100],
  ] as const) {
    const ours: Blocks[] = [];
    const sdk: Blocks[] = [];
    for (let round = 0; round <= Math.min(rounds, 7); round++) {
      const pair = { ours: await withManager(count), sdk: round < 3 ? await withSdk(count) : undefined };
      if (round === 0) continue; // The first round compiles our code and theirs.
      ours.push(pair.ours);
      if (pair.sdk !== undefined) sdk.push(pair.sdk);
    }
    for (const [part, what, bar] of [
      ['list', `list of ${count} tools`, most],
      ['call', `first call after it, output schemas`, 50],
    ] as const) {
      const value = median(ours.map((blocks) => blocks[part]));
      lines.push({
        row: 'QUAL-9',
        what: `longest block of the loop, ${what}${part === 'call' ? ` (${count} tools)` : ''}`,
        ours: ms(value),
        reference: `SDK ${ms(median(sdk.map((blocks) => blocks[part])))}`,
        bar: `<= ${bar} ms`,
        met: value <= bar,
      });
    }
  }
  return lines;
};

interface Blocks {
  readonly list: number;
  readonly call: number;
}

async function withManager(count: number): Promise<Blocks> {
  const manager = echoManager('--tools', String(count), '--schemas');
  const calls = createToolCalls({ manager, clock: systemClock() });
  try {
    const server = manager.keyOf('echo');
    if (server === undefined) throw new Error('the echo server is not configured');
    const list = await longestBlock(() => manager.use(server));
    const listed = manager.live(server)?.snapshot.tools.length;
    if (listed !== count) throw new Error(`${listed ?? 0} of ${count} tools were listed`);
    const caller = { kind: 'api', name: 'bench' } as const;
    const call = await longestBlock(() =>
      calls.call({ server, tool: 'echo', args: { text: 'x' }, caller }, { validate: true }),
    );
    return { list, call };
  } finally {
    calls.dispose();
    await manager.dispose();
  }
}

async function withSdk(count: number): Promise<Blocks> {
  const { command, args } = echoCommand('--tools', String(count), '--schemas');
  const client = new Client({ name: 'sdk', version: '1' });
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    stderr: 'ignore',
    maxBufferSize: 256 * 1024 * 1024,
  });
  await client.connect(transport);
  try {
    const list = await longestBlock(() => client.listTools());
    const call = await longestBlock(() => client.callTool({ name: 'echo', arguments: { text: 'x' } }));
    return { list, call };
  } finally {
    await client.close();
  }
}
