import type { ConfigScope, ServerId } from '../../contract/serverConfig.ts';
import type { ServerKey } from './model.ts';

/** The name of a definition in one process; an id holds no colon, so the last part is always the id. */
export function serverKey(scope: ConfigScope, id: ServerId): ServerKey {
  return (scope.kind === 'user' ? `user:${id}` : `project:${scope.folder}:${id}`) as ServerKey;
}

/** The id, and the folder of a project's definition. */
export function partsOfKey(key: ServerKey): { readonly id: string; readonly folder?: string } {
  const end = key.lastIndexOf(':');
  const id = key.slice(end + 1);
  return key.startsWith('project:') ? { id, folder: key.slice('project:'.length, end) } : { id };
}
