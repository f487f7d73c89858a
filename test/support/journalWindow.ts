// A window in a process of its own, over the files of a root (see serverWindow.ts), its journal on.
//   ROOT SERVER TOOL ARGUMENTS COUNT UMASK   calls so often, one after the other; says how each failed, then "done"
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { createToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { openServerWindow } from './serverWindow.ts';

const [root = '', server = '', tool = '', args = '{}', count = '1', umask = '022'] = process.argv.slice(2);
process.umask(Number.parseInt(umask, 8));

const window = await openServerWindow(root);
const calls = createToolCalls({
  manager: window.manager,
  clock: systemClock(),
  journal: { folder: join(root, 'home', 'journal'), isOn: () => true },
});
for (let made = 0; made < Number(count); made += 1) {
  const call = {
    server: window.key(server),
    tool,
    args: JSON.parse(args) as JsonObject,
    caller: { kind: 'tree', name: 'test' },
  } as const;
  await calls.call(call, { validate: false }).catch((error: unknown) => {
    const { code, outcome } = error instanceof ManagerError ? error : new ManagerError('internal');
    process.stdout.write(`${code} ${outcome}\n`);
  });
}
process.stdout.write('done\n');
await window.dispose();
await calls.settled();
calls.dispose();
