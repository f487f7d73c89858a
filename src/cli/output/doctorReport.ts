// What `doctor` tells of one server, in both forms: one check after the other, with reason and remedy.
import { checkNames, type SkipReason, skipReasons } from '../../contract/checkNames.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { ServerId } from '../../contract/serverConfig.ts';
import { stateOfProblem } from '../../core/connection/failureState.ts';
import type { Check, Diagnosis } from '../../core/diagnostics/diagnosis.ts';
import type { DiscoveryIssue, Incomplete } from '../../core/discovery/snapshot.ts';
import type { ErrorData } from '../../core/errors.ts';
import { line } from './shownText.ts';
import { incompleteWords, issueText, noiseText, type StateName, stateName, stateWords, wordsOf } from './words.ts';

export interface ExaminedServer {
  readonly id: string;
  /** What the server's state would be: `ready`, `failed`, `blocked(input)`, … */
  readonly state: StateName;
  readonly healthy: boolean;
  readonly checks: readonly ExaminedCheck[];
  /** Lines on stdout that were no protocol messages. */
  readonly noiseCount: number;
}

interface ExaminedCheck {
  readonly name: string;
  readonly verdict: string;
  readonly skipped?: SkipReason;
  readonly facts: ErrorData;
  readonly issues?: readonly DiscoveryIssue[];
  readonly issueCount?: number;
  readonly incomplete?: Incomplete;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly remedy: string;
    readonly stderr?: readonly string[];
  };
}

export function examinedServer({ server, checks, healthy, noiseCount }: Diagnosis): ExaminedServer {
  return { id: server, state: stateAfter(checks), healthy, checks: checks.map(examinedCheck), noiseCount };
}

export function disabledServer(id: ServerId): ExaminedServer {
  return { id, state: 'disabled', healthy: true, checks: [], noiseCount: 0 };
}

/** What there is to know first: whether anything is wrong, and where. */
export function verdictText(examined: readonly ExaminedServer[]): string {
  if (examined.length === 0) return 'No servers are configured.';
  const [disabled, tried] = [true, false].map((is) => examined.filter(({ state }) => (state === 'disabled') === is));
  const names = (servers: readonly ExaminedServer[] = []): string => servers.map(({ id }) => id).join(', ');
  const ill = examined.filter(({ healthy }) => !healthy);
  const count = tried?.length ?? 0;
  const servers = count === 1 ? '1 server' : `${count} servers`;
  const verdict =
    ill.length > 0
      ? `${ill.length} of ${servers} ${ill.length === 1 ? 'has' : 'have'} a problem: ${names(ill)}.`
      : `No problem was found with ${servers}.`;
  return disabled?.length === 0 ? verdict : `${verdict} Disabled: ${names(disabled)}.`;
}

/** The text form; ends with a line end. */
export function examinedText({ id, state, checks, noiseCount }: ExaminedServer): string {
  // The doctor calls no tools: that there was no call is nothing to tell.
  const told = checks.filter(({ name, verdict }) => name !== 'call' || verdict !== 'skipped');
  const parts = [`${id}: ${stateWords[state]}`, ...told.flatMap(checkLines)];
  if (noiseCount > 0) parts.push(`  note     ${noiseText(noiseCount)}`);
  return `${parts.join('\n')}\n`;
}

function examinedCheck({ name, verdict, skipped, facts, list, problem }: Check): ExaminedCheck {
  return {
    name,
    verdict,
    ...(skipped && { skipped }),
    facts,
    ...(list === undefined || list.issueCount === 0 ? {} : { issues: list.issues, issueCount: list.issueCount }),
    ...(list?.incomplete === undefined ? {} : { incomplete: list.incomplete }),
    ...(problem === undefined
      ? {}
      : {
          error: {
            code: problem.code,
            ...wordsOf(problem),
            ...(problem.stderr === undefined ? {} : { stderr: problem.stderr }),
          },
        }),
  };
}

function checkLines(check: ExaminedCheck): readonly string[] {
  const { name, verdict, skipped, facts, issues, issueCount = 0, incomplete, error } = check;
  const told = Object.entries(facts).filter(([, value]) => value !== undefined);
  const details = told.map(([fact, value]) => `${factNames[fact] ?? fact} ${line(String(value))}`).join(', ');
  const title = checkNames[name as keyof typeof checkNames];
  const after = skipped === undefined ? details : skipReasons[skipped];
  const parts = [`  ${verdict.padEnd(8)} ${title}${after === '' ? '' : `: ${after}`}`];
  const add = (text: string): void => void parts.push(`           ${text}`);
  if (error !== undefined) {
    add(error.message);
    add(error.remedy);
    for (const text of error.stderr ?? []) add(`| ${line(text)}`);
  }
  if (incomplete !== undefined) add(`not complete (${incompleteWords[incomplete.reason]}): ${line(incomplete.detail)}`);
  for (const issue of issues ?? []) add(issueText(issue));
  if (issueCount > (issues?.length ?? 0)) add(`and ${issueCount - (issues?.length ?? 0)} more`);
  return parts;
}

/** Facts whose names are no words. */
const factNames: Readonly<Record<string, string | undefined>> = {
  executable: 'found at',
  cwd: 'works in',
  transport: 'over',
  era: 'protocol',
  serverName: 'server',
  serverVersion: 'version',
  count: 'items:',
};

/** The state that the connection would have: a list that failed leaves it ready, unless the connection ended by it. */
function stateAfter(checks: readonly Check[]): StateName {
  const initialised = checks.some(({ name, verdict }) => name === 'initialise' && verdict === 'ok');
  const problems = checks.flatMap(({ problem }) => problem ?? []);
  const problem = initialised ? problems.find(({ code }) => endings.has(code)) : problems[0];
  if (problem === undefined) return initialised ? 'ready' : 'stopped';
  return stateName(stateOfProblem(problem));
}

/** What a request fails with when its connection has ended. */
const endings: ReadonlySet<ErrorCode> = new Set(['processExited', 'connectionClosed', 'sessionLost', 'signInNeeded']);
