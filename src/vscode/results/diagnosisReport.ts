// A diagnosis as a Markdown document: one line a check with its mark, then the reason and the remedy. Pure; what
// servers sent is escaped.
import { markdownText } from '../../base/sanitise.ts';
import { checkNames, skipReasons } from '../../contract/checkNames.ts';
import type { Check, Diagnosis, Verdict } from '../../core/diagnostics/diagnosis.ts';
import { problemText } from '../problemText.ts';
import type { Translate } from '../translate.ts';

export function diagnosisReport({ server, checks, healthy, noiseCount }: Diagnosis, t: Translate): string {
  const title = `# ${markdownText(server)}`;
  const verdict = healthy ? t('Everything that could be checked works.') : firstFailure(checks, t);
  const noise =
    noiseCount === 0 ? [] : [t('It printed {count} lines that are no protocol messages.', { count: noiseCount })];
  return [title, verdict, checks.map((check) => checkText(check, t)).join('\n\n'), ...noise].join('\n\n') + '\n';
}

/** `3 of 4 checks passed` for a short message. */
export function diagnosisSummary({ server, checks, healthy }: Diagnosis, t: Translate): string {
  const made = checks.filter(({ verdict }) => verdict !== 'skipped');
  const passed = made.filter(({ verdict }) => verdict === 'ok').length;
  if (healthy) return t('“{server}” works: every check passed ({count}).', { server, count: passed });
  return t('“{server}”: {passed} of {count} checks passed.', { server, passed, count: made.length });
}

const marks: Record<Verdict, string> = { ok: '✓', failed: '✗', skipped: '–' };

function checkText(check: Check, t: Translate): string {
  const told = check.skipped === undefined ? factsText(check, t) : t(skipReasons[check.skipped]);
  const line = `${marks[check.verdict]} **${t(checkNames[check.name])}**${told === '' ? '' : `: ${told}`}`;
  const details = [...problemLines(check, t), ...listLines(check, t)].map((detail) => `> ${detail}`);
  return details.length === 0 ? line : `${line}\n${details.join('  \n')}`;
}

function factsText({ name, facts, list }: Check, t: Translate): string {
  const value = (key: string): string | undefined => {
    const fact = facts[key];
    return fact === undefined || fact === '' ? undefined : markdownText(String(fact));
  };
  const joined = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(', ');
  switch (name) {
    case 'target':
      return joined(value('executable'), value('origin'), value('cwd'));
    case 'transport':
      return joined(
        value('transport'),
        facts['pid'] === undefined ? undefined : t('process {pid}', { pid: facts['pid'] }),
      );
    case 'initialise':
      return joined(value('era'), value('revision'), value('serverName'), value('serverVersion'));
    case 'tools':
    case 'resources':
    case 'resourceTemplates':
    case 'prompts':
      return list === undefined ? '' : String(list.count);
    case 'definition':
    case 'signIn':
    case 'call':
      return joined(...Object.keys(facts).map(value));
  }
}

function problemLines({ problem }: Check, t: Translate): readonly string[] {
  if (problem === undefined) return [];
  const { text, remedy } = problemText(problem, t);
  const tail = (problem.stderr ?? []).map((line) => markdownText(line));
  return [markdownText(text), markdownText(remedy), ...(tail.length === 0 ? [] : [t('Its last lines:'), ...tail])];
}

function listLines({ list }: Check, t: Translate): readonly string[] {
  if (list === undefined) return [];
  const incomplete =
    list.incomplete === undefined ? [] : [`${t('incomplete')}: ${markdownText(list.incomplete.detail)}`];
  return [...incomplete, ...list.issues.map((issue) => markdownText(`${issue.item}: ${issue.reason}`, 500))];
}

function firstFailure(checks: readonly Check[], t: Translate): string {
  const failed = checks.find(({ verdict }) => verdict === 'failed');
  return failed === undefined ? '' : t('It fails at: {check}.', { check: t(checkNames[failed.name]) });
}
