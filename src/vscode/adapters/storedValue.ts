// What a person keeps, without its value: what a list shows, and the key under which the value lies.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { ConfigScope } from '../../contract/serverConfig.ts';
import type { BoundName, BoundTarget } from '../../core/ports.ts';

export interface StoredValue {
  readonly kind: 'input' | 'secret' | BoundName['kind'];
  readonly name: string;
  readonly scope: ConfigScope;
  readonly secret: boolean;
  /** Of what is bound to one server at one URL, which may hold secrets itself: its public part, and a hash of it. */
  readonly target?: { readonly server: string; readonly place: string; readonly hash: string };
}

/** A secret of a scope, as `${secret:name}` finds it. */
export function secretOf(name: string, scope: ConfigScope): StoredValue {
  return { kind: 'secret', name, scope, secret: true };
}

/** What is kept for one server of a folder at one URL. */
export function boundValueOf({ folder, server, url }: BoundTarget, { kind, name }: BoundName): StoredValue {
  const { origin, pathname } = new URL(url);
  const target = { server, place: origin + pathname, hash: createHash('sha256').update(url).digest('hex') };
  return { kind, name, scope: { kind: 'project', folder, name: basename(folder) }, secret: true, target };
}

export function keyOf({ kind, name, scope, target }: StoredValue): string {
  // Headers have no case.
  const what = target === undefined ? name : `${target.server}:${target.hash}:${name.toLowerCase()}`;
  return `value:${kind}:${scope.kind === 'user' ? 'user' : scope.folder}:${what}`;
}
