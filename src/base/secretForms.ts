// The ways in which a program may write a value that it was lent: as it is, escaped for a URL, for JSON or for HTML, in
// base64 or in hex. Whoever looks for a secret looks for all of them. Pure.

/** Each form once, the value itself first. Forms that a few ordinary characters could have by chance are left out. */
export function formsOf(value: string): readonly string[] {
  const json = jsonForms(value);
  const forms = [value, ...json, ...json.flatMap(jsonForms), ...urlForms(value), ...htmlForms(value)];
  const bytes = new TextEncoder().encode(value);
  if (bytes.length >= fewestBytes) forms.push(...base64Forms(bytes), ...hexForms(bytes));
  return [...new Set(forms)];
}

// Pages and Node both have it; base is compiled without the types of either.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Of fewer bytes, base64 and hex are so short that other data holds them too. */
const fewestBytes = 6;

/** Inside of a JSON string, as the common writers have it: `/` and what is not ASCII may be escaped or not. */
function jsonForms(value: string): readonly string[] {
  const written = JSON.stringify(value).slice(1, -1);
  const ascii = (upper: boolean): string =>
    written.replace(/[\u007f-\uffff]/g, (unit) => {
      const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? code.toUpperCase() : code}`;
    });
  return [written, ascii(false), ascii(true)].flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}

/** As a part of a URL or of a form: by the rules of browsers and of RFC 3986, with `/` left, hex in either case. */
function urlForms(value: string): readonly string[] {
  let encoded: string;
  try {
    encoded = encodeURIComponent(value);
  } catch {
    return []; // A lone surrogate has no encoding.
  }
  const alsoEncoded = (marks: RegExp): string =>
    encoded.replace(marks, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [encoded, alsoEncoded(/[!'()*]/g), alsoEncoded(/[!'()~]/g)].flatMap((form) => [
    form,
    form.replaceAll('%20', '+'),
    form.replaceAll('%2F', '/'),
  ]);
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** Also with every mark as a number, as our own Markdown has it. */
function htmlForms(value: string): readonly string[] {
  const numbers = value.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const base = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [numbers, base, base.replaceAll('"', '&quot;'), base.replaceAll('"', '&quot;').replaceAll("'", '&#39;')];
}

/**
 * What every base64 text holds that encodes these bytes as a part of something: their place among groups of three
 * bytes decides which, and the characters at both ends that other bytes have a share in are left out.
 */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    let text = '';
    // The first six bits that are all of ours, then six at a time.
    for (let bit = Math.ceil((before * 8) / 6) * 6 - before * 8; bit + 6 <= bytes.length * 8; bit += 6) {
      const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
      text += alphabet.charAt((pair >> (10 - (bit & 7))) & 63);
    }
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function hexForms(bytes: Uint8Array): readonly string[] {
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [text, text.toUpperCase()];
}
