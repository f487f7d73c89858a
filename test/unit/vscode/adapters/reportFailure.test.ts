import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ManagerError } from '../../../../src/core/errors.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { stubEditor } from '../../../support/editorStub.ts';

const { reportFailure } = await import('../../../../src/vscode/adapters/reportFailure.ts');

describe('a failure that is reported', () => {
  it('is none to the person who refused it', async () => {
    const told: string[] = [];
    stubEditor({
      CancellationError: class extends Error {},
      l10n: { t: english },
      window: { showErrorMessage: (message: string) => Promise.resolve(void told.push(message)) },
    });
    for (const error of [
      new ManagerError('cancelled'),
      new ManagerError('toolNotConfirmed', { server: 's', tool: 't' }),
      new ManagerError('blockedApproval', { server: 's', answer: 'refused' }),
    ]) {
      await reportFailure(error);
      assert.deepEqual(told, [], error.code);
    }
    await reportFailure(new ManagerError('blockedApproval', { server: 's' }));
    assert.match(told.join(), /waits for your approval/);
  });
});
