/** Freezes a value of plain objects and lists, all the way down, and answers it. */
export function deepFrozen<T>(value: T): T {
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) if (inner !== undefined) open.push(inner);
  }
  return value;
}
