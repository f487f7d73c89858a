// The programs of editors that the launcher tries, as a list in a file: each window adds the one that runs it. Pure. One
// that is known keeps its place, so that two editors in turn do not write the launcher again and again.
import { posix, win32 } from 'node:path';
import { limits } from '../limits.ts';

export interface RuntimeListOptions {
  readonly platform: NodeJS.Platform;
  /** Whether it is there and may still be run, for one that was written down before. */
  readonly isThere: (path: string) => boolean;
}

/** `known` in order, without what is gone, and `own` first where it is new; undefined: the own one is not to be tried. */
export function withRuntime(
  known: readonly string[],
  own: string | undefined,
  options: RuntimeListOptions,
): readonly string[] {
  const left = known.filter((path) => path === own || (isPath(path, options.platform) && options.isThere(path)));
  if (own === undefined || !isPath(own, options.platform)) return left.filter((path) => path !== own);
  const all = left.includes(own) ? left : [own, ...left];
  const most = limits.launcher.runtimes;
  const first = all.slice(0, most);
  return first.includes(own) ? first : [own, ...first.slice(0, most - 1)];
}

/** What the file says; nothing where it is not ours. */
export function readRuntimes(text: string | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const list: unknown = typeof value === 'object' && value !== null && 'runtimes' in value ? value.runtimes : [];
    return Array.isArray(list) ? [...new Set(list.filter((path) => typeof path === 'string'))] : [];
  } catch {
    return [];
  }
}

export function writtenRuntimes(runtimes: readonly string[]): string {
  return `${JSON.stringify({ runtimes }, undefined, 2)}\n`;
}

/** No line of a launcher ends in the middle of one, and none is looked for in a working folder. */
function isPath(path: string, platform: NodeJS.Platform): boolean {
  if (/[\0\r\n]/.test(path) || (platform === 'win32' && path.includes('"'))) return false;
  return (platform === 'win32' ? win32 : posix).isAbsolute(path);
}
