// Puts together what the files of other clients say, purely: entries become servers, the same launch in several places
// becomes one, what is ours is left out or said to be ours (GATE-9). Values of secrets stay in the entries.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonicalJson.ts';
import { parseEntry } from '../../contract/configFile.ts';
import { currentConfigVersion } from '../../contract/configMigrations.ts';
import { inputsSchema } from '../../contract/configSchemas.ts';
import { isJsonObject, type JsonValue } from '../../contract/json.ts';
import type { InputDefinition } from '../../contract/serverConfig.ts';
import type { ClientReading, FoundEntry } from '../agents/clientFile.ts';
import { parseDocument } from '../config/configDocument.ts';
import { configFingerprint } from '../config/configFingerprint.ts';
import type { ConfiguredServer, ServerKey } from '../config/model.ts';
import { isOurLaunch } from '../launcher/isOurLaunch.ts';
import { limits } from '../limits.ts';
import { convertEntry } from './convertEntry.ts';
import { extractSecrets } from './extractSecrets.ts';
import type { Conversion } from './foundEntry.ts';
import type { FoundPlace, FoundServer, FoundView } from './foundView.ts';
import { launchKey } from './launchKey.ts';

/** What was made of one file, for as long as the file is the same. */
export interface FoundFile {
  readonly reading: ClientReading;
  readonly rows: readonly FoundServer[];
}

/** `own` is what is configured here already. */
export function collectFound(files: readonly FoundFile[], own: readonly ConfiguredServer[]): FoundView {
  const ours = new Map(own.map((server) => [launchKey(server.definition), server.key]));
  const rows = new Map<string, FoundServer>();
  let more = 0;
  for (const row of files.flatMap((file) => file.rows)) {
    const known = rows.get(row.id);
    if (known !== undefined) rows.set(row.id, { ...known, places: [...known.places, ...row.places] });
    else if (rows.size < limits.found.servers) rows.set(row.id, withOurs(row, ours));
    else more += 1;
  }
  const problems = files.flatMap(({ reading }) => (reading.kind === 'refused' ? [reading] : []));
  return {
    servers: [...rows.values()],
    problems: problems.map(({ file, problem }) => ({ file, problem })),
    more,
  };
}

function withOurs(row: FoundServer, ours: ReadonlyMap<string, ServerKey>): FoundServer {
  const same = row.conversion.kind === 'entry' ? ours.get(launchKey(row.conversion.definition)) : undefined;
  return same === undefined ? row : { ...row, ours: same };
}

/**
 * A row for each entry of one file that is not ours, each with the one place. One entry at a step: whoever asks may do
 * other things between two of them, since a file may have many.
 */
export function* rowsOf(reading: ClientReading): Generator<FoundServer> {
  if (reading.kind !== 'read') return;
  const inputs = inputsOf(reading);
  for (const entry of reading.entries) {
    const row = rowOf(reading, entry, inputs);
    if (isOwnEntry(row.conversion)) continue;
    // Found once for each definition: here, and not for all of them at once when they are put together.
    if (row.conversion.kind === 'entry') launchKey(row.conversion.definition);
    yield row;
  }
}

type Read = Extract<ClientReading, { kind: 'read' }>;

function rowOf({ file }: Read, entry: FoundEntry, inputs: readonly InputDefinition[]): FoundServer {
  const conversion = withKnownInputs(convertEntry(file.shape, entry.raw), inputs);
  const place: FoundPlace = { file, name: entry.name, position: entry.position, raw: entry.raw, off: conversion.off };
  const used = conversion.kind === 'entry' ? inputs.filter(({ id }) => conversion.inputs.includes(id)) : ([] as const);
  return {
    id: idOf(place, conversion, used),
    name: entry.name,
    places: [place],
    conversion,
    inputs: used,
    ...shownOf(conversion),
  };
}

function shownOf(conversion: Conversion): Pick<FoundServer, 'shown'> {
  if (conversion.kind === 'unusable') return {};
  const parsed = parseEntry(extractSecrets(conversion.entry, () => '***').entry, currentConfigVersion);
  return parsed.ok ? { shown: parsed.definition } : {};
}

/** What is the same for all that run the same, with the same tools; what cannot be run is itself alone. */
function idOf({ file, name }: FoundPlace, conversion: Conversion, inputs: readonly InputDefinition[]): string {
  const what =
    conversion.kind === 'entry'
      ? [configFingerprint(conversion.definition, inputs), conversion.definition.toolPolicies]
      : [file.path, file.keyPath, name];
  return createHash('sha256').update(canonicalJson(what)).digest('hex').slice(0, 32);
}

/** An input that the file does not define, or that a command of the editor answers, has no counterpart here. */
function withKnownInputs(conversion: Conversion, inputs: readonly InputDefinition[]): Conversion {
  if (conversion.kind === 'unusable') return conversion;
  const unknown = conversion.inputs.find((name) => !inputs.some(({ id }) => id === name));
  if (unknown === undefined) return conversion;
  return { kind: 'unusable', reason: 'variable', detail: `\${input:${unknown}}`, off: conversion.off };
}

function inputsOf({ file, text }: Read): readonly InputDefinition[] {
  if (file.shape !== 'vscode') return [];
  const document = parseDocument(text);
  const list = document.kind === 'document' && isJsonObject(document.value) ? document.value['inputs'] : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]).flatMap(inputOf) : [];
}

/** One at a time: an input of another kind says nothing about the others. */
function inputOf(raw: JsonValue): readonly InputDefinition[] {
  const parsed = inputsSchema.safeParse([raw]);
  const input = parsed.success ? parsed.data[0] : undefined;
  if (input === undefined || (input.type === 'pickString' && (input.options ?? []).length === 0)) return [];
  const { id, type, description, password, options } = input;
  return [
    {
      id,
      type,
      ...(description === undefined ? {} : { description }),
      ...(input.default === undefined ? {} : { default: input.default }),
      ...(password === undefined ? {} : { password }),
      ...(options === undefined ? {} : { options }),
    },
  ];
}

/** An agent that is connected to us has us in its file: that is no server to take over. */
function isOwnEntry(conversion: Conversion): boolean {
  if (conversion.kind !== 'entry' || conversion.definition.kind !== 'stdio') return false;
  return isOurLaunch(conversion.definition);
}
