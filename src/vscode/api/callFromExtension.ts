// A call by another extension, the one way of all calls. What it fails with has words without a launch or a file in them, and nothing else.
import type { JsonObject } from '../../contract/json.ts';
import type { ApiProgress, ApiToolResult } from '../../contract/publicApi.ts';
import type { Problem } from '../../core/connection/state.ts';
import { ManagerError } from '../../core/errors.ts';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import type { CallOptions, ToolCall, ToolResult } from '../../core/tools/callTypes.ts';
import { boundForModel } from '../../core/tools/modelOutput.ts';
import { toolFailure } from '../../core/tools/toolFailure.ts';
import type { ProblemText } from '../problemText.ts';
import { abortedBy } from './abortedBy.ts';
import { RoundhouseError } from './roundhouseError.ts';
import { bindingOf } from './seen.ts';
import type { TakenCall } from './takenCall.ts';

export interface CallFromExtensionDeps {
  readonly manager: Pick<ServerManager, 'keyOf'>;
  readonly callTool: (call: ToolCall, options: CallOptions) => Promise<ToolResult>;
  readonly isInstalled: (id: string) => boolean;
  readonly words: (problem: Problem) => ProblemText;
}

/** Fails with RoundhouseError alone. */
export async function callFromExtension(
  deps: CallFromExtensionDeps,
  call: TakenCall,
  options: unknown,
): Promise<ApiToolResult> {
  try {
    return await run(deps, call, fieldsOf(options));
  } catch (error) {
    throw new RoundhouseError(error, deps.words);
  }
}

async function run(deps: CallFromExtensionDeps, call: TakenCall, options: Fields): Promise<ApiToolResult> {
  const { manager, isInstalled } = deps;
  const { caller, server: id, tool, args, seen } = call;
  if (!isInstalled(caller)) throw new ManagerError('argumentsInvalid', { server: id, tool, of: 'caller', caller });
  const server = manager.keyOf(id);
  if (server === undefined) throw new ManagerError('unknownServer', { server: id });
  if (args === undefined) throw new ManagerError('argumentsInvalid', { server: id, tool, of: 'shape' });
  const cancel = abortedBy(options['signal']);
  const onProgress = options['onProgress'];
  const view = options['view'];
  try {
    const result = await deps.callTool(
      {
        server,
        tool,
        args,
        // It says so itself: extensions of one host cannot be told apart by anybody.
        caller: { kind: 'api', name: caller },
        ...(seen !== undefined && { binding: bindingOf(seen) }),
      },
      {
        signal: cancel.signal,
        validate: true,
        ...(typeof onProgress === 'function' && {
          onProgress: (params) => tell(onProgress as (progress: ApiProgress) => void, params),
        }),
      },
    );
    const failure = toolFailure(id, tool, result);
    if (failure !== undefined) throw failure;
    return view === 'model' ? boundForModel(result).result : result;
  } finally {
    cancel.dispose();
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** What the listener throws is its own affair, and never ends the call. */
function tell(listener: (progress: ApiProgress) => void, { progress, total, message }: JsonObject): void {
  if (typeof progress !== 'number') return;
  try {
    listener({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
