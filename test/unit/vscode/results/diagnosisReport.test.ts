import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { Check, Diagnosis } from '../../../../src/core/diagnostics/diagnosis.ts';
import { diagnosisReport, diagnosisSummary } from '../../../../src/vscode/results/diagnosisReport.ts';
import { english } from '../../../../src/vscode/translate.ts';

const passed: Check = { name: 'definition', verdict: 'ok', facts: {} };
const failed: Check = {
  name: 'initialise',
  verdict: 'failed',
  facts: {},
  problem: { code: 'exitedAtStart', data: { server: 's', exit: 'code 1' }, stderr: ['[x](command:evil)'] },
};
const skipped: Check = { name: 'tools', verdict: 'skipped', skipped: 'notReached', facts: {} };

function diagnosis(...checks: Check[]): Diagnosis {
  const healthy = checks.every(({ verdict }) => verdict !== 'failed');
  return { server: 's' as ServerId, checks, healthy, noiseCount: 0 };
}

describe('the report of a diagnosis', () => {
  it('has a line for each check, and the reason and remedy of the one that failed', () => {
    const report = diagnosisReport(diagnosis(passed, failed, skipped), english);
    assert.match(report, /✓ \*\*Definition and variables\*\*/);
    assert.match(report, /✗ \*\*Initialise\*\*/);
    assert.match(report, /– \*\*List tools\*\*: not reached/);
    assert.match(report, /It fails at: Initialise/);
    assert.match(report, /ended before it was ready/);
  });

  it('leaves nothing live of what a server printed', () => {
    assert.doesNotMatch(diagnosisReport(diagnosis(failed), english), /\]\(command/);
  });

  it('stays small whatever a server says it is', () => {
    const facts = { era: 'legacy', revision: 'x'.repeat(3_000_000), serverName: '\u202E'.repeat(3_000_000) };
    const report = diagnosisReport(diagnosis({ name: 'initialise', verdict: 'ok', facts }), english);
    assert.ok(report.length < 50_000, `${report.length}`);
  });

  it('counts only the checks that were made', () => {
    assert.equal(diagnosisSummary(diagnosis(passed, failed, skipped), english), '“s”: 1 of 2 checks passed.');
    assert.equal(diagnosisSummary(diagnosis(passed, skipped), english), '“s” works: every check passed (1).');
  });
});
