// What a command goes by: the file that was named, and the person's own one for what it says of tools. A file that is named
// as a project's is one: the rules for projects hold for it (TRUST-5, TRUST-6, TRUST-9). Where the person's own file is
// refused, nobody knows their rules, and every tool asks (CFG-5).
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigScope } from '../contract/serverConfig.ts';
import { readConfigFile } from '../core/config/configDisk.ts';
import { homeFolder, userConfigFile } from '../core/config/configPaths.ts';
import type { ConfigFile, ConfigProblem, ConfigSnapshot, ConfiguredServer } from '../core/config/model.ts';
import { personRules } from '../core/config/personRules.ts';
import { readConfigText } from '../core/config/readConfigText.ts';

export type Configuration =
  | { readonly kind: 'refused'; readonly problems: readonly ConfigProblem[] }
  | {
      readonly kind: 'read';
      readonly servers: readonly ConfiguredServer[];
      readonly snapshot: ConfigSnapshot;
      /** Why the person's own rules are not known. */
      readonly unread?: ConfigProblem;
    };

/** Reads without locking or watching: a command looks once. `text`: what stands for the file's, which is not read then. */
export async function readConfiguration(file: string, userHome: string, text?: string): Promise<Configuration> {
  const named =
    text === undefined ? await read(file, scopeOf(file)) : readText(text, { file, scope: { kind: 'user' } });
  if (named.kind === 'missing') {
    const data = { file, detail: 'there is no such file' };
    return { kind: 'refused', problems: [{ file, code: 'configUnreadable', data }] };
  }
  if (named.kind === 'refused') return named;
  const own = await ownRules(file, userConfigFile(homeFolder(userHome)));
  const { servers, scope } = named.file;
  // Nothing starts by itself here: the command says what is used.
  const quiet = servers.map((server) => ({ ...server, definition: { ...server.definition, autostart: false } }));
  const main = { ...named.file, servers: quiet };
  const files =
    scope.kind === 'project'
      ? [main, own]
      : [{ ...main, ...unknownIn(own), ...personRules({ ...main, servers: [] }, own) }];
  return { kind: 'read', servers, snapshot: { files }, ...(own.problem && { unread: own.problem }) };
}

type Reading = Extract<Configuration, { kind: 'refused' }> | { kind: 'missing' } | { kind: 'file'; file: ConfigFile };

async function read(file: string, scope: ConfigScope): Promise<Reading> {
  const source = { file, scope };
  const disk = await readConfigFile(source);
  if (disk.kind === 'refused') return { kind: 'refused', problems: [disk.problem] };
  if (disk.kind === 'missing') return disk;
  return readText(disk.text, source);
}

function readText(text: string, source: Pick<ConfigFile, 'file' | 'scope'>): Reading {
  const reading = readConfigText(text, source);
  if (reading.kind === 'refused') return reading;
  const { version, servers, inputs, toolPolicies } = reading;
  return {
    kind: 'file',
    file: { ...source, exists: true, version, servers, inputs, ...(toolPolicies && { toolPolicies }) },
  };
}

/** The person's own file with its rules alone: its servers are not what was named. */
async function ownRules(named: string, file: string): Promise<ConfigFile> {
  const none: ConfigFile = {
    ...{ file, scope: { kind: 'user' }, exists: false, version: undefined },
    ...{ servers: [], inputs: [] },
  };
  if ((await whereIs(named)) === (await whereIs(file))) return none;
  const own = await read(file, { kind: 'user' });
  if (own.kind === 'file') return { ...none, exists: true, ...personRules(own.file) };
  const problem = own.kind === 'refused' ? own.problems[0] : undefined;
  return problem === undefined ? none : { ...none, exists: true, problem, rulesUnknown: true };
}

function unknownIn({ rulesUnknown }: ConfigFile): Pick<ConfigFile, 'rulesUnknown'> {
  return rulesUnknown ? { rulesUnknown } : {};
}

/** `.roundhouse/mcp.json` of a folder, however it is spelt. */
function scopeOf(file: string): ConfigScope {
  const inner = path.dirname(file);
  const isProject =
    path.basename(inner).toLowerCase() === '.roundhouse' && path.basename(file).toLowerCase() === 'mcp.json';
  const folder = path.dirname(inner);
  return isProject ? { kind: 'project', folder, name: path.basename(folder) } : { kind: 'user' };
}

async function whereIs(file: string): Promise<string> {
  return realpath(file).catch(() => path.resolve(file));
}
