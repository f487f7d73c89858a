import type { ServerView } from './view.ts';

/**
 * Tools that rules are about and the server does not offer: a mistyped `deny` holds for nothing. Empty where the list of
 * its tools is not known whole.
 */
export function rulesWithoutTool({ policies, snapshot }: Pick<ServerView, 'policies' | 'snapshot'>): readonly string[] {
  if (snapshot === undefined || snapshot.incomplete.some(({ kind }) => kind === 'tools')) return [];
  const offered = new Set(snapshot.tools.map(({ name }) => name));
  const sources = [policies.personFile, policies.personEntry, policies.project];
  const ruled = new Set(sources.flatMap((rules) => Object.keys(rules ?? {})));
  return [...ruled].filter((name) => name !== '*' && !offered.has(name));
}
