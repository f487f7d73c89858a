// All servers as one, for every kind of client (GATE-4): what their surfaces share, and the surfaces themselves, each made
// when its first client comes.
import { type Disposable } from '../base/disposable.ts';
import type { Log } from '../core/ports.ts';
import type { ToolRouter } from '../core/tools/toolRouter.ts';
import type { Endpoint } from './admission.ts';
import { AggregateEvents } from './aggregateEvents.ts';
import { AggregateRequests } from './aggregateRequests.ts';
import { AggregateResults } from './aggregateResults.ts';
import { AggregateServers, type AggregateServersDeps } from './aggregateServers.ts';
import { type AggregateParts, AggregateSurface, type AggregateView } from './aggregateSurface.ts';
import type { Surface } from './surface.ts';

export interface AggregateDeps extends AggregateServersDeps {
  readonly forward: ToolRouter['forward'];
  /** Hears of names that stand for more than one tool. */
  readonly log?: Log;
}

export class Aggregate implements Disposable {
  readonly #parts: AggregateParts;
  readonly #surfaces = new Map<string, AggregateSurface>();

  constructor(deps: AggregateDeps) {
    const { clock, forward, log } = deps;
    const servers = new AggregateServers(deps);
    const results = new AggregateResults(clock);
    const requests = new AggregateRequests({ servers, results, forward, clock });
    this.#parts = { servers, events: new AggregateEvents(servers, deps), requests, results, log };
  }

  /** What `/mcp` shows to whoever asks for it like this; the same surface each time. */
  at({ plan, short, search }: Extract<Endpoint, { kind: 'all' }>): Surface {
    const view: AggregateView = {
      mode: plan ? 'plan' : 'act',
      style: short === true ? 'short' : 'full',
      search: search === true,
    };
    const name = `${view.mode} ${view.style} ${String(view.search)}`;
    const surface = this.#surfaces.get(name) ?? new AggregateSurface(this.#parts, view);
    this.#surfaces.set(name, surface);
    return surface;
  }

  dispose(): void {
    const { servers, events, requests, results } = this.#parts;
    for (const part of [events, requests, results, servers]) part.dispose();
  }
}
