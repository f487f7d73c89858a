// The program `keeper.js`: one for each person and machine, started by whoever needs it first and gone when nobody does
// (KEEP-1, KEEP-4). Nobody reads its output; its exit code says why it did not come up.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keeperExits } from '../contract/keeperWire.ts';
import { lockHolder, withFileLock } from '../core/config/fileLock.ts';
import { judge } from '../core/config/processIdentity.ts';
import { clientInfo } from '../core/connection/clientInfo.ts';
import { ManagerError } from '../core/errors.ts';
import { guardUrl } from '../core/guard/guardUrl.ts';
import { type KeeperFiles, keeperFiles, makeKeeperFolder, readKeeper } from '../core/keeper/keeperFiles.ts';
import { limits } from '../core/limits.ts';
import { markUse } from '../core/launcher/useMark.ts';
import { runKeeper } from './keeper.ts';

// What made the editor's program Node is for us alone (CONN-7).
delete process.env['ELECTRON_RUN_AS_NODE'];

const ending = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ending.abort());

void main().then((code) => {
  process.exitCode = code;
  // Everything is closed by now; a handle that is left must not keep the program.
  setTimeout(() => process.exit(), 1_000).unref();
});

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return keeperExits.usage;
  const folder = dirname(process.argv[1] ?? '');
  // A copy in the person's home stays for as long as somebody uses it (GATE-5).
  if (existsSync(join(folder, 'used'))) await markUse(folder);
  try {
    const files = await keeperFiles(options.home);
    await makeKeeperFolder(files).catch((cause: unknown) => {
      throw codeOf(cause) === undefined ? new NotOurs('The folder is not ours alone.', { cause }) : cause;
    });
    return await elected(files, () =>
      runKeeper({
        ...options,
        files,
        build: `${clientInfo.version}, ${basename(folder)}`.slice(0, 200),
        guard: fileURLToPath(guardUrl(import.meta.url)),
        signal: ending.signal,
      }),
    );
  } catch (error) {
    return exitOf(error);
  }
}

/** Runs under the lock of the place; gives up once another one serves there, or when the lock does not come free. */
async function elected(files: KeeperFiles, run: () => Promise<void>): Promise<number> {
  for (const begin = performance.now(); ;) {
    try {
      await withFileLock(files.elected, run, { wait: limits.keeper.turn, signal: ending.signal });
      return keeperExits.ended;
    } catch (error) {
      if (ending.signal.aborted) return keeperExits.ended;
      if (!(error instanceof ManagerError) || error.code !== 'configLocked') throw error;
      if ((await isServed(files)) || performance.now() - begin > limits.keeper.wait) return keeperExits.taken;
    }
  }
}

async function isServed(files: KeeperFiles): Promise<boolean> {
  const [holder, served] = [await lockHolder(files.elected), await readKeeper(files)];
  return served !== undefined && holder?.pid === served.process.pid && (await judge(served.process)) === 'alive';
}

function readOptions(
  argv: readonly string[],
): { readonly home: string; readonly idle: number | undefined } | undefined {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        home: { type: 'string' },
        'idle-seconds': { type: 'string', default: String(limits.keeper.idle / 1_000) },
      },
    });
    const { home, 'idle-seconds': seconds } = values;
    if (!home) return undefined;
    if (seconds === 'never') return { home, idle: undefined };
    const idle = Number(seconds) * 1_000;
    return Number.isFinite(idle) && idle > 0 ? { home, idle } : undefined;
  } catch {
    return undefined;
  }
}

class NotOurs extends Error {}

function exitOf(error: unknown): number {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return keeperExits.diskFull;
  return error instanceof NotOurs || notWritable.has(code) ? keeperExits.folder : keeperExits.internal;
}

const notWritable: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
