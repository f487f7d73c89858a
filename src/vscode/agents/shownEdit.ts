// The two texts of a planned edit as they are shown. Values that look like secrets are hidden on both sides: the file is another
// program's, and it is the change that a person decides about. Pure.
import { Redactor } from '../../base/redact.ts';
import { isJsonObject } from '../../contract/json.ts';
import type { PlannedEdit } from '../../core/agents/clientFile.ts';
import { parseText, valueAt } from '../../core/agents/clientText.ts';
import { hunkBetween } from '../../core/agents/textHunk.ts';
import { convertEntry } from '../../core/found/convertEntry.ts';
import { extractSecrets } from '../../core/found/extractSecrets.ts';

export interface ShownEdit {
  readonly before: string;
  readonly after: string;
  /** Of the change's last line in `after`, from 0. */
  readonly line: number;
}

export function shownEdit({ file, keyPath, before = '', after }: PlannedEdit): ShownEdit {
  const redactor = new Redactor();
  const parsed = parseText(file.format, before);
  const servers = parsed.kind === 'parsed' ? valueAt(parsed.value, keyPath) : undefined;
  for (const raw of isJsonObject(servers) ? Object.values(servers) : []) {
    const conversion = isJsonObject(raw) ? convertEntry(file.shape, raw) : undefined;
    if (conversion?.kind !== 'entry') continue;
    const { secrets } = extractSecrets(conversion.entry, () => '${secret:x}');
    for (const { value } of secrets) redactor.add(value, { kept: true });
  }
  const shown = { before: redactor.text(before), after: redactor.text(after) };
  const { at, inserted } = hunkBetween(shown.before, shown.after);
  const line = (shown.after.slice(0, at) + inserted).split(/\r\n|\r|\n/).length - 1;
  return { ...shown, line };
}
