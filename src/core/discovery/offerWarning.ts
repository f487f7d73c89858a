// Trouble with what a server offers while its connection lives (DISC-4, DISC-5): a diagnostic, never a disconnect.
import type { Problem } from '../connection/state.ts';
import type { OfferKind } from './snapshot.ts';

export interface OfferWarning {
  /** The list that could not be read, or the subscription to changes. */
  readonly about: OfferKind | 'subscription';
  readonly what:
    | 'listFailed' // the last good list stays
    | 'listNotImplemented' // advertised, but the server does not know the request
    | 'subscriptionMissing' // no acknowledgement came
    | 'subscriptionRejected'
    | 'subscriptionNotHonoured' // acknowledged for less than was asked
    | 'subscriptionClosed';
  readonly detail: string;
}

/** The same as a problem, for views: contract/sentences.ts has the words. */
export function warningProblem(server: string, { about, what, detail }: OfferWarning): Problem {
  return { code: what, data: { server, kind: about, detail } };
}
