// What JSON.parse takes in silence, though the arguments that are sent would not be those that were written. Both read a
// valid JSON text by hand and without recursion, however long its strings and however deep it is nested.

/**
 * The field of the first number in a JSON text that JavaScript cannot hold as it was written: an integer beyond 2^53
 * that becomes another one, or a number beyond all bounds. Undefined where every number survives.
 * @param json a valid JSON text; a number in a list is told by the field of the list
 */
export function alteredNumber(json: string): string | undefined {
  if (!suspect.test(json)) return undefined;
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
    if (isKey(json, end)) field = json.slice(token.lastIndex, end - 1).slice(0, 200);
    token.lastIndex = end;
  }
  return undefined;
}

/** What each altered number has: sixteen digits in a row, or an exponent of three. */
const suspect = /\d{16}|[eE]\+?\d{3}/;

/** The first key that one object holds twice; undefined where none does. */
export function repeatedKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  const token = /["{}]/g;
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    if (match[0] === '{') open.push(new Set());
    else if (match[0] === '}') open.pop();
    else {
      const end = endOfString(json, token.lastIndex);
      if (isKey(json, end)) {
        const key = JSON.parse(json.slice(match.index, end)) as string;
        const seen = open.at(-1);
        if (seen?.has(key) === true) return key;
        seen?.add(key);
      }
      token.lastIndex = end;
    }
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

/** Whether a colon follows the string that ends here. */
function isKey(json: string, end: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  return colon.test(json);
}

function survives(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return false;
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(digits) || BigInt(digits) === BigInt(value);
}
