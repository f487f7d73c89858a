// What clients are told of a server that was started again: that what it held for them is lost (KEEP-3). A legacy session
// hears it as a log line; a modern client has no place for one but the stream of a request that wants log lines, so it
// hears it with its next one. Promises: one who comes new is told of nothing that was before, and nobody twice of the same.
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import { isLoudEnough } from './logLevels.ts';
import type { ClientRequest } from './surface.ts';

/** The params of a `notifications/message`. */
export function restartNotice(server: string): JsonObject {
  const data = `Server "${server}" was started again; what it kept in memory, such as open pages or sessions, is lost.`;
  return { level: 'warning', logger: 'mcp-roundhouse', data };
}

export class RestartNotices {
  /** The last restart of each server, as numbers that rise. */
  readonly #restarts = new Map<string, number>();
  /** The last restart that a modern caller was there for. */
  readonly #callers = new Map<string, number>();
  #count = 0;

  note(server: string): void {
    this.#restarts.set(server, (this.#count += 1));
  }

  /** At the end of each request: a server may have been started again for that very one. */
  tell(request: ClientRequest): void {
    const { era, caller, logLevel } = request.client;
    if (era !== 'modern') return;
    const who = caller.session ?? caller.name;
    const last = this.#callers.get(who) ?? this.#count;
    // Whoever was away longest is forgotten first.
    this.#callers.delete(who);
    this.#callers.set(who, this.#count);
    for (const [oldest] of this.#callers) {
      if (this.#callers.size <= limits.gateway.sessions) break;
      this.#callers.delete(oldest);
    }
    if (last === this.#count || logLevel === undefined || !isLoudEnough('warning', logLevel)) return;
    for (const [server, at] of this.#restarts)
      if (at > last) request.tell('notifications/message', restartNotice(server));
  }
}
