import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { canBeSocket } from '../../../src/gateway/socketFile.ts';

describe('the path of a gateway’s socket', () => {
  it('may be as long as every system takes it, in bytes, and is none on Windows', () => {
    const long = `/${'x'.repeat(102)}`;
    assert.deepEqual(
      [long, `${long}x`, `/${'é'.repeat(51)}`, `/${'é'.repeat(52)}`].map((path) => canBeSocket(path, 'darwin')),
      [true, false, true, false],
    );
    assert.deepEqual([canBeSocket('/short', 'linux'), canBeSocket('/short', 'win32')], [true, false]);
  });
});
