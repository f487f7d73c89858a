import assert from 'node:assert/strict';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import { classifyFailure, refusalText, statusOf } from '../../../../src/core/connection/classifyFailure.ts';
import { RpcError } from '../../../../src/core/connection/rpcError.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { transportError } from '../../../../src/core/transport/transportError.ts';

const server = 's' as ServerId;
const http = (status: number, text = ''): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'refused', { status, statusText: '', text });

describe('the name of a failure', () => {
  it('tells the place of a schema error in words, not as JSON', () => {
    const issues = [
      { code: 'invalid_type', path: ['serverInfo', 'name'], message: 'expected string' },
      { path: ['b'] },
    ];
    const text = `Invalid result for initialize: ${JSON.stringify(issues)}`;
    const { code, data } = classifyFailure(new SdkError(SdkErrorCode.InvalidResult, text), { server });
    assert.deepEqual([code, data['detail']], ['invalidResponse', 'serverInfo.name: expected string']);
  });

  const request = { server, method: 'tools/call' };
  const rows: readonly (readonly [string, unknown, string, string])[] = [
    ['HTTP 401', http(401), 'signInNeeded', 'completed'],
    ['HTTP 403', http(403), 'forbidden', 'completed'],
    ['HTTP 404', http(404), 'httpStatus', 'completed'],
    ['HTTP 502', http(502), 'httpStatus', 'unknown'],
    ['a JSON-RPC error', new RpcError(-32000, 'no'), 'protocolError', 'completed'],
    ['a frame that was too large', rpc(transportError('frameTooLarge', '')), 'frameTooLarge', 'completed'],
    ['an answer without a result', rpc(transportError('invalidResponse', '')), 'invalidResponse', 'completed'],
    [
      'a method that the era does not have',
      new SdkError(SdkErrorCode.MethodNotSupportedByProtocolVersion, ''),
      'protocolError',
      'notSent',
    ],
    [
      'a wrong content type',
      new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, ''),
      'httpUnexpectedContent',
      'unknown',
    ],
    ['an illegal result', new SdkError(SdkErrorCode.InvalidResult, ''), 'invalidResponse', 'completed'],
    ['a closed connection', new SdkError(SdkErrorCode.ConnectionClosed, ''), 'connectionClosed', 'unknown'],
    ['no connection', new SdkError(SdkErrorCode.NotConnected, ''), 'connectionClosed', 'notSent'],
    ['bad JSON', new SyntaxError('x'), 'httpUnexpectedContent', 'unknown'],
    ['something else', new Error('surprise'), 'internal', 'unknown'],
    ['no error at all', 'surprise', 'internal', 'unknown'],
  ];
  for (const [what, error, code, outcome] of rows) {
    it(`${what} is ${code}, ${outcome}`, () => {
      const failure = classifyFailure(error, request);
      assert.deepEqual([failure.code, failure.outcome], [code, outcome]);
      assert.deepEqual([failure.data['server'], failure.data['method']], ['s', 'tools/call']);
    });
  }

  it('is what a part below already called it, wherever the SDK put it', () => {
    const ours = new ManagerError('redirectForbidden', { url: 'u' }, { outcome: 'completed' });
    for (const error of [
      ours,
      new Error('fetch failed', { cause: ours }),
      new SdkError(SdkErrorCode.EraNegotiationFailed, '', { cause: ours }),
      new SdkError(SdkErrorCode.EraNegotiationFailed, '', undefined, { cause: new Error('', { cause: ours }) }),
    ]) {
      const failure = classifyFailure(error, { server, protocol: 'auto' });
      assert.deepEqual([failure.code, failure.outcome], ['redirectForbidden', 'completed']);
      assert.deepEqual(failure.data, { server: 's', url: 'u' });
    }
  });

  for (const [protocol, wanted] of [
    ['legacy', 'legacy'],
    ['auto', '2026-07-28'],
    ['2026-07-28', '2026-07-28'],
  ] as const) {
    it(`while connecting in ${protocol}: an answer about the era is eraUnsupported`, () => {
      for (const code of [-32022, -32601]) {
        const failure = classifyFailure(new ProtocolError(code, 'no'), { server, protocol });
        assert.deepEqual([failure.code, failure.data['wanted']], ['eraUnsupported', wanted]);
      }
    });
  }

  it('while connecting: any refusal of the pin is eraUnsupported, other errors are the server’s own', () => {
    const error = new ProtocolError(-32603, 'broken');
    assert.equal(classifyFailure(error, { server, protocol: '2026-07-28' }).code, 'eraUnsupported');
    const failure = classifyFailure(error, { server, protocol: 'legacy' });
    assert.deepEqual(
      [failure.code, failure.data['number'], failure.data['method']],
      ['protocolError', -32603, 'initialize'],
    );
  });

  it('names a revision that nobody knows', () => {
    const failure = classifyFailure(new Error("Server's protocol version is not supported: 2099-01-01"), { server });
    assert.deepEqual([failure.code, failure.data['found']], ['protocolVersionUnsupported', '2099-01-01']);
  });

  it('keeps a server’s long message within bounds', () => {
    const failure = classifyFailure(new Error('x'.repeat(100_000)), { server });
    assert.ok(String(failure.data['detail']).length < 10_000);
  });
});

describe('an HTTP failure', () => {
  it('shows its status and its text through the errors around it', () => {
    const wrapped = new Error('', { cause: http(404, '{"jsonrpc":"2.0"}') });
    assert.equal(statusOf(wrapped), 404);
    assert.equal(refusalText(wrapped), '{"jsonrpc":"2.0"}');
    assert.equal(statusOf(new Error('none')), undefined);
    assert.equal(refusalText(new Error('none')), undefined);
  });

  it('does not search a circle of causes for ever', () => {
    const one = new Error('one');
    one.cause = new Error('two', { cause: one });
    assert.equal(statusOf(one), undefined);
  });

  it('keeps at most 4 KiB of what a server said', () => {
    for (const error of [new RpcError(-32000, 'a'.repeat(5_000_000)), new Error('a'.repeat(5_000_000))]) {
      assert.equal(String(classifyFailure(error, { server, method: 'm' }).data['detail']).length, 4_096);
    }
  });
});

function rpc({ code, message, data }: ReturnType<typeof transportError>): RpcError {
  return new RpcError(code, message, data);
}
