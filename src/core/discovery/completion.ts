// Suggestions for an argument of a prompt or a resource template (DISC-7, `completion/complete`): bounded, and none
// where the server offers none.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { limits } from '../limits.ts';
import { ask, type OfferSource } from './offerSource.ts';

export type CompletionRef =
  { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'resource'; readonly uriTemplate: string };

export interface CompletionOptions {
  readonly signal?: AbortSignal;
  /** Arguments that are known already. */
  readonly context?: Readonly<Record<string, string>>;
}

export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore: boolean;
}

export async function complete(
  source: OfferSource,
  ref: CompletionRef,
  argument: { readonly name: string; readonly value: string },
  options: CompletionOptions = {},
): Promise<Completion> {
  if (!isJsonObject(source.client.capabilities['completions'])) return { values: [], hasMore: false };
  const params: JsonObject = {
    ref:
      ref.kind === 'prompt' ? { type: 'ref/prompt', name: ref.name } : { type: 'ref/resource', uri: ref.uriTemplate },
    argument: { name: argument.name, value: argument.value },
    ...(options.context && { context: { arguments: options.context } }),
  };
  const { completion } = await ask(source, 'completion/complete', params, options);
  if (!isJsonObject(completion) || !Array.isArray(completion['values'])) return { values: [], hasMore: false };
  const { values: most, value: longest } = limits.completion;
  const usable = (completion['values'] as readonly unknown[]).filter(
    (value): value is string => typeof value === 'string' && value.length <= longest,
  );
  const { total, hasMore } = completion;
  return {
    values: usable.slice(0, most),
    ...(typeof total === 'number' && { total }),
    hasMore: hasMore === true || usable.length > most,
  };
}
