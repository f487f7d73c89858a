// Looks at what a definition would run or reach, once, from disk: fields bound, envFile read, executable found. The
// fingerprint, the question to the person and the launch itself are all made from one such look, so they cannot differ.
// Nothing of the person is asked for here (CFG-11); the caller has decided that the server may be looked at (TRUST-1).
import { createHash } from 'node:crypto';
import { isAbsolute, resolve } from 'node:path';
import type { RemoteDefinition, StdioDefinition } from '../../contract/serverConfig.ts';
import { checkServerUrl } from '../../contract/urlRule.ts';
import type { ConfiguredServer } from '../config/model.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { systemDetail } from '../systemDetail.ts';
import { withBoundFields } from './boundFields.ts';
import { parseEnvFile } from './envFile.ts';
import { commandFinder, type LaunchContext, launchFiles } from './launchContext.ts';
import { type LauncherFile, launcherFiles } from './launcherFiles.ts';
import { loaderRefusal, projectRefusal, type Refusal, refusal } from './projectRefusal.ts';
import { type BoundField, TemplateBinder } from './template.ts';

export interface PreparedStdio {
  readonly kind: 'stdio';
  readonly server: ConfiguredServer;
  readonly definition: StdioDefinition;
  readonly command: BoundField;
  /** Without links; undefined where it was not found or is not known before approval. */
  readonly executable: string | undefined;
  /** The path by which it was found. */
  readonly calledAs: string | undefined;
  /** Whether it was looked for; not where values of the person's, which are not known yet, decide where it is. */
  readonly bound: boolean;
  readonly args: readonly BoundField[];
  readonly cwd: BoundField;
  /** Absolute and without links; undefined where a value of the person's decides it. */
  readonly realCwd: string | undefined;
  /** Variables of the envFile as they are, then those of `env`, which win. */
  readonly env: ReadonlyMap<string, BoundField | string>;
  readonly envFile:
    | {
        readonly path: BoundField;
        /** SHA-256; undefined where the path is personal. */ readonly hash: string | undefined;
      }
    | undefined;
  /** What a launcher reads in its working folder and decides by. */
  readonly launcherFiles: readonly LauncherFile[];
  /** The folder that relative paths start from. */
  readonly base: string;
  /** Values that stay out of logs; grows as fields are given their values. */
  readonly secrets: ReadonlySet<string>;
  /** Those of them that the person keeps as secrets. */
  readonly kept: ReadonlySet<string>;
}

export interface PreparedRemote {
  readonly kind: 'remote';
  readonly server: ConfiguredServer;
  readonly definition: RemoteDefinition;
  readonly url: BoundField;
  /** Those of the file, and those that the person keeps for this URL. */
  readonly headers: ReadonlyMap<string, BoundField>;
  /** The one that the person keeps for this URL; absent where none is. */
  readonly clientSecret?: BoundField;
  readonly secrets: ReadonlySet<string>;
  /** Those of them that the person keeps as secrets. */
  readonly kept: ReadonlySet<string>;
}

export type PreparedLaunch = PreparedStdio | PreparedRemote;

/**
 * Fails with ManagerError: blockedPolicy (TRUST-2, TRUST-5, TRUST-6), blockedTrust (TRUST-1), variableUnknown,
 * variableUnset, envFileUnreadable, urlForbidden.
 */
export async function prepareLaunch(server: ConfiguredServer, context: LaunchContext): Promise<PreparedLaunch> {
  refuse(projectRefusal(server, context.platform));
  const binder = new TemplateBinder(server, context);
  const { definition } = server;
  if (definition.kind === 'remote') return prepareRemote(server, definition, binder, context);
  return await prepareStdio(server, definition, binder, context);
}

