import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkOfFailure } from '../../../../src/core/diagnostics/checkOfFailure.ts';

describe('checkOfFailure', () => {
  it('tells a definition, a target, a transport, a sign-in and an initialise apart', () => {
    assert.equal(checkOfFailure('variableUnset'), 'definition');
    assert.equal(checkOfFailure('commandNotFound'), 'target');
    assert.equal(checkOfFailure('exitedAtStart'), 'transport');
    assert.equal(checkOfFailure('networkFailed'), 'transport');
    assert.equal(checkOfFailure('signInNeeded'), 'signIn');
    assert.equal(checkOfFailure('forbidden'), 'signIn');
    assert.equal(checkOfFailure('eraUnsupported'), 'initialise');
  });

  it('takes a failure of no known place for one of the initialise step', () => {
    assert.equal(checkOfFailure('internal'), 'initialise');
  });
});
