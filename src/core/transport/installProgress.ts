// Whether a launcher (`npx`, `uvx`, `docker run` ...) is installing what it launches, told from what it prints (CONN-6).
// Pure. A first start may take minutes then, and its deadline is extended.
import { posix, win32 } from 'node:path';

/** A program that may fetch a server before it starts it. */
export interface Launcher {
  readonly name: string;
  /** A process under it means that the server has started; those without one are told by their lines only. */
  readonly startsChild: boolean;
  readonly signs: readonly RegExp[];
}

/** The launcher that this command is; one that is not known (a script, a shell) may still call one, and shows it. */
export function launcherOf(command: string, args: readonly string[]): Launcher {
  const file = command.includes('\\') ? win32.basename(command) : posix.basename(command);
  const name = file.replace(/\.(?:cmd|exe|bat|ps1)$/i, '').toLowerCase();
  // `cmd /c npx ...` is how Windows is often told to find a batch file.
  const rest = args.filter((arg) => !/^\/[a-z]$/i.test(arg));
  if (name === 'cmd' && rest[0] !== undefined) return launcherOf(rest[0], rest.slice(1));
  const words = [name, ...args.filter((arg) => !arg.startsWith('-')).slice(0, 2)];
  const known = launchers.find(({ commands }) =>
    commands.some((start) => start.every((word, at) => word === words[at])),
  );
  return known ?? { name, startsChild: false, signs: plainSigns };
}

/** What to show while it installs: the launcher's own words, or undefined where the line is no sign of it. */
export function installDetail(launcher: Launcher, line: string): string | undefined {
  const text = line.trim();
  return launcher.signs.some((sign) => sign.test(text)) ? `${launcher.name}: ${text}` : undefined;
}

interface KnownLauncher extends Launcher {
  /** First words of the command line. */
  readonly commands: readonly (readonly string[])[];
}

const npmSigns = [
  /not found and will be installed/i,
  /^npm (?:http|verb|info|warn deprecated)/i,
  /^(?:reify|idealTree)/i,
];
const uvSigns = [
  /^(?:Downloading|Downloaded|Installing|Installed|Preparing|Prepared|Resolved|Building|Built|Updating)\b/,
];

/** Lines that nobody prints but one who installs. */
const plainSigns = [
  /not found and will be installed: /i,
  /^npm (?:http fetch|warn deprecated) /i,
  /^Downloading \S+ \([^)]*\)/,
  /^Unable to find image '.*' locally/,
  /: Pulling fs layer$/,
];

const launchers: readonly KnownLauncher[] = [
  { name: 'npx', startsChild: true, signs: npmSigns, commands: [['npx'], ['npm', 'exec'], ['npm', 'x']] },
  {
    name: 'pnpm',
    startsChild: true,
    signs: [/^Progress: /, /^Packages: \+/, /^Downloading /i],
    commands: [['pnpx'], ['pnpm', 'dlx']],
  },
  { name: 'yarn', startsChild: true, signs: [/(?:Resolution|Fetch|Link) step/i], commands: [['yarn', 'dlx']] },
  {
    name: 'bun',
    startsChild: false,
    signs: [/^Resolving dependencies/, /^Resolved, downloaded and extracted/, /^Saved lockfile/],
    commands: [['bunx'], ['bun', 'x']],
  },
  { name: 'uv', startsChild: true, signs: uvSigns, commands: [['uvx'], ['uv', 'tool', 'run'], ['uv', 'run']] },
  {
    name: 'pipx',
    startsChild: false,
    signs: [/^(?:Collecting|Downloading|Installing|creating virtual environment|installed package)/i],
    commands: [['pipx', 'run']],
  },
  {
    name: 'docker',
    startsChild: false,
    signs: [
      /^Unable to find image '.*' locally/,
      /: (?:Pulling|Waiting|Downloading|Verifying|Download complete|Extracting|Pull complete|Already exists)/,
      /^(?:Trying to pull|Getting image|Copying blob|Digest: |Status: Downloaded)/,
    ],
    commands: [
      ['docker', 'run'],
      ['podman', 'run'],
      ['nerdctl', 'run'],
    ],
  },
  { name: 'deno', startsChild: false, signs: [/^Download(?:ing)? /], commands: [['deno', 'run']] },
  { name: 'go', startsChild: true, signs: [/^go: downloading /], commands: [['go', 'run']] },
  {
    name: 'cargo',
    startsChild: false,
    signs: [/^(?:Updating|Downloading|Downloaded|Compiling|Installing) /],
    commands: [['cargo', 'run']],
  },
  { name: 'dnx', startsChild: true, signs: [/^(?:Downloading|Installing|Restored) /i], commands: [['dnx']] },
];
