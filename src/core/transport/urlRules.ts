// Which addresses may be spoken to (CONN-13). Pure. A person's own URL may lead anywhere that is encrypted, or to this
// machine; a URL that a server supplies may not lead into loopback or private ranges unless the person's own one is
// there itself. Refuses everything it does not understand.
import { BlockList, isIP } from 'node:net';
import { checkServerUrl, isLoopbackHost } from '../../contract/urlRule.ts';
import { ManagerError } from '../errors.ts';

/** Where an address lies; `private` stands for every range that is not reached over the public internet. */
export type AddressRange = 'loopback' | 'private' | 'public';

/** The person's own URL, checked by the rule of definitions. Fails with `urlForbidden`. */
export function configuredUrl(text: string): URL {
  const detail = checkServerUrl(text);
  if (detail !== undefined) {
    throw new ManagerError('urlForbidden', { url: URL.canParse(text) ? shownUrl(new URL(text)) : '?', detail });
  }
  const url = new URL(text);
  url.hash = '';
  return url;
}

/**
 * Why a URL that a server supplied may not be followed, or undefined if it may. `home` is where the person's own URL
 * lies. A host name is judged by its addresses as well (`addressRefusal`), once they are known.
 */
export function suppliedUrlRefusal(url: URL, home: AddressRange): string | undefined {
  const range = hostRange(url.hostname);
  return shapeRefusal(url) ?? cleartextRefusal(url) ?? (range === undefined ? undefined : rangeRefusal(range, home));
}

/** Why an address that a supplied host name stands for may not be connected to. */
export function addressRefusal(address: string, home: AddressRange): string | undefined {
  return rangeRefusal(addressRange(address), home);
}

/**
 * Where a host lies, as far as its name alone tells: undefined for a name that has to be looked up. Every name that is
 * reserved for this machine counts as it (RFC 6761), as leading here is what is refused; that one may be spoken to
 * without encryption takes more (`isLoopbackHost`).
 */
export function hostRange(hostname: string): AddressRange | undefined {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(host) !== 0) return addressRange(host);
  return isLoopbackHost(host) || host.endsWith('.localhost') ? 'loopback' : undefined;
}

export function addressRange(address: string): AddressRange {
  const bare = address.replace(/%.*$/, '');
  const family = isIP(bare);
  if (family === 0) return 'private';
  const embedded = family === 6 ? embeddedV4(bare) : undefined;
  if (embedded !== undefined) return addressRange(embedded);
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(bare, type)) return 'loopback';
  if (family === 6 && !unicast.check(bare, type)) return 'private';
  return notPublic.check(bare, type) ? 'private' : 'public';
}

/** A URL as it may be shown: without userinfo, query and fragment, which may hold secrets. */
export function shownUrl(url: URL): string {
  return `${url.origin === 'null' ? url.protocol : url.origin}${url.pathname}`;
}

function shapeRefusal(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `its scheme is ${url.protocol.slice(0, -1)}`;
  return url.username === '' && url.password === '' ? undefined : 'it carries a user name or password';
}

function cleartextRefusal(url: URL): string | undefined {
  const safe = url.protocol === 'https:' || isLoopbackHost(url.hostname);
  return safe ? undefined : 'it is not encrypted';
}

function rangeRefusal(range: AddressRange, home: AddressRange): string | undefined {
  if (range === 'public' || range === home) return undefined;
  return range === 'loopback' ? 'it leads to this machine' : 'it leads into a private network';
}

function blockList(v4: readonly (readonly [string, number])[], v6: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of v4) list.addSubnet(net, prefix, 'ipv4');
  for (const [net, prefix] of v6) list.addSubnet(net, prefix, 'ipv6');
  return list;
}

const loopback = blockList([['127.0.0.0', 8]], [['::1', 128]]);

/** All that has been given out for the public internet (IANA, IPv6 address space). */
const unicast = blockList([], [['2000::', 3]]);

/**
 * What no server of the public internet has: IANA's special-purpose registries (RFC 6890), whether or not a range is
 * routed, and multicast. Those of IPv6 outside of 2000::/3 are not listed.
 */
const notPublic = blockList(
  [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.31.196.0', 24],
    ['192.52.193.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['192.175.48.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2620:4f:8000::', 48],
    ['3fff::', 20],
  ],
);

/** The IPv4 address inside a mapped (::ffff:0:0/96), translated (64:ff9b::/96, ::ffff:0:0:0/96) or 6to4 (2002::/16) one. */
function embeddedV4(address: string): string | undefined {
  const groups = expandV6(address);
  const high = groups.slice(0, 6).join(':');
  if (v4Prefixes.has(high)) return v4Of(groups[6], groups[7]);
  return groups[0] === 0x2002 ? v4Of(groups[1], groups[2]) : undefined;
}

/** Groups in decimal. */
const v4Prefixes: ReadonlySet<string> = new Set(['0:0:0:0:0:65535', '0:0:0:0:65535:0', '100:65435:0:0:0:0']);

function v4Of(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of a valid IPv6 address. */
function expandV6(address: string): number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((group) => parseInt(group, 16));
}
