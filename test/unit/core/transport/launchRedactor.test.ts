import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Redactor } from '../../../../src/base/redact.ts';
import { RpcError } from '../../../../src/core/connection/rpcError.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import type { StdioLaunch } from '../../../../src/core/transport/launch.ts';
import { launchRedactor, redactFailure } from '../../../../src/core/transport/launchRedactor.ts';

const secret = 'Zq81-lent-to-it';

describe('launchRedactor', () => {
  it('knows what is secret by name and shape in the environment, and what the launch says', () => {
    const env = { API_KEY: 'by-its-name', NOTE: `ghp_${'a1'.repeat(18)}`, PLAIN: 'plain-words' };
    const launch = { kind: 'stdio', args: [], env, secrets: ['from-the-person'] } as unknown as StdioLaunch;
    const text = `by-its-name ghp_${'a1'.repeat(18)} plain-words from-the-person`;
    assert.equal(launchRedactor(launch).text(text), '[redacted] [redacted] plain-words [redacted]');
  });

  it('knows the password of a URL by itself, wherever in the arguments or variables that stands', () => {
    for (const url of [
      'postgresql://app:Hunter2horse9@db.example/x',
      '--db=postgresql://app:Hunter2horse9@db.example/x',
    ]) {
      for (const place of [
        { args: ['server.js', url], env: {} },
        { args: [], env: { PLAIN: `one ${url}` } },
      ]) {
        const redactor = launchRedactor({ kind: 'stdio', ...place } as unknown as StdioLaunch);
        assert.equal(redactor.text('auth failed (app, Hunter2horse9)'), 'auth failed (app, [redacted])');
      }
    }
  });

  it('hides what the person keeps as a secret from content as well, though it looks like a word', () => {
    const launch = { kind: 'stdio', args: [], env: {}, secrets: ['swordfishes'], kept: ['swordfishes'] };
    const redactor = launchRedactor(launch as unknown as StdioLaunch);
    assert.equal(redactor.content('your key is swordfishes'), 'your key is [redacted]');
  });
});

describe('redactFailure', () => {
  const redactor = new Redactor([secret]);

  it('takes secrets out of the data, and leaves the words that are ours', () => {
    const error = new ManagerError('protocolError', { server: secret, detail: `no ${secret}`, number: 5 });
    assert.deepEqual(redactFailure(error, redactor).data, { server: secret, detail: 'no [redacted]', number: 5 });
  });

  it('takes them out of all that is behind it, which stays what it was', () => {
    const rpc = new RpcError(-32000, `no ${secret}`, { key: secret, list: [secret, 1], other: 'word' });
    const system = Object.assign(new Error(`connect ${secret}`, { cause: rpc }), { code: 'ECONNRESET', round: {} });
    system.round = { system };
    const error = new ManagerError('networkFailed', {}, { cause: new AggregateError([system, rpc], secret) });
    const { cause } = redactFailure(error, redactor);
    assert.ok(cause instanceof AggregateError);
    const [first, second] = cause.errors as [Error & { code: string; round: unknown }, RpcError];
    assert.deepEqual([first.message, first.code, first.round], ['connect [redacted]', 'ECONNRESET', undefined]);
    assert.ok(second instanceof RpcError && first.cause instanceof RpcError);
    assert.deepEqual(
      [second.code, second.data],
      [-32000, { key: '[redacted]', list: ['[redacted]', 1], other: 'word' }],
    );
    for (const each of [cause, first, second]) assert.doesNotMatch(`${each.message} ${each.stack ?? ''}`, /Zq81/);
  });

  it('ends where a chain of causes is round', () => {
    const round = new Error(secret);
    round.cause = round;
    assert.doesNotThrow(() => redactFailure(new ManagerError('internal', {}, { cause: round }), redactor));
  });
});
