/** The name that was most likely meant by one that is none: a slip away, or written another way. Undefined where none is near. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const meant = plain(text);
  const same = names.find((name) => plain(name) === meant);
  // Of two letters one is half of the name: that is no slip.
  return same ?? (meant.length < 3 ? undefined : names.find((name) => isNear(meant, plain(name))));
}

/** Whether one text is the other with a letter too many, too few, wrong, or two exchanged; capitals do not count. */
export function isNear(text: string, known: string): boolean {
  const [one, other] = [text.toLowerCase(), known.toLowerCase()];
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  const turned = right.charAt(1) + right.charAt(0) + right.slice(2);
  const exchanged = right.length > 1 && left === turned;
  return exchanged || left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1);
}

/** `readFile`, `read-file` and `read_file` are the same to who types them. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '');
}
