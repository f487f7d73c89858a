// Keeps the stream on which a legacy Streamable HTTP server speaks by itself (GET). The SDK opens it once, joins it
// again a few times and then gives up for good; a server that was asleep for longer would never be heard again.
// Promises: opened anew once nothing of it is left, until the server says that it has no such stream (CONN-12).
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { limits } from '../limits.ts';
import { watchedBody } from './watchedBody.ts';

export class StandaloneStream implements Disposable {
  readonly #clock: Clock;
  readonly #reopen: () => Promise<void>;
  #wanted = false;
  #open = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, reopen: () => Promise<void>) {
    this.#clock = clock;
    this.#reopen = reopen;
  }

  /** Sends a GET of the SDK's and keeps an eye on its stream. */
  async follow(get: () => Promise<Response>): Promise<Response> {
    this.#wanted = true;
    const answer = await get();
    if (noSuchStream.has(answer.status)) this.#wanted = false;
    if (!answer.ok || answer.body === null) return answer;
    this.#open += 1;
    const body = watchedBody(answer.body, () => (this.#open -= 1));
    return new Response(body, { status: answer.status, headers: answer.headers });
  }

  /** Something went wrong somewhere: if that was the stream, it is opened again after a while. */
  check(): void {
    if (!this.#wanted || this.#open > 0 || this.#timer !== undefined) return;
    this.#timer = this.#clock.after(limits.http.reopen, () => {
      this.#timer = undefined;
      if (this.#wanted && this.#open === 0) this.#reopen().catch(() => this.check());
    });
  }

  dispose(): void {
    this.#wanted = false;
    this.#timer?.dispose();
  }
}

const noSuchStream = new Set([400, 404, 405, 501]);
