// Text that a person decides by, shown so that two different texts never look alike by what they hold: nothing is
// dropped or cut, and what is hidden, or could be taken for something else, stands as its number, `<U+202E>`. Look-alike
// letters of other scripts, and the order in which right to left is drawn, are left: that is ordinary text. Linear.

/**
 * One line. A line end shows as `⏎`, blanks that stand together or at an end as `<U+0020 × 3>`, and so does every blank
 * that is not U+0020; a mark or letter that another spelling of the same character would hold shows as its number (the
 * result is in normal form C); the empty text as `""`. These signs themselves show as numbers where the text holds them,
 * and so does every character of `reserved`.
 */
export function exactText(text: string, reserved = ''): string {
  if (text === '') return '""';
  if (text === '""') return `${notation(0x22)}"`;
  return exactPart(text, reserved);
}

/** The same for a part of a longer text: an empty one stays empty. */
export function exactPart(text: string, reserved = ''): string {
  const parts: string[] = [];
  // What a mark would be put on: the character before, with its marks; none where that is a number.
  let cluster = '';
  let blank = '';
  let count = 0;
  let at = 0;
  const endBlanks = (): void => {
    if (count === 0) return;
    const alone = count === 1 && blank === ' ' && at > 1 && at < text.length && !besideBlank(text, at - 1);
    parts.push(alone ? blank : notation(blank.charCodeAt(0), count));
    [blank, count] = ['', 0];
  };
  for (const character of text) {
    if (character !== blank) endBlanks();
    if (isBlank(character)) {
      [blank, count] = [character, count + 1];
      cluster = '';
    } else if (character === '\n') {
      parts.push('⏎');
      cluster = '';
    } else if (isKept(text, at, character, cluster, reserved)) {
      parts.push(character);
      cluster = mark.test(character) ? cluster + character : character;
    } else {
      parts.push(notation(character.codePointAt(0) ?? 0));
      cluster = '';
    }
    at += character.length;
  }
  endBlanks();
  return parts.join('');
}

/** More combining marks on one character than any script uses would paint over what stands around. */
const mostMarks = 8;
const mark = /^\p{M}$/u;
/** Also glyphs without ink: blanks of hieroglyphs, notes and sign writing, the filler of Khitan. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}\u{1DA7F}\u{1DA80}]/u;

function isKept(text: string, at: number, character: string, cluster: string, reserved: string): boolean {
  if (reserved.includes(character) || character === '⏎') return false;
  if (character === '<') return !text.startsWith('<U+', at);
  if (character >= ' ' && character <= '~') return true;
  if (hidden.test(character)) return false;
  if (mark.test(character) && (cluster === '' || cluster.length > 2 * mostMarks)) return false;
  const whole = cluster + character;
  return whole.normalize('NFC') === whole;
}

function isBlank(character: string): boolean {
  return character === ' ' || /^[\t\p{Zs}]$/u.test(character);
}

function besideBlank(text: string, at: number): boolean {
  return isBlank(text.charAt(at - 1)) || isBlank(text.charAt(at + 1));
}

/** `times` stands in it where it is more than one. */
function notation(code: number, times = 1): string {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return times === 1 ? `<${name}>` : `<${name} × ${times}>`;
}
