// Which URLs a definition may name (product CFG-6, CONN-13): https, or http on this machine, without user information.
import { parseTemplate } from './variables.ts';

// Pages and Node both have it; the contract is compiled without the types of either.
declare const URL: new (text: string) => {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
};

export const urlReasons = {
  characters: 'it holds a space, a control character or a backslash',
  scheme: 'it must start with https://, or with http:// on this machine',
  malformed: 'it is not a URL',
  userInfo: 'it must not carry a user name or password',
  port: 'port 0 is the port of no server',
  cleartext: 'http is allowed on this machine only; use https',
} as const;

/** Why a finished URL is not allowed; undefined when it is. */
export function checkServerUrl(text: string): string | undefined {
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return urlReasons.characters;
  if (!/^https?:\/\//i.test(text)) return urlReasons.scheme;
  let url: InstanceType<typeof URL>;
  try {
    url = new URL(text);
  } catch {
    return urlReasons.malformed;
  }
  if (url.username !== '' || url.password !== '' || authority(text).includes('@')) return urlReasons.userInfo;
  // What connects would take the scheme's own port instead.
  if (url.port === '0') return urlReasons.port;
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return urlReasons.cleartext;
  return undefined;
}

/**
 * The same question for a URL that may hold variables, as far as it can be answered before they have values.
 * The finished URL is checked again. A variable that the grammar does not know is left to the start of the server.
 */
export function checkUrlTemplate(text: string): string | undefined {
  const template = parseTemplate(text);
  if (!template.ok) return undefined;
  const filled = template.parts.map((part) => (part.kind === 'text' ? part.text : 'x')).join('');
  const first = template.parts[0];
  const prefix = first?.kind === 'text' ? first.text : '';
  const hostIsWritten = template.parts.length <= 1 && prefix !== '' ? true : /^[a-z]+:\/\/[^/?#]*[/?#]/i.test(prefix);
  if (hostIsWritten || filled === '') return checkServerUrl(filled);
  if (/[\u0000-\u0020\u007f\\]/.test(filled)) return urlReasons.characters;
  const scheme = /^[^/?#]*?:/.exec(prefix)?.[0].toLowerCase();
  if (scheme !== undefined && scheme !== 'https:' && scheme !== 'http:') return urlReasons.scheme;
  return authority(filled).includes('@') ? urlReasons.userInfo : undefined;
}

/** Whether a host, as a URL gives it, can only be this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

function authority(text: string): string {
  return /^[^/?#]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
}
