import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Host, UsageError } from './host.ts';
import { line } from './output/words.ts';

export interface CommandOptions {
  readonly positionals: readonly string[];
  /** Absolute path. */
  readonly configFile: string;
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
  const file = single('config-file', values['config-file']);
  const workspace = single('workspace', values.workspace);
  if (file === undefined || file === '')
    throw new UsageError('--config-file FILE is missing; your own file is ~/.mcp-roundhouse/mcp.json.');
  const configFile = absolute(file, host);
  const named = workspace === undefined ? undefined : absolute(workspace, host);
  if (named !== undefined && !isFolder(named)) throw new UsageError(`--workspace is not a folder: ${line(named)}`);
  return {
    positionals,
    configFile,
    json: values.json,
    allowRemote: values['allow-remote'],
    port: portOf(single('port', values.port)),
    insecureNoToken: values['insecure-no-token'],
    workspace: named ?? workspaceOf(configFile, host),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
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
