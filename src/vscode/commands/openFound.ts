import type { FilePosition } from '../../core/config/model.ts';
import type { App } from '../app.ts';
import type { Command } from './command.ts';
import { openAt } from './openAt.ts';

/** Opens another client's file where one of its servers stands, or where it is wrong. */
export const openFound: Command = {
  name: 'found.open',
  async run(app, target) {
    const place = placeOf(app, target);
    if (place !== undefined) await openAt(place.path, place.position);
  },
};

interface Place {
  readonly path: string;
  readonly position?: FilePosition | undefined;
}

function placeOf(app: App, target: unknown): Place | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const { found, group } = target as { readonly found?: unknown; readonly group?: unknown };
  if (typeof found === 'string') {
    const place = app.model.foundServer(found)?.places[0];
    return place && { path: place.file.path, position: place.position };
  }
  const { file, problem } = (typeof group === 'string' ? app.model.foundGroup(group) : undefined) ?? {};
  return file && { path: file.path, position: problem?.problem.position };
}
