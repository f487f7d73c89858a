import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ErrorCode } from '../../../src/contract/errorCodes.ts';
import { sentences } from '../../../src/contract/sentences.ts';
import { connectChecks, checkOfFailure } from '../../../src/core/diagnostics/checkOfFailure.ts';
import { type FailureAction, failureActions } from '../../../src/vscode/failureActions.ts';

describe('the buttons of a reported failure', () => {
  const codes = Object.keys(failureActions) as ErrorCode[];

  for (const [words, action] of [
    [/refresh the server/i, 'server.refresh'],
    [/\bits log\b|last lines/i, 'server.showLog'],
    [/\brestart\b/i, 'server.restart'],
    [/\btimeouts?\.\w|toolPolicies|\bcwd\b|set protocol|its full path/i, 'server.edit'],
    [/diagnos/i, 'server.diagnose'],
    [/^enable it/i, 'server.enable'],
    [/^trust the/i, 'manageTrust'],
    [/user settings/i, 'remoteSetting'],
    [/approve it/i, 'server.approve'],
  ] as const satisfies readonly (readonly [RegExp, FailureAction])[]) {
    it(`have ${action} wherever the remedy speaks of it`, () => {
      const lacking = codes.filter(
        (code) => words.test(sentences[code].remedy) && !failureActions[code].includes(action),
      );
      assert.deepEqual(lacking, []);
    });
  }

  it('have a diagnosis for whatever keeps a server from starting or answering its first question', () => {
    const connecting = codes.filter((code) => checkOfFailure(code) === 'transport' || code.startsWith('era'));
    assert.ok(connecting.length > 5 && connectChecks.includes('transport'));
    const lacking = connecting.filter((code) => code !== 'redirectForbidden');
    assert.deepEqual(
      lacking.filter((code) => !failureActions[code].includes('server.diagnose')),
      [],
    );
  });
});
