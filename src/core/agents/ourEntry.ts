// Whether an entry in a client's file is ours by what it starts, whoever wrote it. Pure.
import type { JsonObject } from '../../contract/json.ts';
import { isOurLaunch } from '../launcher/isOurLaunch.ts';
import type { EntryShape } from './clients.ts';
import { readEntry } from './entryShapes.ts';

/** Whether it starts a launcher of ours, wherever that is. */
export function startsOurLauncher(shape: EntryShape, raw: JsonObject): boolean {
  const { definition } = readEntry(shape, raw);
  return definition.kind === 'stdio' && isOurLaunch(definition);
}
