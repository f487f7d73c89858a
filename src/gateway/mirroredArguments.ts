// Holds a modern client to what a tool's definition asks of it over HTTP: the arguments that it repeats in headers say
// there what they say in the body (2026-07-28, Streamable HTTP, SEP-2243). Whatever is between client and gateway may
// have acted on the header, so a difference is refused before anything is sent. Pure.
import { isJsonObject } from '../contract/json.ts';
import { definitionsOf } from '../core/tools/callHeaders.ts';
import type { OfferedTool } from '../core/discovery/snapshot.ts';
import { valueAt } from '../core/tools/mirroredHeaders.ts';
import { RpcFailure } from './outcomes.ts';
import { plainHeader } from './plainHeader.ts';
import type { ClientRequest } from './surface.ts';

/** Fails with an RpcFailure, -32020. A client without headers, and a tool whose definition is illegal, are let be. */
export function refuseUnmirrored({ params, header }: ClientRequest, find: () => OfferedTool | undefined): void {
  const tool = header && find();
  const definitions = tool && definitionsOf(tool);
  if (header === undefined || definitions?.kind !== 'legal') return;
  const args = isJsonObject(params['arguments']) ? params['arguments'] : {};
  for (const { path, header: name } of definitions.mirrored) {
    const value = valueAt(args, path);
    const isMirrored = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const sent = header(name.toLowerCase());
    if (sent === undefined && isMirrored) throw mismatch(`${name} is missing`);
    if (sent === undefined) continue;
    const plain = plainHeader(sent);
    if (plain === undefined) throw mismatch(`${name} is not encoded as it has to be`);
    if (!isMirrored || plain !== String(value)) throw mismatch(`${name} is not what the arguments say`);
  }
}

function mismatch(detail: string): RpcFailure {
  return new RpcFailure(-32020, `Header mismatch: ${detail}.`);
}
