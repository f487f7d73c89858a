// Names of tools where several servers share one list (TOOL-1): pure. A name depends on its server and tool alone,
// never on what else is there or came first; what is changed, cut or could be read in two ways ends in a hash of the
// raw identity. Two tools that still meet in one name are reported, and neither can be called by it.
import { createHash } from 'node:crypto';

export interface ToolIdentity {
  /** Server id: at most 32 of `[A-Za-z0-9_-]`, without `__` (CFG-6). */
  readonly server: string;
  /** The server's own name of the tool: anything. */
  readonly tool: string;
}

/** `full` for agents that know nothing of us, `short` for those that put a prefix of their own before each name. */
export type NameStyle = 'full' | 'short';

export interface NameCollision {
  readonly name: string;
  readonly tools: readonly ToolIdentity[];
}

export type Resolved = { readonly kind: 'tool'; readonly tool: ToolIdentity } | { readonly kind: 'ambiguous' };

export interface AggregateNames {
  /** Every callable tool under its outward name. */
  readonly tools: ReadonlyMap<string, ToolIdentity>;
  readonly collisions: readonly NameCollision[];
  resolve(name: string): Resolved | undefined;
}

export function aggregateNames(tools: Iterable<ToolIdentity>, style: NameStyle): AggregateNames {
  const callable = new Map<string, ToolIdentity>();
  const met = new Map<string, ToolIdentity[]>();
  for (const tool of tools) {
    const name = outwardName(tool, style);
    const first = callable.get(name);
    if (first === undefined) callable.set(name, tool);
    else if (!isSame(first, tool))
      met.set(name, [...(met.get(name) ?? [first]).filter((one) => !isSame(one, tool)), tool]);
  }
  const collisions = [...met].map(([name, same]) => ({ name, tools: same }));
  for (const { name } of collisions) callable.delete(name);
  const ambiguous = new Set(collisions.map(({ name }) => name));
  const resolve = (name: string): Resolved | undefined => {
    if (ambiguous.has(name)) return { kind: 'ambiguous' };
    const tool = callable.get(name);
    return tool && { kind: 'tool', tool };
  };
  return { tools: callable, collisions, resolve };
}

/** `mcp__server__tool`, or `server__tool` in the short style. */
export function outwardName({ server, tool }: ToolIdentity, style: NameStyle): string {
  const { prefix, longest } = styles[style];
  const plain = `${prefix}${server}__${tool}`;
  if (isPlain(server, tool) && plain.length <= longest) return plain;
  const head = `${prefix}${legal(server)}__${legal(tool)}`;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, hashLength);
  return `${head.slice(0, longest - hashLength - 1)}_${hash}`;
}

/** Whether an outward name could be of a tool of this server. */
export function mayBeOf(name: string, server: string, style: NameStyle): boolean {
  return name.startsWith(`${styles[style].prefix}${server}__`);
}

const styles: Record<NameStyle, { readonly prefix: string; readonly longest: number }> = {
  full: { prefix: 'mcp__', longest: 64 },
  short: { prefix: '', longest: 46 },
};
const hashLength = 8;

/** Neither illegal nor to be mistaken: for a name with a hash, or (with the server `a_`) for tool `_b` of server `a`. */
function isPlain(server: string, tool: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(tool) && !/_[0-9a-f]{8}$/.test(`_${tool}`) && !server.endsWith('_');
}

function isSame(one: ToolIdentity, other: ToolIdentity): boolean {
  return one.server === other.server && one.tool === other.tool;
}

function legal(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/gu, '_');
}
