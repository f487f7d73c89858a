import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createToken, tokenCheck } from '../../../src/gateway/token.ts';

describe('the token of a gateway', () => {
  it('is another one each time, of at least 128 bits', () => {
    const tokens = Array.from({ length: 50 }, () => createToken());
    assert.equal(new Set(tokens).size, tokens.length);
    for (const token of tokens) assert.ok(Buffer.from(token, 'base64url').length >= 16);
  });

  it('is known by all of it, however long what is presented', () => {
    const token = createToken();
    const isToken = tokenCheck(token);
    assert.equal(isToken(token), true);
    for (const other of [
      '',
      token.slice(1),
      token.slice(0, -1),
      `${token}x`,
      token.toUpperCase(),
      'x'.repeat(100_000),
    ]) {
      assert.equal(isToken(other), false);
    }
  });
});
