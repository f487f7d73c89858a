// What a server may ask of us, as its entry has it (CONN-14). Pure. With `roots: false` it is told no folder, by us or by the
// clients of a gateway, and the capability is not declared: a server that takes roots over its arguments keeps to those.
import { without } from '../../base/without.ts';
import type { ServerDefinition } from '../../contract/serverConfig.ts';
import type { ServerRequestHandlers } from './liveClient.ts';

export function permittedHandlers(
  definition: ServerDefinition,
  handlers: ServerRequestHandlers,
): ServerRequestHandlers {
  return declinesRoots(definition) ? without(handlers, 'roots') : handlers;
}

export function declinesRoots(definition: ServerDefinition): boolean {
  return definition.kind === 'stdio' && definition.roots === false;
}
