// How deep a parsed JSON value is nested, without recursion: what recurses later (JSON.stringify above all) fails on values
// that JSON.parse takes. Strings and numbers cost nothing, so a large result is looked at in a fraction of its parsing.

/** Whether objects and lists stand in each other more than `most` levels deep; a scalar has no level. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: readonly object[] = isBranch(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    const next: object[] = [];
    for (const parent of level) {
      const children: readonly unknown[] = Array.isArray(parent) ? parent : Object.values(parent);
      for (const child of children) if (isBranch(child)) next.push(child);
    }
    level = next;
  }
  return false;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
