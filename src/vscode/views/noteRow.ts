// The row of one note under a server, and the sentence behind it, which the tooltip and the screen reader give whole.
import { shownLine } from '../shownText.ts';
import type { Incomplete } from '../../core/discovery/snapshot.ts';
import { stateOfProblem } from '../../core/connection/failureState.ts';
import type { Problem } from '../../core/connection/state.ts';
import type { ServerRole } from '../../core/config/resolveRoles.ts';
import { settingIds } from '../contributions.ts';
import { failureActions } from '../failureActions.ts';
import { problemText } from '../problemText.ts';
import { failureWords } from './failureWords.ts';
import type { Translate } from '../translate.ts';
import type { Note } from './notes.ts';
import type { Row } from './treeRow.ts';

type Icon = NonNullable<Row['icon']>;

const warning: Icon = { id: 'warning', color: 'list.warningForeground' };
const information: Icon = { id: 'info' };

export function noteRow(note: Note, t: Translate): Row {
  const command = commandOf(note);
  return {
    ...wordsOf(note, t),
    icon: iconOf(note),
    flags: 'note',
    collapsible: 'none',
    ...(command === undefined ? {} : { command }),
  };
}

/** The server's own row says why it does not run: here stands what to do about it. */
function wordsOf(note: Note, t: Translate): Pick<Row, 'label' | 'spoken'> {
  if (!('problem' in note)) {
    const label = noteText(note, t);
    return { label, spoken: label };
  }
  const { code, data } = note.problem;
  const { text, remedy } = problemText(note.problem, t);
  const spoken = `${text} ${remedy}`;
  if (note.kind === 'waiting') return { label: failureWords(note.problem, t) ?? text, spoken: text };
  // The row has no room for where the other definition is.
  if (note.kind !== 'problem' || code === 'blockedConflict') return { label: text, spoken };
  // What is wrong with an entry says what to change in it.
  const { detail } = data;
  return { label: code === 'blockedPolicy' && typeof detail === 'string' ? shownLine(detail) : remedy, spoken };
}

function commandOf(note: Note): Row['command'] {
  switch (note.kind) {
    case 'problem':
      return remedyCommand(note.problem);
    case 'changedTools':
      return 'tools.review';
    case 'outOfPlace':
    case 'rulesWithoutTool':
      return 'server.edit';
    default:
      return undefined;
  }
}

/** The whole of it, the remedy of a problem apart. */
export function noteText(note: Note, t: Translate): string {
  switch (note.kind) {
    case 'installing':
      return shownLine(note.detail);
    case 'role':
      return roleText(note.role, t);
    case 'empty':
      return t('This server offers nothing.');
    case 'leftOut':
      return note.count === 1
        ? t('1 item of its lists is unusable and left out.')
        : t('{count} items of its lists are unusable or doubled and left out.', { count: note.count });
    case 'repaired':
      return note.count === 1
        ? t('1 item of its lists had a fault; it is offered without it.')
        : t('{count} items of its lists had faults; they are offered without them.', { count: note.count });
    case 'noise':
      return note.count === 1
        ? t('It printed 1 line that is no protocol message.')
        : t('It printed {count} lines that are no protocol messages.', { count: note.count });
    case 'changedTools':
      return note.count === 1
        ? t('1 tool changed: review it')
        : t('{count} tools changed: review them', { count: note.count });
    case 'withoutEffect':
      return t('{keys}: kept in the file, though this version does not act on it yet.', { keys: note.keys.join(', ') });
    case 'outOfPlace':
      return t('{keys}: nothing acts on it in this entry; check its name.', {
        keys: shownLine(note.keys.join(', ')),
      });
    case 'rulesWithoutTool':
      return t('No such tool, so its rule has no effect: {tools}', {
        tools: shownLine(note.keys.join(', ')),
      });
    default:
      return 'incomplete' in note ? incompleteText(note.incomplete, t) : problemText(note.problem, t).text;
  }
}

/** What a click on the reason does: the remedy, where the editor has one that starts nothing unasked. */
function remedyCommand({ code }: Problem): Row['command'] {
  const action = failureActions[code].find((each) => each !== 'server.diagnose');
  switch (action) {
    case 'manageTrust':
      return { id: 'workbench.trust.manage' };
    case 'remoteSetting':
      return 'remote.turnOn';
    case 'journalSetting':
      return { id: 'workbench.action.openSettings', argument: settingIds.journalEnabled };
    default:
      return action;
  }
}

function iconOf(note: Note): Icon {
  switch (note.kind) {
    case 'problem':
      return stateOfProblem(note.problem).kind === 'blocked'
        ? information
        : { id: 'error', color: 'list.errorForeground' };
    case 'installing':
    case 'role':
    case 'empty':
    case 'repaired':
    case 'noise':
    case 'withoutEffect':
      return information;
    default:
      return warning;
  }
}

function roleText(role: ServerRole, t: Translate): string {
  switch (role) {
    case 'standIn':
      return t('Your own definition is used, because the project’s one may not run.');
    case 'overridden':
      return t('The project defines a server of this id, which is used instead.');
    case 'waiting':
      return t('Your own definition is used until this one may run.');
    case 'shared':
      return t('Another folder defines the same server; both share one instance.');
    case 'conflict':
      return t('Another folder defines a different server of this id.');
    case 'serving':
      return '';
  }
}

function incompleteText({ kind, reason, detail }: Incomplete, t: Translate): string {
  const list = {
    tools: t('tools'),
    resources: t('resources'),
    resourceTemplates: t('resource templates'),
    prompts: t('prompts'),
  }[kind];
  switch (reason) {
    case 'pageFailed':
      return t('The list of {list} is incomplete: a page could not be read ({detail}).', {
        list,
        detail: shownLine(detail),
      });
    case 'repeatedCursor':
      return t('The list of {list} is incomplete: the server repeats a page.', { list });
    case 'pageLimit':
      return t('The list of {list} is incomplete: it has too many pages.', { list });
    case 'itemLimit':
      return t('The list of {list} is incomplete: it has too many items.', { list });
    case 'sizeLimit':
      return t('The list of {list} is incomplete: the lists of this server are too large.', { list });
  }
}
