// Names as the editor's own agent takes them (GATE-7), pure. It makes the id of a tool of `mcp_`, at most 13 characters of
// its server's label in small letters, `_` and the tool's name, cuts that at 64 without a look, and registers nothing more
// of a server once two of its ids are equal. So labels have at most 11 characters and tools at most 46, and all differ.
import { createHash } from 'node:crypto';

/** The label of each server: its id, or the beginning of a longer one with a hash. Whatever their order, the same. */
export function editorLabels(ids: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...new Set(ids)].sort();
  const labels = new Map<string, string>();
  const taken = new Set<string>();
  // What fits as it is comes first, so that a longer id never takes it.
  for (const id of [...all.filter(fits), ...all.filter((id) => !fits(id))]) {
    const label = candidates(id).find((each) => !taken.has(each.toLowerCase()));
    if (label === undefined) continue;
    taken.add(label.toLowerCase());
    labels.set(id, label);
  }
  return labels;
}

/** The tools of one server, each under its own outward name; none is left out. */
export function editorTools<T extends { readonly name: string }>(
  server: string,
  tools: readonly T[],
): ReadonlyMap<string, T> {
  const named = new Map<string, T[]>();
  for (const tool of tools) {
    const name = editorToolName(server, tool.name);
    named.set(name, [...(named.get(name) ?? []), tool]);
  }
  return new Map(
    [...named].flatMap(([name, same]) =>
      same.length === 1
        ? same.map((tool) => [name, tool] as const)
        : same.map((tool) => [longHash(server, tool.name), tool] as const),
    ),
  );
}

/** Depends on server and name alone. A name that is changed or cut, or that could be taken for one, ends in a hash. */
export function editorToolName(server: string, tool: string): string {
  if (/^[A-Za-z0-9_-]{1,46}$/.test(tool) && !/_[0-9a-f]{8}$/.test(`_${tool}`)) return tool;
  const head = tool.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, longest.tool - hashLength - 1);
  return `${head}_${hashOf([server, tool]).slice(0, hashLength)}`;
}

const longest = { label: 11, tool: 46 } as const;
const hashLength = 8;

function fits(id: string): boolean {
  return id.length <= longest.label;
}

/** The first one that is free is taken: the later ones are for ids that differ in capitals alone, or meet in a hash. */
function candidates(id: string): readonly string[] {
  const hash = hashOf([id]);
  const cut = [4, 8].map((length) => `${id.slice(0, longest.label - 1 - length)}_${hash.slice(0, length)}`);
  return [...(fits(id) ? [id] : []), ...cut, ...hashes(hash)];
}

/** Every part of a hash that a label has room for. */
function hashes(hash: string): readonly string[] {
  return Array.from({ length: hash.length - longest.label }, (_, from) => hash.slice(from, from + longest.label));
}

/** For tools whose short hashes meet as well, which a server can bring about. */
function longHash(server: string, tool: string): string {
  const hash = hashOf([server, tool]);
  return `${hash.slice(hashLength, longest.tool - 1)}_${hash.slice(0, hashLength)}`;
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