/** Reads and parses an envFile; its content never reaches an error, and its path only as it is written. */
export async function readEnvFile(
  server: ConfiguredServer,
  { path, shown }: { readonly path: string; readonly shown: string },
  context: LaunchContext,
): Promise<{ readonly variables: Readonly<Record<string, string>>; readonly hash: string }> {
  const { files = launchFiles, platform = process.platform } = context;
  const unreadable = (detail: string, fault?: 'line' | 'size' | 'encoding', cause?: unknown): ManagerError =>
    new ManagerError(
      'envFileUnreadable',
      { server: server.id, path: shown, detail, ...(fault && { fault }) },
      { cause },
    );
  let bytes: Uint8Array;
  try {
    bytes = await files.readFile(path, limits.config.envFileBytes);
  } catch (error) {
    throw unreadable(wordsOf(error), error instanceof RangeError ? 'size' : undefined, error);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8 text', 'encoding');
  }
  const parsed = parseEnvFile(text);
  if (!parsed.ok) throw unreadable(`line ${parsed.line} is not NAME=value`, 'line');
  if (server.scope.kind === 'project') {
    refuse(loaderRefusal(server, parsed.variables, 'envFile', platform));
  }
  return { variables: parsed.variables, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** `shown` is the whole path, or the field as written where a part of it may be secret. */
export function placeOf(
  base: string,
  field: BoundField,
  value: string,
): { readonly path: string; readonly shown: string } {
  const path = absolute(base, value);
  return { path, shown: field.shown === value ? path : field.shown };
}

async function prepareStdio(
  server: ConfiguredServer,
  definition: StdioDefinition,
  binder: TemplateBinder,
  context: LaunchContext,
): Promise<PreparedStdio> {
  const base = binder.workspaceFolder ?? context.home;
  const command = binder.bind('command', definition.command);
  const args = definition.args.map((arg, index) => binder.bind(`args.${index}`, arg));
  const cwd = binder.bind('cwd', definition.cwd ?? defaultCwd(server, definition, binder, context));
  refuse(guessRefusal(server, command, cwd));
  const own = Object.entries(definition.env).map(([name, value]) => [name, binder.bind(`env.${name}`, value)] as const);
  const path = definition.envFile === undefined ? undefined : binder.bind('envFile', definition.envFile);
  const file =
    path?.early === undefined ? undefined : await readEnvFile(server, placeOf(base, path, path.early), context);
  const env = new Map<string, BoundField | string>([...Object.entries(file?.variables ?? {}), ...own]);
  const found = await findExecutable({ command, cwd, env, base }, context);
  return {
    kind: 'stdio',
    server,
    definition,
    command,
    ...found,
    args,
    cwd,
    realCwd: isFixed(cwd) ? await (context.files ?? launchFiles).realPath(absolute(base, cwd.shown)) : undefined,
    env,
    envFile: path === undefined ? undefined : { path, hash: file?.hash },
    launcherFiles: await launcherFilesOf(server, { command, args, cwd, base, ...found }, binder, context),
    base,
    secrets: binder.secrets,
    kept: binder.kept,
  };
}

/** A program whose place depends on a value that is not known before approval could only be guessed (TRUST-2). */
function guessRefusal(server: ConfiguredServer, command: BoundField, cwd: BoundField): Refusal | undefined {
  if (server.scope.kind !== 'project' || !isGuess(command, cwd)) return undefined;
  const detail = `its command is found relative to cwd, and ${referencesIn(cwd)} is not known before approval`;
  return refusal(server, 'cwd', detail);
}

function isGuess(command: BoundField, cwd: BoundField): boolean {
  if (!cwd.personal || command.early === undefined) return false;
  return !isAbsolute(command.early) && /[\\/:]/.test(command.early);
}

function referencesIn(field: BoundField): string {
  return field.pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.ref])).join(', ');
}

/** The workspace folder (CONN-7), or home while it is not trusted (TRUST-1); a person's server that is kept beyond windows works at home (KEEP-1). */
function defaultCwd(
  server: ConfiguredServer,
  definition: StdioDefinition,
  binder: TemplateBinder,
  { home }: LaunchContext,
): string {
  const atHome = binder.workspaceFolder === undefined || (server.scope.kind === 'user' && definition.persistent);
  return atHome ? escapeTemplate(home) : '${workspaceFolder}';
}

