// Which times bound a request, and what it is called when they ran out (CONN-6).
import type { JsonObject } from '../../contract/json.ts';
import type { ServerId, TimeoutOverrides } from '../../contract/serverConfig.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { RequestOptions } from './liveClient.ts';
import type { DeadlineTimes } from './requestDeadline.ts';

export function deadlineTimes(kind: RequestOptions['kind'], timeouts: TimeoutOverrides): DeadlineTimes {
  const idle = timeouts[kind] ?? limits.timeouts[kind];
  return kind === 'call' ? { idle, atMost: limits.timeouts.callAtMost } : { idle };
}

export function timeoutError(
  server: ServerId,
  kind: RequestOptions['kind'],
  method: string,
  params: JsonObject | undefined,
  ms: number,
): ManagerError {
  const seconds = ms / 1000;
  const name = params?.['name'];
  return kind === 'call'
    ? new ManagerError(
        'callTimeout',
        { server, tool: typeof name === 'string' ? name : method, seconds },
        { outcome: 'unknown' },
      )
    : new ManagerError('requestTimeout', { server, method, seconds }, { outcome: 'unknown' });
}
