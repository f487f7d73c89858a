// Whether a command line starts our launcher as an agent does (GATE-6), wherever the product's folder is. Pure: it tells by
// the words, so that what an older version or another machine wrote is ours too; a name in a client's file says nothing.
import { launcherName } from './binPaths.ts';

/** The launcher may stand behind another program, as cmd.exe on Windows; `proxy` follows it. */
export function isOurLaunch({
  command,
  args,
}: {
  readonly command: string;
  readonly args: readonly string[];
}): boolean {
  const words = [command, ...args];
  return words.some((word, index) => words[index + 1] === 'proxy' && isLauncher(word));
}

function isLauncher(path: string): boolean {
  const parts = path.split(/[\\/]/);
  const name = parts.pop();
  return (name === launcherName || name === `${launcherName}.cmd`) && parts.includes('.mcp-roundhouse');
}
