// What a person sees of an input that a file defines: made safe to look at, while the answer stays what the file says.
// Pure.
import type { InputDefinition } from '../../contract/serverConfig.ts';
import { exactText } from '../../base/exactText.ts';
import { shownLine } from '../shownText.ts';

export interface InputQuestion {
  readonly prompt: string;
  /** The choices, the default one first; undefined where the answer is typed. */
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  /** Already typed: only a default that is what it looks like. */
  readonly initial: string;
  readonly password: boolean;
}

export function inputQuestion(id: string, definition: InputDefinition | undefined): InputQuestion {
  const initial = definition?.default ?? '';
  const common = {
    prompt: shownLine(definition?.description ?? id, 300),
    initial: initial !== '' && exactText(initial) === initial ? initial : '',
    password: definition?.password === true,
  };
  if (definition?.type !== 'pickString') return common;
  const values = definition.options ?? [];
  const sorted = [...values.filter((value) => value === initial), ...values.filter((value) => value !== initial)];
  return { ...common, options: sorted.map((value) => ({ label: labelOf(value), value })) };
}

/** All of it, padding made visible: the end of a choice goes into a launch as well. Icons stay text. */
function labelOf(value: string): string {
  return exactText(value).replaceAll('$(', '$ (');
}
