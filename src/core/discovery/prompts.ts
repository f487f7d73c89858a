// Prompts (DISC-7): what they take, and getting one. What the server would refuse anyway is refused before the wire.
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { ManagerError } from '../errors.ts';
import { ask, objectsIn, type OfferSource } from './offerSource.ts';
import type { OfferedItem } from './snapshot.ts';

export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

export function promptArguments(prompt: OfferedItem): readonly PromptArgument[] {
  const list: unknown = prompt.raw['arguments'];
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap(({ name, description, required }) => {
    if (typeof name !== 'string') return [];
    const told = typeof description === 'string' ? { description } : {};
    return [{ name, ...told, required: required === true }];
  });
}

/** The raw result. Fails with unknownPrompt, or with argumentsInvalid where a required argument is missing. */
export async function getPrompt(
  source: OfferSource,
  name: string,
  args: Readonly<Record<string, string>>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<JsonObject> {
  const server = source.id;
  const prompt = source.snapshot.prompts.find((candidate) => candidate.name === name);
  if (prompt === undefined) throw new ManagerError('unknownPrompt', { server, prompt: name });
  const fault = argumentFault(promptArguments(prompt), args);
  if (fault !== undefined) throw new ManagerError('argumentsInvalid', { server, tool: name, detail: fault });
  const result = await ask(source, 'prompts/get', { name, arguments: args }, options);
  objectsIn(source, 'prompts/get', result, 'messages');
  return result;
}

/** What is wrong with the arguments of a prompt; undefined where nothing is. */
export function argumentFault(
  wanted: readonly PromptArgument[],
  args: Readonly<Record<string, unknown>>,
): string | undefined {
  // An empty string is a value like any other.
  const missing = wanted.filter(({ name, required }) => required && !Object.hasOwn(args, name));
  if (missing.length > 0) return `missing: ${missing.map(({ name }) => name).join(', ')}`;
  const other = Object.keys(args).find((key) => typeof args[key] !== 'string');
  return other === undefined ? undefined : `${other} is not text`;
}
