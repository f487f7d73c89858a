// Which versions of Node run the command line: 20.19 and everything above, as package.json says. One rule in three
// languages: TypeScript, a pattern of sh, and an expression that the program in question computes about itself.

/** `text` is what `--version` prints. */
export function isUsableNode(text: string): boolean {
  const match = /^v(\d+)\.(\d+)\.\d/.exec(text);
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > 20 || (major === 20 && minor >= 19);
}

/** The same for the `case` of a shell. */
export const usableNodePattern =
  'v20.19.*|v20.[2-9][0-9].*|v20.[1-9][0-9][0-9].*|v2[1-9].*|v[3-9][0-9].*|v[1-9][0-9][0-9].*';

/** The same as a script that ends with 0; without `%`, `!` and `"`, so that it may stand in a batch file. */
export const usableNodeScript =
  "const [a,b]=process.versions.node.split('.').map(Number);process.exit(a>20||a===20&&b>=19?0:1)";

/** In words. */
export const usableNode = 'Node 20.19 or newer';
