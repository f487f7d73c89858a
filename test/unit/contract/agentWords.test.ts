import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentTextOf, agentWords } from '../../../src/contract/agentWords.ts';
import type { ErrorCode } from '../../../src/contract/errorCodes.ts';
import { fits } from '../../../src/contract/variants.ts';

/** What is wrong, and what an agent reads of it. */
const table: readonly (readonly [code: ErrorCode, data: Record<string, string | boolean>, told: RegExp])[] = [
  ['toolNotConfirmed', {}, /^The call of t .*was not confirmed\. Do not repeat it unasked\. Tell the person/],
  ['toolNotConfirmed', { nobody: true }, /nobody can be asked here\. Tell the person: .*toolPolicies/],
  ['toolNotConfirmed', { unread: '/x.json' }, /nobody can be asked here\. Tell the person to correct \/x\.json\.$/],
  ['approvalPending', {}, /^The call of t .*is waiting.* Tell the person .*call again with the same arguments/],
  ['toolDenied', {}, /^The policy of the person denies t .*tell the person/],
  ['crashLoop', { restarts: '5' }, /started again 5 times.*tell the person: only they can start it/],
  ['serverDisabled', {}, /ask the person to enable it/],
  ['blockedTrust', {}, /until the person trusts this workspace\. Ask the person to trust the workspace/],
  ['blockedApproval', {}, /waits until the person approves.*Ask the person to review/],
  ['blockedApproval', { answer: 'refused' }, /^The person chose not to run.*ask the person/],
  ['blockedApproval', { answer: 'outdated' }, /the person approved\. Ask the person to review the difference/],
  ['blockedRemoteOff', {}, /Ask the person to turn on roundhouse\.remote\.enabled/],
  ['blockedEditor', { setting: 's.x', why: 'denied' }, /s\.x names it\. Do without it, or tell the person/],
  ['blockedInput', { variable: '${input:k}' }, /needs \$\{input:k\}\. Ask the person to start.*\$\{env:NAME\}\.$/],
  ['variableUnset', { field: 'cwd', variable: '${env:A}' }, /\$\{env:A\}, which is not set\. Tell the person/],
  ['variableNotAvailable', { field: 'cwd', variable: '${input:a}' }, /Ask the person to start the server from VS Code/],
  ['signInNeeded', {}, /wants the person to sign in\. Ask the person/],
  ['forbidden', {}, /Tell the person to check the rights/],
  ['journalFailed', { folder: '/j', detail: 'd' }, /\/j cannot be written: d\. Ask the person to free space/],
  ['inputRequired', {}, /Tell the person that it can be called from VS Code/],
  ['windowClosed', { during: 'tools/call' }, /tools\/call may have run.*before you repeat it, or ask the person/],
  ['windowClosed', { why: 'restricted' }, /in Restricted Mode.*Ask the person to trust the folder/],
  ['windowClosed', {}, /No VS Code window.*Ask the person to open a folder/],
  // What an agent can do by itself it is told as anybody is.
  ['unknownTool', {}, /Refresh the server and check the name/],
  [
    'httpStatus',
    { status: '503', retryAfter: '5 s' },
    /status 503\. It asks to be tried again after: 5 s\. Check the URL/,
  ],
];

describe('what an agent is told of a failure', () => {
  for (const [code, data, told] of table) {
    it(`says who has to do what: ${code} ${JSON.stringify(data)}`, () => {
      const text = agentTextOf(code, { server: 's', tool: 't', ...data });
      assert.match(text, told);
      assert.doesNotMatch(text, /\?/);
    });
  }

  it('is proven for all words of its own', () => {
    const proven = table.map(([code, data]) => agentWords.find((words) => words.code === code && fits(words, data)));
    assert.deepEqual(
      agentWords.filter((words) => !proven.includes(words)),
      [],
    );
  });
});
