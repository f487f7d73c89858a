// The real steps of a diagnosis: a connection of its own beside the manager's, through the same parts. The trust
// decision comes with `resolve`, which whoever asks for the diagnosis brings; nothing runs when it refuses.
import { stat } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { checkServerUrl } from '../../contract/urlRule.ts';
import type { ConfiguredServer } from '../config/model.ts';
import type { LiveClient, ServerRequestHandlers } from '../connection/liveClient.ts';
import { permittedHandlers } from '../connection/permittedHandlers.ts';
import { VerdictCache } from '../connection/verdictCache.ts';
import type { DiagnosisSteps, StepOptions } from '../diagnostics/diagnose.ts';
import type { ListReport } from '../diagnostics/diagnosis.ts';
import { discover } from '../discovery/discover.ts';
import type { OfferKind } from '../discovery/snapshot.ts';
import { type ErrorData, ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Log } from '../ports.ts';
import { childEnvironment } from '../transport/environment.ts';
import { commandFailure } from '../transport/commandFailure.ts';
import { findCommand } from '../transport/findCommand.ts';
import type { ChildOwner } from '../transport/childOwner.ts';
import type { InheritedEnvironment } from '../transport/inheritedEnvironment.ts';
import type { Launch, RemoteLaunch, StdioLaunch } from '../transport/launch.ts';
import { launchRedactor, redactFailure } from '../transport/launchRedactor.ts';

export interface DiagnosisParts {
  readonly clock: Clock;
  /** Takes the trust decision, then resolves; fails with a ManagerError, `blocked…` among them. */
  readonly resolve: (server: ConfiguredServer, signal: AbortSignal) => Promise<Launch>;
  readonly environment: () => Promise<InheritedEnvironment>;
  readonly handlers: ServerRequestHandlers;
  readonly log: Log;
  readonly owner?: () => Promise<ChildOwner>;
  readonly platform?: NodeJS.Platform;
}

export function diagnosisSteps(server: ConfiguredServer, parts: DiagnosisParts): DiagnosisSteps {
  const { platform = process.platform } = parts;
  let noiseCount = 0;
  return {
    resolve: ({ signal }) => parts.resolve(server, signal),
    find: async (launch) =>
      launch.kind === 'remote' ? checkUrl(launch) : findTarget(launch, await parts.environment(), platform),
    connect: async (launch, { signal, alive }) => {
      const { openClient } = await import('../connection/openClient.ts');
      signal.throwIfAborted();
      return openClient(launch, {
        signal,
        clock: parts.clock,
        handlers: permittedHandlers(server.definition, parts.handlers),
        verdicts: new VerdictCache(parts.clock),
        environment: await parts.environment(),
        owner: await parts.owner?.(),
        log: parts.log,
        onStderr: alive,
        onNoise: (count) => {
          noiseCount = count;
          alive();
        },
        onInstalling: alive,
        confirm: async () => {
          const { fingerprint } = await parts.resolve(server, signal);
          if (fingerprint !== launch.fingerprint) throw new ManagerError('blockedApproval', { server: server.id });
        },
      });
    },
    list: (client, kind, options) => list(server, client, kind, options),
    noiseCount: () => noiseCount,
  };
}

/** The program and its folder, looked for as at a start; a secret that they are made of is not shown. */
async function findTarget(
  launch: StdioLaunch,
  inherited: InheritedEnvironment,
  platform: NodeJS.Platform,
): Promise<ErrorData> {
  const redactor = launchRedactor(launch);
  try {
    const { executable, cwd } = await findProgram(launch, inherited, platform);
    return { executable: redactor.text(executable), cwd: redactor.text(cwd) };
  } catch (error) {
    throw error instanceof ManagerError ? redactFailure(error, redactor) : error;
  }
}

async function findProgram(
  { id: server, command: written, executable, cwd, env: own }: StdioLaunch,
  inherited: InheritedEnvironment,
  platform: NodeJS.Platform,
): Promise<{ readonly executable: string; readonly cwd: string }> {
  const command = executable ?? written;
  const folder = await stat(cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) throw new ManagerError('workingDirectoryMissing', { server, cwd });
  const env = childEnvironment({ inherited, own, mark: undefined, platform });
  const found = await findCommand(command, { env, cwd, platform });
  if (found.kind !== 'found') throw commandFailure(found, { server, command });
  return { executable: found.path, cwd };
}

/** Shows the origin only: path and query may hold secrets. */
function checkUrl({ id: server, url }: RemoteLaunch): ErrorData {
  const origin = URL.canParse(url) ? new URL(url).origin : '?';
  const detail = checkServerUrl(url);
  if (detail !== undefined) throw new ManagerError('urlForbidden', { server, url: origin, detail });
  return { origin };
}

async function list(
  { id }: ConfiguredServer,
  client: LiveClient,
  kind: OfferKind,
  { signal }: StepOptions,
): Promise<ListReport> {
  const outcome = (await discover(client, { signal, kinds: [kind] }))[kind];
  if (outcome === undefined) throw new ManagerError('internal', { detail: `${kind} was not listed` });
  if (outcome.kind === 'failed') {
    const { error } = outcome;
    const { code, data, stderr } = error;
    throw new ManagerError(code, { server: id, ...data }, { cause: error, outcome: error.outcome, stderr });
  }
  const { items, issues, issueCount, incomplete } = outcome;
  return {
    count: items.length,
    issues: issues.slice(0, limits.diagnosis.issues),
    issueCount,
    ...(incomplete === undefined ? {} : { incomplete }),
  };
}
