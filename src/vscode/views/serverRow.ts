// One server's row: its id, what it is doing in a word or two, and an icon that tells "fine", "idle", "needs you" and
// "broken" apart by shape as well as by colour.
import { shownLine } from '../shownText.ts';
import type { BlockedBy, ConnectionState } from '../../core/connection/state.ts';
import type { ServerView } from '../../core/manager/view.ts';
import type { Translate } from '../translate.ts';
import { rulesWithoutTool } from '../../core/manager/rulesWithoutTool.ts';
import { failureWords } from './failureWords.ts';
import { notesOf } from './notes.ts';
import { serverFlags } from './serverFlags.ts';
import { originOf } from './shownTarget.ts';
import type { Row } from './treeRow.ts';

type Icon = NonNullable<Row['icon']>;
type Blocked = Extract<ConnectionState, { kind: 'blocked' }>;

export function serverRow(server: ServerView | undefined, t: Translate, now = Date.now()): Row {
  if (server === undefined) return { label: t('removed'), flags: 'gone', collapsible: 'none', spoken: t('removed') };
  const label = shownLine(server.server.id);
  const description = describe(server, t, shortWords, now);
  const hasOffer = server.snapshot !== undefined || server.kept !== undefined;
  const hasChildren = hasOffer || notesOf(server).length > 0;
  return {
    label,
    description,
    icon: isOverridden(server) ? { id: 'circle-outline', color: 'disabledForeground' } : iconOf(server),
    flags: serverFlags(server),
    collapsible: hasChildren ? 'collapsed' : 'none',
    spoken: `${label}, ${spokenState(server, t) ?? describe(server, t, stateWords, now)}`,
    ...commandOf(server),
    ...(server.state.kind === 'backingOff' && { changesIn: changesIn(server.state, now) }),
  };
}

type BackingOff = Extract<ConnectionState, { kind: 'backingOff' }>;

/** What a row counts down by, in seconds: one that was drawn each second would close its own tooltip. */
const step = 5;

function countdown({ nextAttemptAt }: BackingOff, now: number, t: Translate): string {
  const steps = Math.ceil((nextAttemptAt - now) / (step * 1_000));
  return steps <= 0 ? t('restarting…') : t('restarts in {seconds} s', { seconds: steps * step });
}

/** Milliseconds until the row says something else; undefined where its state changes before. */
function changesIn({ nextAttemptAt }: BackingOff, now: number): number | undefined {
  const left = nextAttemptAt - now;
  return left <= step * 1_000 ? undefined : left % (step * 1_000) || step * 1_000;
}

/** Where it is not as it is drawn: one that counts down would be read out again and again. */
function spokenState({ state, role }: ServerView, t: Translate): string | undefined {
  if (state.kind !== 'backingOff' || role === 'overridden') return undefined;
  return t('ended, restarts at {time}', { time: new Date(state.nextAttemptAt).toLocaleTimeString() });
}

/** What a click or Enter does, where a person has to do something before all else. */
function commandOf(server: ServerView): Pick<Row, 'command'> {
  if (server.state.kind !== 'blocked' || isOverridden(server)) return {};
  switch (server.state.by) {
    case 'trust':
      return { command: { id: 'workbench.trust.manage' } };
    case 'approval':
      return { command: 'server.approve' };
    default:
      return {};
  }
}

/** Another definition serves this id. */
function isOverridden({ role }: ServerView): boolean {
  return role === 'overridden';
}

function describe(
  server: ServerView,
  t: Translate,
  wordsOf: (server: ServerView, t: Translate, now: number) => string,
  now: number,
): string {
  if (isOverridden(server)) return t('the project’s definition is used');
  const words = wordsOf(server, t, now);
  return server.role === 'standIn' ? t('{state} · in place of the project’s', { state: words }) : words;
}

/** For the row, whose icon says that it failed: a narrow column has room for the reason only. */
function shortWords(server: ServerView, t: Translate, now: number): string {
  const { state } = server;
  return (state.kind === 'failed' ? failureWords(state.problem, t) : undefined) ?? stateWords(server, t, now);
}

