// About how large a value is, without writing it down: a 40 MB screenshot costs one step. For records and bounds,
// never for accounts.

/**
 * UTF-16 units of all strings and keys, and `perValue` for each value. Stops counting above `most`.
 * @param perValue what one value weighs against one character of text: more where values are to be copied
 */
export function sizeOf(value: unknown, most = Number.POSITIVE_INFINITY, perValue = 4): number {
  let size = 0;
  const todo: unknown[] = [value];
  while (todo.length > 0 && size <= most) {
    const next = todo.pop();
    size += perValue;
    if (typeof next === 'string') size += next.length;
    else if (Array.isArray(next)) addAll(todo, next, most / perValue + 1);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next as Readonly<Record<string, unknown>>)) {
        size += key.length;
        todo.push(item);
      }
    }
  }
  return size;
}

function addAll(todo: unknown[], list: readonly unknown[], most: number): void {
  for (let index = 0; index < list.length && index < most; index++) todo.push(list[index]);
}
