// What the person keeps for a project's remote server, as fields of its launch (TRUST-6): by reference until the launch is
// approved, for exactly the URL that it is bound to, and in place of a header of the same name in the file.
import type { ConfiguredServer } from '../config/model.ts';
import type { BoundName } from '../ports.ts';
import { canonicalUrl } from '../secrets/canonicalUrl.ts';
import type { LaunchContext } from './launchContext.ts';
import type { BoundField, TemplateBinder } from './template.ts';

export interface RemoteFields {
  readonly headers: ReadonlyMap<string, BoundField>;
  /** For the sign-in; absent where none is kept. */
  readonly clientSecret?: BoundField;
}

/** `headers` are those of the file. A URL that is not known before approval has nothing bound to it. */
export function withBoundFields(
  server: ConfiguredServer,
  url: BoundField,
  headers: ReadonlyMap<string, BoundField>,
  binder: TemplateBinder,
  { boundValues }: Pick<LaunchContext, 'boundValues'>,
): RemoteFields {
  const { scope, id } = server;
  if (boundValues === undefined || scope.kind !== 'project' || url.early === undefined) return { headers };
  const target = { folder: scope.folder, server: id, url: canonicalUrl(url.early) };
  const names = boundValues.names(target);
  const fieldOf = (name: BoundName): BoundField =>
    binder.bound(name.kind === 'header' ? `headers.${name.name}` : 'oauth.clientSecret', name.name, (options) =>
      boundValues.value(target, name, options),
    );
  const kept = names.filter(({ kind }) => kind === 'header');
  const replaced = new Set(kept.map(({ name }) => name.toLowerCase()));
  const clientSecret = names.find(({ kind }) => kind === 'clientSecret');
  return {
    headers: new Map([
      ...[...headers].filter(([name]) => !replaced.has(name.toLowerCase())),
      ...kept.map((name) => [name.name, fieldOf(name)] as const),
    ]),
    ...(clientSecret === undefined ? {} : { clientSecret: fieldOf(clientSecret) }),
  };
}
