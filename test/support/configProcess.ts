// A process of its own that works on a configuration file; bundled by configProcesses.ts and run with plain Node.
//   FILE write NAME COUNT   so many read-modify-write updates, then ends
//   FILE churn NAME         writes until it is killed; says "writing" after the first one
//   FILE hold               takes the lock, says "held", and keeps it until it is killed
//   FILE guard MARK COUNT   enters the lock so often and says "two holders" when MARK shows that it is not alone
import { open, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import { withFileLock } from '../../src/core/config/fileLock.ts';

const [file = '', role = '', name = '', count = '0'] = process.argv.slice(2);
const store = new ConfigStore({ file, scope: { kind: 'user' }, clock: systemClock({ unref: true }) });

async function update(index: number): Promise<void> {
  await store.transform((_, raw) => [
    { path: ['mcpServers', name, 'command'], value: 'node' },
    { path: ['mcpServers', name, 'env', `K${index % 50}`], value: String(index) },
    { path: ['x-count'], value: Number(raw['x-count'] ?? 0) + 1 },
  ]);
}

async function guarded(): Promise<void> {
  await withFileLock(
    file,
    async () => {
      const mark = await open(name, 'wx').catch(() => undefined);
      if (mark === undefined) process.stdout.write('two holders\n');
      await delay(1);
      await mark?.close();
      await unlink(name).catch(() => undefined);
    },
    { wait: 60_000 },
  );
}

switch (role) {
  case 'write':
    for (let index = 0; index < Number(count); index += 1) await update(index);
    break;
  case 'churn':
    for (let index = 0; ; index += 1) {
      await update(index);
      if (index === 0) process.stdout.write('writing\n');
    }
  case 'hold':
    await withFileLock(file, async () => {
      process.stdout.write('held\n');
      await delay(600_000);
    });
    break;
  case 'guard':
    for (let index = 0; index < Number(count); index += 1) await guarded();
    break;
  default:
    throw new Error(`unknown role ${role}`);
}
store.dispose();
