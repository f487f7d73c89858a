// URLs of servers as the editor's settings name them (POL-4): exactly, or with `*` for any text, which before the path
// stays within the host's name and its port; `:*` stands for any port and for none. Pure; no pattern is slow.

/** Capitals do not count; query and path do, a fragment and credentials do not. */
export function matchesUrl(pattern: string, url: string): boolean {
  const found = parse(url);
  if (found === undefined) return false;
  if (!pattern.includes('*')) {
    const wanted = parse(pattern);
    return wanted !== undefined && same(wanted, found);
  }
  const parts = patternParts(pattern);
  if (parts === undefined) return false;
  return (
    fits(parts.scheme, found.scheme) && fitsAuthority(parts.authority, found.authority) && fits(parts.rest, found.rest)
  );
}

/** Whether some URL of a server may fit. */
export function canMatchUrl(pattern: string): boolean {
  const scheme = (pattern.includes('*') ? patternParts(pattern) : parse(pattern))?.scheme;
  return scheme !== undefined && ['http', 'https'].some((known) => fits(scheme, known));
}

interface UrlParts {
  readonly scheme: string;
  /** Host with its port, which is left out where it is the scheme's own. */
  readonly authority: string;
  /** Path and query. */
  readonly rest: string;
}

function parse(text: string): UrlParts | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search } = new URL(text);
  return lower({ scheme: protocol.slice(0, -1), authority: host, rest: pathname + search });
}

function same(one: UrlParts, other: UrlParts): boolean {
  return one.scheme === other.scheme && one.authority === other.authority && one.rest === other.rest;
}

/** A pattern is no URL: it is taken apart by hand, and brought into the form that URLs have. */
function patternParts(pattern: string): UrlParts | undefined {
  const [, scheme, own, path] = /^([^/\\?#]*):\/\/([^/\\?#]*)(.*)$/s.exec(pattern) ?? [];
  if (scheme === undefined || own === undefined || path === undefined) return undefined;
  const host = own.slice(own.lastIndexOf('@') + 1);
  const port = defaultPorts[scheme.toLowerCase()];
  const authority = port !== undefined && host.endsWith(`:${port}`) ? host.slice(0, -port.length - 1) : host;
  const cut = path.replaceAll('\\', '/').replace(/#.*$/s, '');
  return lower({ scheme, authority: canonicalHost(authority), rest: cut.startsWith('/') ? cut : `/${cut}` });
}

/** As URLs have it: another alphabet, another way to write an address. With a star it is no host yet. */
function canonicalHost(authority: string): string {
  const [, name = '', port = ''] = /^(.*?)(:\d*)?$/s.exec(authority) ?? [];
  const isExact = !authority.includes('*') && URL.canParse(`https://${name}`);
  return isExact ? new URL(`https://${name}`).hostname + port : authority;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

function lower({ scheme, authority, rest }: UrlParts): UrlParts {
  return { scheme: scheme.toLowerCase(), authority: authority.toLowerCase(), rest: rest.toLowerCase() };
}

function fitsAuthority(pattern: string, authority: string): boolean {
  if (!pattern.endsWith(':*')) return fits(pattern, authority);
  return fits(pattern.slice(0, -2), authority.replace(/:\d+$/, '')) || fits(pattern, authority);
}

/** `*` for any text. What a star takes is taken back from the last one only, which is enough and never slow. */
function fits(pattern: string, text: string): boolean {
  let [at, star, retry] = [0, -1, 0];
  let index = 0;
  while (index < text.length) {
    if (pattern[at] === '*') {
      [star, retry] = [at, index];
      at += 1;
    } else if (at < pattern.length && pattern[at] === text[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      retry += 1;
      [at, index] = [star + 1, retry];
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
