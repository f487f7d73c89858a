import assert from 'node:assert/strict';
import { describe as suite, it } from 'mocha';
import type { ErrorCode } from '../../../../src/contract/errorCodes.ts';
import { describe } from '../../../../src/core/discovery/paging.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { rpcCodes } from '../../../../src/core/rpcCodes.ts';

suite('the failure of a list in few words', () => {
  for (const [code, words] of [
    ['sessionLost', 'it forgot the session'],
    ['signInNeeded', 'it wants you to sign in'],
    ['forbidden', 'it refused access'],
    ['connectionClosed', 'the connection was closed'],
    ['requestTimeout', 'no answer in time'],
  ] as const) {
    it(`says what became of it: ${code}`, () => {
      assert.equal(describe(new ManagerError(code)), words);
    });
  }

  it('is never the name of a code', () => {
    for (const code of Object.keys(rpcCodes) as ErrorCode[]) {
      assert.ok(!describe(new ManagerError(code)).includes(code), code);
    }
  });
});
