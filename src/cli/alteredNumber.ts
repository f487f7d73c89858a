/**
 * The field of the first number in a JSON text that JavaScript cannot hold as it was written: an integer beyond 2^53
 * that becomes another one, or a number beyond all bounds. Undefined where every number survives.
 * @param json a valid JSON text; a number in a list is told by the field of the list
 */
export function alteredNumber(json: string): string | undefined {
  let field = '';
  // Strings are passed over by hand: matched, a long one would exhaust the stack.
  const token = /"|-?\d[\d.eE+-]*/g;
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    const [text] = match;
    if (text !== '"') {
      if (!survives(text)) return field;
      continue;
    }
    const end = endOfString(json, token.lastIndex);
    if (/^\s*:/.test(json.slice(end, end + 100))) field = json.slice(token.lastIndex, end - 1).slice(0, 200);
    token.lastIndex = end;
  }
  return undefined;
}

/** The place behind the quote that closes a string. */
function endOfString(json: string, from: number): number {
  for (let index = from; index < json.length; index += 1) {
    if (json[index] === '\\') index += 1;
    else if (json[index] === '"') return index + 1;
  }
  return json.length;
}

function survives(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return false;
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(digits) || BigInt(digits) === BigInt(value);
}
