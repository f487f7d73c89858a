import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Host, UsageError } from './host.ts';

export interface CommandOptions {
  readonly positionals: readonly string[];
  /** Absolute path. */
  readonly configFile: string;
  readonly json: boolean;
  readonly allowRemote: boolean;
  /** Absolute path: what `${workspaceFolder}` stands for. */
  readonly workspace: string;
}

/** Reads the arguments of a command; `help` when only its help is wanted. Throws UsageError. */
export function parseOptions(argv: readonly string[], host: Pick<Host, 'cwd'>): CommandOptions | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  if (values['config-file'] === undefined || values['config-file'] === '') {
    throw new UsageError('--config-file FILE is missing.');
  }
  const configFile = path.resolve(host.cwd, values['config-file']);
  return {
    positionals,
    configFile,
    json: values.json,
    allowRemote: values['allow-remote'],
    workspace:
      values.workspace === undefined ? workspaceOf(configFile, host.cwd) : path.resolve(host.cwd, values.workspace),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        'config-file': { type: 'string' },
        workspace: { type: 'string' },
        json: { type: 'boolean', default: false },
        'allow-remote': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'wrong arguments.');
  }
}

/** A project file stands in its workspace's `.roundhouse`. */
function workspaceOf(configFile: string, cwd: string): string {
  const folder = path.dirname(configFile);
  return path.basename(folder) === '.roundhouse' ? path.dirname(folder) : cwd;
}
