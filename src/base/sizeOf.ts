// About how large a value is, without writing it down: a 40 MB screenshot costs one step. For records and bounds,
// never for accounts.

/**
 * UTF-16 units of all strings and keys, and `perValue` for each value. Stops counting above `most`.
 * @param perValue what one value weighs against one character of text: more where values are to be copied
 */
export function sizeOf(value: unknown, most = Number.POSITIVE_INFINITY, perValue = 4): number {
  let size = weightOf(value, perValue);
  const todo: object[] = isBranch(value) ? [value] : [];
  const count = (item: unknown): void => {
    size += weightOf(item, perValue);
    if (isBranch(item)) todo.push(item);
  };
  for (let next = todo.pop(); next !== undefined && size <= most; next = todo.pop()) {
    if (Array.isArray(next)) {
      for (let index = 0; index < next.length && size <= most; index += 1) count(next[index]);
      continue;
    }
    for (const key of Object.keys(next)) {
      size += key.length;
      count((next as Readonly<Record<string, unknown>>)[key]);
      if (size > most) break;
    }
  }
  return size;
}

function weightOf(value: unknown, perValue: number): number {
  return typeof value === 'string' ? perValue + value.length : perValue;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
