// The files beside a definition that decide what a launcher runs: `npx -y server` under an `.npmrc` with `node-options`
// loads other code than without it. The one list of known launchers and of what each reads in its working folder and in
// those above. What a program itself loads from there is its own business: that is what trust in a folder means.
import { createHash } from 'node:crypto';
import { dirname, join, posix } from 'node:path';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { limits } from '../limits.ts';
import type { LaunchFiles } from './launchContext.ts';

export interface LauncherFile {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 in hexadecimal digits: of its content, or of the parts of a package.json that decide. */
  readonly hash: string;
}

export interface LauncherSearch {
  /** The command in every form that is known: as written, as found, without links. */
  readonly commands: readonly string[];
  readonly args: readonly string[];
  /** Absolute, without links. */
  readonly cwd: string;
  /** Files there are the person's own, and so are those above it. */
  readonly home: string;
  /** The folder that is open; files in it are its own, even where it is the home directory. */
  readonly workspaceFolder: string | undefined;
  readonly files: LaunchFiles;
}

/** In the order of their folders, from `cwd` up. Fails with a RangeError that names what is too large to be bound. */
export async function launcherFiles(search: LauncherSearch): Promise<readonly LauncherFile[]> {
  const { commands, args, files } = search;
  const launched = launchersIn(commands, args);
  if (launched.length === 0) return [];
  const names = [...new Set([...everyLauncher, ...launched.flatMap((name) => launchers[name] ?? [])])];
  const packages = names.includes('package.json') ? packagesIn(args) : [];
  const fetches = launched.every((name) => fetchers.has(name)) || args.some((arg) => fetching.has(arg));
  const places = foldersOf(search).flatMap((folder) => [
    ...names.map((name) => ({ path: join(folder, name), inPart: fetches && name === 'package.json' })),
    ...packages.map((name) => ({ path: join(folder, 'node_modules', name), inPart: false })),
  ]);
  const found = await Promise.all(
    places.map(async ({ path, inPart }): Promise<readonly LauncherFile[]> => {
      const bytes = await contentOf(path, files);
      const content = bytes !== undefined && inPart ? decidingParts(bytes) : bytes;
      return content === undefined ? [] : [{ path, hash: createHash('sha256').update(content).digest('hex') }];
    }),
  );
  return found.flat();
}

const javascript = ['package.json', '.npmrc'];
const compose = ['compose', 'docker-compose'].flatMap((name) =>
  ['', '.override'].flatMap((kind) => [`${name}${kind}.yaml`, `${name}${kind}.yml`]),
);
const bun = [
  ...[...javascript, 'bunfig.toml', 'tsconfig.json', '.env', '.env.local'],
  ...['production', 'development', 'test'].flatMap((mode) => [`.env.${mode}`, `.env.${mode}.local`]),
];
const pnpm = [...javascript, 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpmfile.js'];
const yarn = [...javascript, '.yarnrc', '.yarnrc.yml', '.env.yarn', '.pnp.cjs', '.pnp.loader.mjs'];
const deno = [...javascript, 'deno.json', 'deno.jsonc'];
const python = ['pyproject.toml', '.python-version', '.python-versions'];
const dotnet = ['nuget.config', 'NuGet.config', 'NuGet.Config', 'global.json', '.config/dotnet-tools.json'];

/** By the name of the program. `uvx` and `pipx run` leave the files of a folder alone. */
const launchers: Readonly<Record<string, readonly string[]>> = {
  ...{ npm: javascript, npx: javascript, pnpm, pnpx: pnpm, yarn, yarnpkg: yarn, corepack: [...yarn, ...pnpm] },
  ...{ bun, bunx: bun, deno, dx: deno },
  ...{
    uv: [...python, 'uv.toml'],
    uvx: [],
    pipx: [],
    poetry: [...python, 'poetry.toml'],
    pdm: [...python, 'pdm.toml'],
  },
  ...{ hatch: [...python, 'hatch.toml'], pixi: [...python, 'pixi.toml'], pipenv: ['Pipfile', '.env'] },
  ...{ dotnet, dnx: dotnet, 'docker-compose': [...compose, '.env'] },
};

/** Programs that choose among versions read these, whatever they are called by. */
const everyLauncher = ['.tool-versions', 'mise.toml', '.mise.toml'];

/** These run a package; the others may also run what a package.json says. */
const fetchers: ReadonlySet<string> = new Set(['npx', 'pnpx', 'bunx', 'dx']);
const fetching: ReadonlySet<string> = new Set(['exec', 'x', 'dlx']);

/** Also those that a shell, `env` or `cmd /c` is told to start. */
function launchersIn(commands: readonly string[], args: readonly string[]): readonly string[] {
  const words = [...commands, ...args.flatMap(wordsOf)];
  const names = words.map((word) =>
    (word.split(/[\\/]/).at(-1) ?? '')
      .replace(/\.(?:cmd|exe|bat|ps1|[cm]?js)$/i, '')
      .replace(/-cli$/, '')
      .toLowerCase(),
  );
  const composes = names.includes('docker') || names.includes('podman') ? names.includes('compose') : false;
  const known = names.filter((name) => Object.hasOwn(launchers, name));
  return [...new Set(composes ? [...known, 'docker-compose'] : known)];
}

/** Of an argument that may be a command line of its own. */
function wordsOf(arg: string): readonly string[] {
  return arg.split(/[\s;&|()"'`$=]+/);
}

/** Launchers look upwards without end; above the person's home nothing is theirs or the project's to change. */
function foldersOf({ cwd, home, workspaceFolder }: LauncherSearch): readonly string[] {
  const folders: string[] = [];
  for (let folder = cwd; folder !== dirname(folder); folder = dirname(folder)) {
    if (folder === home && folder !== workspaceFolder) break;
    if (folders.length === limits.launcherFiles.folders) {
      throw new RangeError(`its working folder lies more than ${folders.length} folders deep`);
    }
    folders.push(folder);
    if (folder === home) break;
  }
  return folders;
}

/** What `npx` would take first, before it looks at a registry: paths below node_modules. */
function packagesIn(args: readonly string[]): readonly string[] {
  const words = args.flatMap(wordsOf).filter((word) => word !== '' && !word.startsWith('-'));
  return words.slice(0, limits.launcherFiles.words).flatMap((word) => {
    const [, name] = /^((?:@[\w.-]+\/)?(?!\.{1,2}(?:@|$))[\w.-]+)(?:@[^/\\]*)?$/.exec(word) ?? [];
    if (name === undefined) return [];
    const command = posix.basename(name);
    return [join('.bin', command), join('.bin', `${command}.cmd`), join(name, 'package.json')];
  });
}

/** Undefined where there is no such file. A folder or a pipe of that name is none: a launcher reads nothing there. */
async function contentOf(path: string, files: LaunchFiles): Promise<Uint8Array | undefined> {
  try {
    return await files.readFile(path, limits.launcherFiles.bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) return undefined;
    throw new RangeError(`${path} decides what runs, and ${error.message}`, { cause: error });
  }
}

/** Dependencies and words of a package.json change daily and decide nothing here. */
function decidingParts(bytes: Uint8Array): string | Uint8Array | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return bytes;
  }
  if (typeof parsed !== 'object' || parsed === null) return bytes;
  const parts = Object.entries(parsed).filter(([name]) => deciding.has(name));
  return parts.length === 0 ? undefined : canonicalJson(Object.fromEntries(parts));
}

const deciding: ReadonlySet<string> = new Set([
  ...['bin', 'directories', 'workspaces', 'packageManager', 'devEngines', 'volta', 'pnpm', 'config'],
]);