function escapeTemplate(text: string): string {
  return text.replaceAll('${', '$${');
}

async function findExecutable(
  { command, cwd, env, base }: Pick<PreparedStdio, 'command' | 'cwd' | 'env' | 'base'>,
  context: LaunchContext,
): Promise<Pick<PreparedStdio, 'executable' | 'calledAs' | 'bound'>> {
  const { findExecutable: find = commandFinder(), files = launchFiles } = context;
  if (command.early === undefined || isGuess(command, cwd)) {
    return { executable: undefined, calledAs: undefined, bound: false };
  }
  const known = [...env].flatMap(([name, value]): [string, string][] => {
    const early = typeof value === 'string' ? value : value.early;
    return early === undefined ? [] : [[name, early]];
  });
  const folder = absolute(base, cwd.early ?? base);
  const found = await find(command.early, { cwd: folder, env: Object.fromEntries(known) });
  return { executable: found === undefined ? undefined : await files.realPath(found), calledAs: found, bound: true };
}

/** A working folder that is not known yet is one of the person's choice. */
async function launcherFilesOf(
  server: ConfiguredServer,
  launch: Pick<PreparedStdio, 'command' | 'executable' | 'calledAs' | 'args' | 'cwd' | 'base'>,
  { workspaceFolder }: TemplateBinder,
  { home, files = launchFiles }: LaunchContext,
): Promise<readonly LauncherFile[]> {
  const { command, executable, calledAs, args, cwd, base } = launch;
  if (cwd.early === undefined) return [];
  const [folder, own, open] = await Promise.all([
    files.realPath(absolute(base, cwd.early)),
    files.realPath(home),
    workspaceFolder === undefined ? undefined : files.realPath(workspaceFolder),
  ]);
  try {
    return await launcherFiles({
      commands: [command.early ?? command.shown, calledAs, executable].filter((each) => each !== undefined),
      args: args.map((arg) => arg.early ?? arg.shown),
      ...{ cwd: folder, home: own, workspaceFolder: open, files },
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { code, data } = refusal(server, 'cwd', error.message);
    throw new ManagerError(code, data, { cause: error });
  }
}

function prepareRemote(
  server: ConfiguredServer,
  definition: RemoteDefinition,
  binder: TemplateBinder,
  context: LaunchContext,
): PreparedRemote {
  const url = binder.bind('url', definition.url);
  if (url.early !== undefined) assertUrl(server, url, url.early);
  const headers = Object.entries(definition.headers).map(
    ([name, value]) => [name, binder.bind(`headers.${name}`, value)] as const,
  );
  const fields = withBoundFields(server, url, new Map(headers), binder, context);
  return { kind: 'remote', server, definition, url, ...fields, secrets: binder.secrets, kept: binder.kept };
}

/** Judges the finished URL; the error shows it with references as written, since their values may be secret. */
export function assertUrl(server: ConfiguredServer, field: BoundField, url: string): void {
  const detail = checkServerUrl(url);
  if (detail !== undefined)
    throw new ManagerError('urlForbidden', { server: server.id, field: 'url', url: field.shown, detail });
}

/** A path of the definition; a relative one starts from the folder that its server works in by default. */
export function absolute(base: string, path: string): string {
  return isAbsolute(path) ? path : resolve(base, path);
}

/** Whether no reference is in it. */
export function isFixed(field: BoundField): boolean {
  return field.pieces.every((piece) => typeof piece === 'string');
}

function refuse(refusal: ReturnType<typeof projectRefusal>): void {
  if (refusal !== undefined) throw new ManagerError(refusal.code, refusal.data);
}

function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : systemDetail(error, { ENOENT: 'there is no such file' });
}
