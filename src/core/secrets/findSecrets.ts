// Finds the secrets that stand in the text of a configuration file, purely, for the one who edits it: what a project's
// file may not hold at all (TRUST-6), and literals that look like secrets, which anyone who reads the file can read.
// Values stay in the answer and nowhere else. A text that is not well-formed has none: that is another problem.
import type { Node } from 'jsonc-parser';
import { behindScheme, credentialRanges, isSchemeWord, type TextRange } from '../../base/credentialShapes.ts';
import { namedArguments } from '../../base/sensitive.ts';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import { checkServerUrl } from '../../contract/urlRule.ts';
import { type JsonPath, parseDocument } from '../config/configDocument.ts';
import { limits } from '../limits.ts';
import { isCredentialHeader } from './credentialHeader.ts';
import { looksSecret, namesSecret } from './secretWords.ts';

export interface FoundSecret {
  readonly server: string;
  readonly place: 'header' | 'clientSecret' | 'env' | 'argument' | 'url';
  /** Of the header, variable, option or parameter; empty where an argument has none. */
  readonly name: string;
  readonly path: JsonPath;
  /** The entry does not run because of it. */
  readonly refused: boolean;
  /** Where it stands in the text. */
  readonly range: TextRange;
  /** The whole value that is written there, and the part of it that is the secret. */
  readonly value: string;
  readonly secret: TextRange;
  /** How it can leave the file: bound to server and URL, by a reference, or not by us. */
  readonly remedy: { readonly kind: 'bind'; readonly url: string } | { readonly kind: 'reference' } | undefined;
}

export interface FindOptions {
  /** Every part of a value that is a secret, and however many there are; else one of each, and only so many. */
  readonly every?: boolean;
}

/** In the order of their places, at most `limits.config.foundSecrets`. */
export function findSecrets(
  text: string,
  scope: ConfigScope['kind'],
  { every = false }: FindOptions = {},
): readonly FoundSecret[] {
  if (text.length > limits.config.fileBytes) return [];
  const document = parseDocument(text);
  if (document.kind === 'malformed') return [];
  const servers = fieldsOf(fieldsOf(document.root).find(({ key }) => key === 'mcpServers')?.node);
  return servers
    .flatMap(({ key, node }) => secretsOf({ id: key, fields: fieldsOf(node), scope, every }))
    .sort((a, b) => a.range.start - b.range.start)
    .slice(0, every ? undefined : limits.config.foundSecrets);
}

/** The same secret in a text of later: at its place, with the same value, and with the same way out. */
export function findAgain(text: string, scope: ConfigScope['kind'], earlier: FoundSecret): FoundSecret | undefined {
  const asWas = ({ path, value, remedy }: FoundSecret): string => JSON.stringify([path, value, remedy]);
  return findSecrets(text, scope).find((found) => asWas(found) === asWas(earlier));
}

interface Field {
  readonly key: string;
  readonly node: Node;
  /** With its name. */
  readonly property: Node;
}

interface Entry {
  readonly id: string;
  readonly fields: readonly Field[];
  readonly scope: ConfigScope['kind'];
  readonly every: boolean;
}

function secretsOf(entry: Entry): readonly FoundSecret[] {
  const of = (key: string): Node | undefined => entry.fields.find((field) => field.key === key)?.node;
  return [
    ...fieldsOf(of('headers')).flatMap((field) => inHeader(entry, field)),
    ...fieldsOf(of('oauth')).flatMap((field) => inOAuth(entry, field)),
    ...fieldsOf(of('env')).flatMap((field) => inVariable(entry, field)),
    ...inArguments(entry, of('args')),
    ...inUrl(entry, of('url')),
  ];
}

function inHeader(entry: Entry, { key, node, property }: Field): readonly FoundSecret[] {
  const value = textOf(node);
  const path = ['mcpServers', entry.id, 'headers', key];
  const common = { server: entry.id, place: 'header', name: key, path } as const;
  if (entry.scope === 'project' && isCredentialHeader(key)) {
    const secret = { start: 0, end: (value ?? '').length };
    return [{ ...common, refused: true, range: rangeOf(property), value: value ?? '', secret, remedy: bound(entry) }];
  }
  const secrets = value === undefined ? [] : secretsIn(value, namesSecret(key), entry.every);
  if (value === undefined || secrets.length === 0) return [];
  const whole = { start: 0, end: value.length };
  const remedy = entry.scope === 'project' ? bound(entry) : ({ kind: 'reference' } as const);
  const taken = remedy?.kind === 'bind' ? [whole] : secrets;
  return taken.map((secret) => ({ ...common, refused: false, range: rangeOf(node), value, secret, remedy }));
}

