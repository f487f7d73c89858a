// Whether an entry in a client's file is ours by what it starts, whoever wrote it. Pure.
import type { JsonObject } from '../../contract/json.ts';
import { isOurLaunch } from '../launcher/isOurLaunch.ts';
import type { EntryShape } from './clients.ts';
import { launchOf } from './entryShapes.ts';

/** Whether it starts a launcher of ours, wherever that is. */
export function startsOurLauncher(shape: EntryShape, raw: JsonObject): boolean {
  const launch = launchOf(shape, raw);
  return launch !== undefined && isOurLaunch(launch);
}
