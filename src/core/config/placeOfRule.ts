// Where a rule for a tool stands in a file's text (POL-1), purely: in the entry of its server, or at the top of the
// person's own file. Undefined where the file does not have it, or is not understood.
import type { ServerId } from '../../contract/serverConfig.ts';
import { findNodeAtLocation } from 'jsonc-parser';
import { offsetOf, parseDocument, placesOf } from './configDocument.ts';
import type { FilePosition } from './model.ts';

/** `tools`: the first of them that has a rule in the file is taken. */
export function placeOfRule(text: string, server: ServerId, tools: readonly string[]): FilePosition | undefined {
  const document = parseDocument(text);
  if (document.kind === 'malformed') return undefined;
  const { root } = document;
  const maps = [
    ['mcpServers', server, 'toolPolicies'],
    ['toolPolicies', server],
  ];
  const path = maps
    .flatMap((map) => tools.map((tool) => [...map, tool]))
    .find((each) => findNodeAtLocation(root, each) !== undefined);
  return path && placesOf(text)(offsetOf(root, path, { atKey: true }));
}
