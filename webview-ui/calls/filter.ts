import type { ShownCall } from '../../src/contract/callsMessages.ts';

/** Whether a call is of that server (any, where it is empty) and has each of the words somewhere. */
export function matches(
  call: ShownCall,
  { text, server }: { readonly text: string; readonly server: string },
): boolean {
  if (server !== '' && call.server !== server) return false;
  const all = [call.server, call.tool, call.caller, call.decision, call.outcome].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
