// A program of the person's that wants one server of the keeper's: bundled and started many times at once by tests. Arguments:
// the product's folder, the keeper's program, the launch as JSON. Says what it got, and ends with its stdin.
import { systemClock } from '../../src/base/clock.ts';
import { KeeperClient } from '../../src/core/keeper/keeperClient.ts';
import { openKept } from '../../src/core/keeper/openKept.ts';
import type { StdioLaunch } from '../../src/core/transport/launch.ts';
import { opening } from './openOptions.ts';

const [home = '', program = '', launch = ''] = process.argv.slice(2);
const keeper = new KeeperClient({ home, program, idleSeconds: 30 });
const stdin = new Promise((resolve) => process.stdin.once('end', resolve).resume());
try {
  const { link } = await keeper.ensure();
  const options = { ...opening({ clock: systemClock() }), keeper, key: 'user:fixture', file: '/nowhere/mcp.json' };
  const client = await openKept(JSON.parse(launch) as StdioLaunch, options);
  const result = await client.request('tools/call', { name: 'count', arguments: {} }, { kind: 'call' });
  const [first] = result['content'] as { readonly text: string }[];
  const said = { keeper: link.descriptor.process.pid, server: client.negotiated.pid, count: first?.text };
  process.stdout.write(`${JSON.stringify(said)}\n`);
  await stdin;
  await client.close();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: String(error), cause: String((error as Error).cause) })}\n`);
}
process.exit(0);
