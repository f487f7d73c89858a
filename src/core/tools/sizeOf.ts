// About how large a value is, without writing it down: a 40 MB screenshot costs one step. For records and bounds,
// never for accounts.
import type { JsonValue } from '../../contract/json.ts';

/**
 * UTF-16 units of all strings and keys, and `perValue` for each value. Stops counting above `most`.
 * @param perValue what one value weighs against one character of text: more where values are to be copied
 */
export function sizeOf(value: JsonValue | undefined, most = Number.POSITIVE_INFINITY, perValue = 4): number {
  let size = 0;
  const todo: (JsonValue | undefined)[] = [value];
  while (todo.length > 0 && size <= most) {
    const next = todo.pop();
    size += perValue;
    if (typeof next === 'string') size += next.length;
    else if (Array.isArray(next)) addAll(todo, next as readonly JsonValue[], most / perValue + 1);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        size += key.length;
        todo.push(item);
      }
    }
  }
  return size;
}

function addAll(todo: (JsonValue | undefined)[], list: readonly JsonValue[], most: number): void {
  for (let index = 0; index < list.length && index < most; index++) todo.push(list[index]);
}
