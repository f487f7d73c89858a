import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Host, UsageError } from './host.ts';
import { line } from './output/shownText.ts';

export interface CommandOptions {
  readonly positionals: readonly string[];
  /** Absolute path. */
  readonly configFile: string;
  /** What stands for the file's text where it was given as such; `configFile` is only its name in messages then. */
  readonly configText?: string;
  readonly json: boolean;
  readonly allowRemote: boolean;
  /** 0: the system chooses. */
  readonly port: number;
  readonly insecureNoToken: boolean;
  /** Clients of ours answer what servers ask. */
  readonly relayed?: boolean;
  /** Absolute path: what `${workspaceFolder}` stands for. */
  readonly workspace: string;
}

/**
 * Reads the arguments of a command; `help` when only its help is wanted. Throws UsageError. The working directory is
 * asked for only where a path starts from it: it may be gone.
 */
export function parseOptions(
  argv: readonly string[],
  host: Pick<Host, 'cwd'>,
  isFolder: (folder: string) => boolean = isFolderOnDisk,
): CommandOptions | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  if (values.config !== undefined)
    throw new UsageError('--config is for proxy alone; name a file: --config-file FILE.');
  return optionsOf(values, positionals, { host, isFolder });
}

export type ProxyOptions =
  | { readonly kind: 'attached'; readonly workspace: string }
  | { readonly kind: 'standAlone'; readonly options: CommandOptions };

/** The same for `proxy`, which is attached to a window where it is given no configuration. */
export function parseProxyOptions(
  argv: readonly string[],
  host: Pick<Host, 'cwd'>,
  isFolder: (folder: string) => boolean = isFolderOnDisk,
): ProxyOptions | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  if (positionals.length > 0) throw new UsageError('proxy takes no arguments.');
  const others = ['json', 'insecure-no-token', 'port'] as const;
  const other = others.find((name) => values[name] !== undefined && values[name] !== false);
  if (other !== undefined) {
    throw new UsageError(`--${other} is for other commands.`);
  }
  const configText = single('config', values.config);
  if (configText !== undefined || values['config-file'] !== undefined) {
    return { kind: 'standAlone', options: optionsOf(values, positionals, { host, isFolder, configText }) };
  }
  if (values['allow-remote']) throw new UsageError('--allow-remote needs --config-file FILE or --config JSON.');
  return { kind: 'attached', workspace: namedWorkspace(values, { host, isFolder }) ?? host.cwd };
}

interface Surroundings {
  readonly host: Pick<Host, 'cwd'>;
  readonly isFolder: (folder: string) => boolean;
  readonly configText?: string | undefined;
}

type Values = ReturnType<typeof parse>['values'];

function optionsOf(values: Values, positionals: readonly string[], around: Surroundings): CommandOptions {
  const { host, configText } = around;
  const file = single('config-file', values['config-file']);
  if (file !== undefined && configText !== undefined)
    throw new UsageError('--config and --config-file are given both.');
  if (configText === undefined && (file === undefined || file === ''))
    throw new UsageError('--config-file FILE is missing; your own file is ~/.mcp-roundhouse/mcp.json.');
  const configFile = file === undefined ? '--config' : absolute(file, host);
  return {
    positionals,
    configFile,
    ...(configText !== undefined && { configText }),
    json: values.json,
    allowRemote: values['allow-remote'],
    port: portOf(single('port', values.port)),
    insecureNoToken: values['insecure-no-token'],
    workspace: namedWorkspace(values, around) ?? workspaceOf(configFile, host),
  };
}

function namedWorkspace(values: Values, { host, isFolder }: Surroundings): string | undefined {
  const workspace = single('workspace', values.workspace);
  const named = workspace === undefined ? undefined : absolute(workspace, host);
  if (named !== undefined && !isFolder(named)) throw new UsageError(`--workspace is not a folder: ${line(named)}`);
  return named;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        config: { type: 'string', multiple: true },
        'config-file': { type: 'string', multiple: true },
        workspace: { type: 'string', multiple: true },
        port: { type: 'string', multiple: true },
        'insecure-no-token': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        'allow-remote': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(wrongOption(error));
  }
}

/** Of two, neither can be the one that was meant. */
function single(name: string, values: readonly string[] | undefined): string | undefined {
  if (values !== undefined && values.length > 1) throw new UsageError(`--${name} is given more than once.`);
  return values?.[0];
}

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError('--port is no port number.');
  return Number(text);
}

/** The parser's own words speak of its workings; the option is all that is taken from them. */
function wrongOption(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const name = /'(-[^' ]{0,60})/.exec(message)?.[1] ?? 'an option';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `there is no option ${name}.`;
  return message.includes('does not take') ? `${name} takes no value.` : `${name} needs a value.`;
}

/** A project file stands in its workspace's `.roundhouse`. */
function workspaceOf(configFile: string, host: Pick<Host, 'cwd'>): string {
  const folder = path.dirname(configFile);
  return path.basename(folder) === '.roundhouse' ? path.dirname(folder) : host.cwd;
}

function absolute(file: string, host: Pick<Host, 'cwd'>): string {
  return path.isAbsolute(file) ? path.resolve(file) : path.resolve(host.cwd, file);
}

function isFolderOnDisk(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
