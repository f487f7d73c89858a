// What the text of a launcher is made of, and the right one for a platform. Pure.
import { batchLauncher } from './batchLauncher.ts';
import { shellLauncher } from './shellLauncher.ts';

export interface LauncherText {
  /** Absolute: where the launcher and the builds stand. */
  readonly folder: string;
  /** The name of the build's folder. */
  readonly build: string;
  /** Absolute paths of programs that are Node when ELECTRON_RUN_AS_NODE is 1, the first to be tried first. */
  readonly runtimes: readonly string[];
  /** For Windows: variables that may stand for the beginning of a path. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export function launcherText(text: LauncherText, platform: NodeJS.Platform): string {
  return platform === 'win32' ? batchLauncher(text) : shellLauncher(text);
}
