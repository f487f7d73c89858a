// What taking over would change in every file, as texts for a comparison (GATE-9). Nothing is written. Values that look like
// secrets are hidden on both sides: what a person looks at may be seen by others, and it is the change that they decide about.
import { setImmediate } from 'node:timers/promises';
import { isJsonObject } from '../../contract/json.ts';
import { Redactor } from '../../base/redact.ts';
import { type ClientReading, hashOf, readClientFile } from '../agents/clientFile.ts';
import { editText } from '../agents/clientText.ts';
import type { ClientFile } from '../agents/clients.ts';
import { NotEditable } from '../agents/parsedText.ts';
import { hunkBetween } from '../agents/textHunk.ts';
import { parseDocument } from '../config/configDocument.ts';
import { editConfigText, emptyConfigText } from '../config/editConfigText.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import { convertEntry } from './convertEntry.ts';
import { extractSecrets } from './extractSecrets.ts';
import type { PlannedOriginal, PlannedServer } from './planTakeOver.ts';
import { editOf, entryEditsOf } from './takeOver.ts';

export interface FilePreview {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export interface TakeOverPreview {
  /** Originals that turned out not to be editable stay. */
  readonly planned: readonly PlannedServer[];
  /** Ours first. */
  readonly files: readonly FilePreview[];
  /** What each file of ours was then: the hash of its text, undefined where there was none. */
  readonly basis: ReadonlyMap<string, string | undefined>;
}

/** `ownText` is the text of a file of ours; undefined where there is none. */
export async function previewTakeOver(
  planned: readonly PlannedServer[],
  ownText: (file: string) => Promise<string | undefined>,
): Promise<TakeOverPreview> {
  const originals = new OriginalTexts();
  const checked: PlannedServer[] = [];
  for (const server of planned) {
    const fates: PlannedOriginal[] = [];
    for (const original of server.originals) fates.push(await originals.change(original));
    checked.push({ ...server, originals: fates });
  }
  const redactor = originals.redactor;
  for (const { secrets } of checked) for (const { value } of secrets) redactor.add(value, { kept: true });
  const ours: FilePreview[] = [];
  const basis = new Map<string, string | undefined>();
  for (const file of new Set(checked.map(({ target }) => target.file))) {
    const before = await ownText(file);
    basis.set(file, before && hashOf(before));
    const servers = checked.filter(({ target }) => target.file === file);
    ours.push({ file, before: before ?? '', after: withServers(before ?? emptyConfigText, servers) });
  }
  // Ours has references in the place of secrets, which have to be seen; anything else may hold more than servers.
  const shownOurs = ours.map(({ file, before, after }) => ({
    ...{ file, before: redactor.content(before), after: redactor.content(after) },
  }));
  const shownOriginals = originals.changed().map(({ file, before, after }) => {
    const part = partAround(before, after);
    return { file, before: redactor.text(part.before), after: redactor.text(part.after) };
  });
  return { planned: checked, files: [...shownOurs, ...shownOriginals], basis };
}

/**
 * Throws `agentFileChanged` where a file of ours is not what the preview showed: a name or an input in it may mean something
 * else by now. Of other programs' files it is the entry that counts, which `takeOver` compares: they write the rest at all times.
 */
export async function checkBasis(
  basis: TakeOverPreview['basis'],
  ownText: (file: string) => Promise<string | undefined>,
): Promise<void> {
  for (const [file, hash] of basis) {
    const now = await ownText(file);
    if ((now && hashOf(now)) !== hash) throw new ManagerError('agentFileChanged', { file });
  }
}

/** The texts of the originals, with one change after the other. */
class OriginalTexts {
  readonly redactor = new Redactor();
  readonly #texts = new Map<string, { before: string; after: string }>();
  readonly #readings = new Map<ClientFile, ClientReading>();

  async change(original: PlannedOriginal): Promise<PlannedOriginal> {
    const { place, fate } = original;
    if (fate.kind === 'stays') return original;
    const reading = await this.#read(place.file);
    if (reading.kind !== 'read') return original;
    const text = this.#texts.get(reading.path) ?? { before: reading.text, after: reading.text };
    try {
      const after = editText(place.file.format, text.after, reading.keyPath, editOf(place.name, fate));
      this.#texts.set(reading.path, { ...text, after });
      return original;
    } catch (error) {
      if (!(error instanceof NotEditable)) throw error;
      return { place, fate: { kind: 'stays', why: 'format' } };
    }
  }

  changed(): readonly FilePreview[] {
    return [...this.#texts].map(([file, text]) => ({ file, ...text }));
  }

  async #read(file: ClientFile): Promise<ClientReading> {
    const known = this.#readings.get(file);
    if (known !== undefined) return known;
    const reading = await readClientFile(file);
    this.#readings.set(file, reading);
    if (reading.kind !== 'read') return reading;
    for (const { raw } of reading.entries) {
      this.#hide(convertEntry(file.shape, raw));
      // A file may have many: the window goes on between two of them.
      await setImmediate();
    }
    return reading;
  }

  #hide(conversion: ReturnType<typeof convertEntry>): void {
    if (conversion.kind !== 'entry') return;
    const { secrets } = extractSecrets(conversion.entry, () => '${secret:x}');
    for (const { value } of secrets) this.redactor.add(value, { kept: true });
  }
}

function withServers(text: string, servers: readonly PlannedServer[]): string {
  const document = parseDocument(text);
  // What cannot be read is not written either: the change fails and says why.
  if (document.kind === 'malformed' || !isJsonObject(document.value)) return text;
  return editConfigText(text, entryEditsOf(servers, document.value));
}

/** A long file is shown around its change. */
function partAround(before: string, after: string): { before: string; after: string } {
  if (Math.max(before.length, after.length) <= limits.found.preview) return { before, after };
  const { at, removed, inserted } = hunkBetween(before, after);
  const start = before.lastIndexOf('\n', Math.max(0, at - around)) + 1;
  return {
    before: before.slice(start, at + removed.length + around),
    after: after.slice(start, at + inserted.length + around),
  };
}

/** UTF-16 units that are shown on both sides of a change. */
const around = 4_000;
