// The words about a secret that stands in a configuration file, and about its way out. Pure; no value is in them.
import type { FoundSecret } from '../../core/secrets/findSecrets.ts';
import { shownLine } from '../shownText.ts';
import type { Translate } from '../translate.ts';

export interface SecretText {
  /** What is wrong, and what to do. */
  readonly message: string;
  /** What the quick fix is called; undefined where there is none. */
  readonly fix: string | undefined;
}

export function secretText(found: FoundSecret, t: Translate): SecretText {
  const name = shownLine(found.name, 100);
  return { message: messageOf(found, name, t), fix: fixOf(found, name, t) };
}

/** What was done, for the one who did it. */
export function movedText(found: FoundSecret, place: string, t: Translate): string {
  const name = shownLine(found.name, 100);
  const old = t('If others could read this file, replace the secret where you got it.');
  const done =
    found.remedy?.kind === 'bind'
      ? t('“{name}” is now in the editor’s secret storage. It is sent to {place} alone, once you approve the server.', {
          name,
          place: shownLine(place, 200),
        })
      : t('The value is now in the editor’s secret storage; the file says {reference}.', { reference: place });
  return `${done} ${old}`;
}

function messageOf({ place, refused, remedy }: FoundSecret, name: string, t: Translate): string {
  if (!refused) return t('This looks like a secret. Whoever can read this file can read it, and agents can too.');
  const what =
    place === 'clientSecret'
      ? t('A project’s file may not hold a client secret, so this server does not run.')
      : t('A project’s file may not hold the header {name}, so this server does not run.', { name });
  const remedyText =
    remedy === undefined
      ? t('Remove it, or write the URL without variables to move it to your own storage.')
      : t('Move it to your own storage: the quick fix does so.');
  return `${what} ${remedyText}`;
}

function fixOf({ place, remedy }: FoundSecret, name: string, t: Translate): string | undefined {
  if (remedy === undefined) return undefined;
  if (remedy.kind === 'reference') {
    return name === ''
      ? t('Move this value to the editor’s secret storage')
      : t('Move the value of {name} to the editor’s secret storage', { name });
  }
  return place === 'clientSecret'
    ? t('Move the client secret to your own storage')
    : t('Move the header {name} to your own storage', { name });
}
