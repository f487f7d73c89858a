// The tooltip of a found server as Markdown in which only our own words are markup.
import { markdownText } from '../../base/sanitise.ts';
import type { FoundServer } from '../../core/found/foundView.ts';
import { fateOf } from '../../core/found/fateOf.ts';
import { shownName } from '../shownText.ts';
import type { Translate } from '../translate.ts';
import { isTakeable } from './foundGroups.ts';
import { clientName, fateText, noteText, shownPath, targetText, unusableText } from './foundText.ts';

export function foundTooltip(server: FoundServer, t: Translate): string {
  const { conversion, places, shown } = server;
  const target = targetText(server);
  const facts = [
    ...(shown === undefined ? [] : [`${shown.kind === 'stdio' ? t('Command') : t('URL')}: ${target}`]),
    ...places.map(({ file, position }) =>
      t('{client}: {path}, line {line}', { client: clientName(file), path: shownPath(file), line: position.line }),
    ),
  ];
  const notes =
    conversion.kind === 'unusable'
      ? [t('It cannot be taken over: {why}.', { why: unusableText(conversion, t) })]
      : conversion.notes.map((note) => noteText(note, t));
  const fates = isTakeable(server)
    ? [t('Taking it over:'), ...places.map((place) => fateText(place, fateOf(place), t))]
    : [];
  return [
    `**${markdownText(shownName(server.name))}**`,
    t('Nothing here runs it: it stands in another client’s file.'),
    facts.map((fact) => `- ${markdownText(fact)}`).join('\n'),
    ...notes.map((note) => markdownText(note)),
    fates.map((line, index) => (index === 0 ? markdownText(line) : `- ${markdownText(line)}`)).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
