import { replaceRuns } from '../../base/replaceRuns.ts';

/**
 * JSON as text that is safe on a terminal and still exactly the same value: characters that a terminal would obey or
 * hide (C1 controls, bidi, zero width, tags, variation selectors, lone line separators) are written as `\u…` escapes.
 */
export function jsonText(value: unknown): string {
  return replaceRuns(JSON.stringify(value), unsafe, escaped);
}

function escaped(run: string): string {
  let text = '';
  for (let at = 0; at < run.length; at += 1) text += `\\u${run.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
}

const unsafe =
  /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]{1,1024}/gu;
