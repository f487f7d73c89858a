// Ties what a connection offers to the manager: snapshots as they are published, troubles as problems with words.
import type { Clock } from '../../base/clock.ts';
import { warningProblem } from '../discovery/offerWarning.ts';
import { OfferWatch } from '../subscriptions/offerWatch.ts';
import type { Follow } from './managedServer.ts';

export function followOffers(clock: Clock): Follow {
  return (server, { client, generation }, firstRevision, events) => {
    const watch = new OfferWatch({ client, generation, clock, firstRevision, isCurrent: () => events.isCurrent() });
    watch.onDidPublish((snapshot) => events.publish(snapshot));
    watch.onDidChangeWarnings((warnings) => events.warn(warnings.map((warning) => warningProblem(server.id, warning))));
    watch.start().catch((error: unknown) => events.fail(error));
    return {
      resources: watch.resources,
      refresh: ({ signal }) => watch.refresh(signal === undefined ? {} : { signal }),
      dispose: () => watch.dispose(),
    };
  };
}
