import { complete, type CompletionRef } from '../../core/discovery/completion.ts';
import type { LiveServer } from '../../core/manager/view.ts';
import { sourceOf } from './liveSource.ts';

interface Suggesting {
  suggest?: (typed: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** What a question for one argument needs to offer the server's suggestions; nothing where it gives none (DISC-7). */
export function completionOf(
  live: LiveServer,
  reference: CompletionRef,
  name: string,
  known: Readonly<Record<string, string>>,
): Suggesting {
  if (live.client.capabilities['completions'] === undefined) return {};
  return {
    suggest: async (typed, signal) => {
      const options = { signal, context: { ...known } };
      return (await complete(sourceOf(live), reference, { name, value: typed }, options)).values;
    },
  };
}
