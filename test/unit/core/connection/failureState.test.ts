import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stateOfFailure } from '../../../../src/core/connection/failureState.ts';
import { ManagerError } from '../../../../src/core/errors.ts';

describe('the state of what cannot start', () => {
  it('says that a value is missing where one is, and not where the definition is wrong', () => {
    for (const code of ['blockedInput', 'variableUnset', 'variableNotAvailable'] as const) {
      const state = stateOfFailure(new ManagerError(code, {}));
      assert.ok(state.kind === 'blocked' && state.by === 'input', code);
    }
    for (const code of ['variableUnknown', 'envFileUnreadable', 'commandNotFound'] as const) {
      assert.equal(stateOfFailure(new ManagerError(code, {})).kind, 'failed', code);
    }
  });

  it('tells a launch that was refused from one that waits', () => {
    const states = [{}, { answer: 'refused' }].map((data) => stateOfFailure(new ManagerError('blockedApproval', data)));
    assert.deepEqual(
      states.map((state) => state.kind === 'blocked' && state.by),
      ['approval', 'refused'],
    );
  });
});