/** A few words for the state alone. */
export function stateWords(view: ServerView, t: Translate, now = Date.now()): string {
  const { state, snapshot, server, policies } = view;
  switch (state.kind) {
    case 'disabled':
      return t('disabled');
    case 'stopped':
      return t('stopped');
    case 'connecting':
      return t('starting…');
    case 'installing':
      return t('installing…');
    case 'backingOff':
      return countdown(state, now, t);
    case 'signInNeeded':
      return t('sign-in needed');
    case 'failed': {
      const why = failureWords(state.problem, t);
      return why === undefined ? t('failed') : t('failed: {why}', { why });
    }
    case 'blocked':
      return blockedWords(state, t);
    case 'ready': {
      const where = server.definition.kind === 'remote' ? hostOf(server.definition.url) : undefined;
      const tools = snapshot === undefined ? t('listing…') : toolCount(snapshot.tools.length, t);
      const changed = policies.changed?.size ?? 0;
      const news = changed === 0 ? undefined : changedCount(changed, t);
      const idle = rulesWithoutTool(view).length;
      const rules = idle === 0 ? undefined : idleRules(idle, t);
      return [news, rules, tools, where]
        .filter((part) => part !== undefined)
        .map((part) => shownLine(part))
        .join(' · ');
    }
  }
}

function changedCount(count: number, t: Translate): string {
  return count === 1 ? t('1 tool changed') : t('{count} tools changed', { count });
}

/** Because of what: a field of its entry, or a setting of the editor. */
function refusedWords({ data }: Blocked['problem'], t: Translate): string {
  const { field, setting } = data;
  if (setting !== undefined) return t('refused by {setting}', { setting: brief(setting) });
  return field === undefined ? t('refused') : t('refused: {field}', { field: brief(field) });
}

function brief(value: string | number | boolean): string {
  return shownLine(String(value), 80);
}

function idleRules(count: number, t: Translate): string {
  return count === 1 ? t('1 rule names no tool') : t('{count} rules name no tool', { count });
}

export function toolCount(count: number, t: Translate): string {
  if (count === 0) return t('no tools');
  return count === 1 ? t('1 tool') : t('{count} tools', { count });
}

function blockedWords({ by, problem }: Blocked, t: Translate): string {
  switch (by) {
    case 'trust':
      return t('workspace not trusted');
    case 'approval':
      return problem.data['answer'] === 'outdated' ? t('changed, needs your approval') : t('needs your approval');
    case 'refused':
      return t('not approved');
    case 'policy':
      return refusedWords(problem, t);
    case 'conflict':
      return t('defined twice');
    case 'remoteOff':
      return t('remote servers are off');
    case 'input': {
      const { variable } = problem.data;
      return variable === undefined ? t('needs a value') : t('needs {variable}', { variable: brief(variable) });
    }
  }
}

function iconOf(view: ServerView): Icon {
  const { state, policies } = view;
  switch (state.kind) {
    case 'ready':
      if ((policies.changed?.size ?? 0) > 0 || rulesWithoutTool(view).length > 0)
        return { id: 'warning', color: 'list.warningForeground' };
      return { id: 'pass-filled', color: 'testing.iconPassed' };
    case 'connecting':
      return { id: 'loading~spin' };
    case 'installing':
      return { id: 'cloud-download' };
    case 'stopped':
      return { id: 'circle-outline' };
    case 'disabled':
      return { id: 'circle-slash', color: 'disabledForeground' };
    case 'backingOff':
      return { id: 'history', color: 'list.warningForeground' };
    case 'signInNeeded':
      return { id: 'account', color: 'list.warningForeground' };
    case 'failed':
      return { id: 'error', color: 'list.errorForeground' };
    case 'blocked':
      return blockedIcon(state.by);
  }
}

function blockedIcon(by: BlockedBy): Icon {
  switch (by) {
    case 'approval':
      return { id: 'shield', color: 'list.warningForeground' };
    case 'refused':
      return { id: 'lock', color: 'disabledForeground' };
    case 'trust':
      return { id: 'workspace-untrusted', color: 'list.warningForeground' };
    case 'input':
      return { id: 'key', color: 'list.warningForeground' };
    case 'remoteOff':
      return { id: 'globe', color: 'disabledForeground' };
    case 'policy':
    case 'conflict':
      return { id: 'warning', color: 'list.warningForeground' };
  }
}

function hostOf(url: string): string {
  return originOf(url).replace(/^[a-z]+:\/\//i, '');
}