function inOAuth(entry: Entry, { key, node, property }: Field): readonly FoundSecret[] {
  if (key !== 'clientSecret' || entry.scope !== 'project') return [];
  const value = textOf(node) ?? '';
  return [
    {
      ...{ server: entry.id, place: 'clientSecret', name: 'oauth.clientSecret', refused: true },
      path: ['mcpServers', entry.id, 'oauth', key],
      range: rangeOf(property),
      value,
      secret: { start: 0, end: value.length },
      remedy: bound(entry),
    },
  ];
}

function inVariable({ id, every }: Entry, { key, node }: Field): readonly FoundSecret[] {
  const value = textOf(node);
  const secrets = value === undefined ? [] : secretsIn(value, namesSecret(key), every);
  return referenced({ server: id, place: 'env', name: key, path: ['mcpServers', id, 'env', key] }, node, secrets);
}

function inArguments({ id, every }: Entry, list: Node | undefined): readonly FoundSecret[] {
  const nodes = list?.type === 'array' ? (list.children ?? []) : [];
  const args = nodes.map((node) => textOf(node) ?? '');
  const named = new Map(namedArguments(args).map((argument) => [argument.index, argument]));
  return nodes.flatMap((node, index) => {
    const arg = args[index] ?? '';
    const { name = '', start = 0 } = named.get(index) ?? {};
    const secrets = secretsIn(arg.slice(start), namesSecret(name), every).map(movedBy(start));
    return referenced({ server: id, place: 'argument', name, path: ['mcpServers', id, 'args', index] }, node, secrets);
  });
}

/** Parameters of the query; a user name or password in it refuses the file. */
function inUrl({ id, every }: Entry, node: Node | undefined): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  const url = textOf(node) ?? '';
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  let at = url.indexOf('?') + 1;
  for (const part of query.split('&')) {
    const sign = part.indexOf('=');
    const name = part.slice(0, Math.max(sign, 0));
    const secrets = secretsIn(part.slice(sign + 1), namesSecret(name), every).map(movedBy(at + sign + 1));
    if (node !== undefined && (every || found.length === 0)) {
      found.push(...referenced({ server: id, place: 'url', name, path: ['mcpServers', id, 'url'] }, node, secrets));
    }
    at += part.length + 1;
  }
  return found;
}

function referenced(
  what: Pick<FoundSecret, 'server' | 'place' | 'name' | 'path'>,
  node: Node,
  secrets: readonly TextRange[],
): readonly FoundSecret[] {
  const [range, value, remedy] = [rangeOf(node), textOf(node) ?? '', { kind: 'reference' } as const];
  return secrets.map((secret) => ({ ...what, refused: false, range, value, secret, remedy }));
}

/**
 * The part of a value that is a secret: all of it, without the word of a scheme, where its name says so, else what has the
 * shape of one, the longest where not `every` one is asked for. What holds variables is judged by shape alone, and the
 * variables are no part of it. Ordered, and no two overlap.
 */
function secretsIn(value: string, named: boolean, every: boolean): readonly TextRange[] {
  const variables = Array.from(value.matchAll(/(?<!\$)\$\{[^}]*\}?/g), rangeOfMatch);
  if (named && variables.length === 0) {
    const start = behindScheme(value);
    if (looksSecret(value.slice(start))) return [{ start, end: value.length }];
  }
  const shaped = credentialRanges(value)
    .map(({ start, end }) => ({
      start: start + behindScheme(value.slice(start, end)),
      end: value[end - 1] === '@' ? end - 1 : end,
    }))
    .filter(({ start, end }) => looksSecret(value.slice(start, end)) && !isSchemeWord(value.slice(start, end)))
    .filter((range) => !variables.some((variable) => variable.start < range.end && range.start < variable.end));
  if (every) return joined(shaped);
  const longest = shaped.reduce<TextRange | undefined>(
    (best, range) => (best === undefined || range.end - range.start > best.end - best.start ? range : best),
    undefined,
  );
  return longest === undefined ? [] : [longest];
}

/** Those that overlap become one. */
function joined(ranges: readonly TextRange[]): readonly TextRange[] {
  const result: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || range.start >= last.end) result.push(range);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return result;
}

function movedBy(offset: number): (range: TextRange) => TextRange {
  return ({ start, end }) => ({ start: start + offset, end: end + offset });
}

/** Only a finished URL is a place that something can be bound to. */
function bound({ fields }: Entry): FoundSecret['remedy'] {
  const url = textOf(fields.find(({ key }) => key === 'url')?.node);
  if (url === undefined || url.includes('${') || checkServerUrl(url) !== undefined) return undefined;
  return { kind: 'bind', url };
}

function fieldsOf(node: Node | undefined): readonly Field[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    return name === undefined || value === undefined ? [] : [{ key: String(name.value), node: value, property }];
  });
}

function textOf(node: Node | undefined): string | undefined {
  return node?.type === 'string' ? (node.value as string) : undefined;
}

function rangeOf({ offset, length }: Node): TextRange {
  return { start: offset, end: offset + length };
}

function rangeOfMatch(match: RegExpExecArray): TextRange {
  return { start: match.index, end: match.index + match[0].length };
}
