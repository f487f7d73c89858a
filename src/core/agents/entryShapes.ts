// The entry that connects a client to us, in the client's own form, and what an entry of one starts, to tell ours by. Pure;
// nothing of a hostile entry throws. What an entry says besides is read where it is taken over (found/convertEntry.ts).
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import type { EntryShape } from './clients.ts';

export interface EntryLaunch {
  readonly command: string;
  readonly args: readonly string[];
}

/** The entry that makes a client start `entry` and talk to it over stdio, in the client's own form. */
export function writeEntry(shape: EntryShape, { command, args }: EntryLaunch): JsonObject {
  switch (shape) {
    case 'opencode':
      return { type: 'local', command: [command, ...args] };
    case 'zed':
      return { source: 'custom', command, args: [...args] };
    case 'claude':
    case 'vscode':
      return { type: 'stdio', command, args: [...args] };
    case 'copilot':
      return { type: 'local', command, args: [...args], tools: ['*'] };
    case 'cline':
    case 'roo':
    case 'desktop':
    case 'cursor':
    case 'windsurf':
    case 'codex':
    case 'gemini':
    case 'continue':
      return { command, args: [...args] };
  }
}

/** The program that an entry is to start, switched on or off; undefined where it names none. */
export function launchOf(shape: EntryShape, raw: JsonObject): EntryLaunch | undefined {
  const { command, args } = raw;
  if (shape !== 'opencode') return typeof command === 'string' ? { command, args: textsOf(args) } : undefined;
  const [first, ...others] = textsOf(command);
  return first === undefined ? undefined : { command: first, args: others };
}

/** Empty where it is no list of text. */
function textsOf(value: JsonValue | undefined): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const texts = list.filter((item): item is string => typeof item === 'string');
  return texts.length === list.length ? texts : [];
}
