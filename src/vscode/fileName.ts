/** A name that is safe as a part of a path and still readable; one that had to be changed ends in a number of its own. */
export function fileName(name: string): string {
  const safe = name
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '_')
    .slice(0, 60);
  return safe === name ? safe : `${safe}~${numberOf(name)}`;
}

/** Keeps apart, within one window, names that look alike after the change; nothing depends on it being unique. */
function numberOf(name: string): number {
  let sum = 7;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum;
}
