import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as z from 'zod/mini';
import { keeperDescriptor, keeperEvent, keeperFailure, launchRequest } from '../../../src/contract/keeperWire.ts';

const takes = (form: z.ZodMiniType, value: unknown): boolean => z.safeParse(form, value).success;

describe('what crosses between the keeper and others', () => {
  const process = { pid: 1, start: '2', boot: 'b', host: 'h', namespace: 'n' };
  const descriptor = {
    version: 1,
    wire: 1,
    build: '1.0.0',
    process,
    url: 'http://127.0.0.1:1234',
    token: 'x'.repeat(43),
  };

  it('is found by a file of exactly one form, whose token nobody guesses', () => {
    assert.equal(takes(keeperDescriptor, descriptor), true);
    assert.equal(takes(keeperDescriptor, { ...descriptor, wire: 99 }), true);
    const others = [
      { version: 2 },
      { more: true },
      { token: 'x'.repeat(21) },
      { token: `${'x'.repeat(43)}\r\nhost: a` },
      { url: 'http://attacker.example:80' },
      { url: 'http://127.0.0.1:80@attacker.example' },
      { process: { ...process, pid: -1 } },
      { build: '' },
    ];
    for (const other of others)
      assert.equal(takes(keeperDescriptor, { ...descriptor, ...other }), false, JSON.stringify(other));
  });

  const launch = {
    kind: 'stdio',
    id: 'a',
    protocol: 'legacy',
    timeouts: {},
    fingerprint: 'f',
    command: 'c',
    args: [],
    env: {},
    cwd: '/',
  };
  const request = { key: 'user:a', file: '/mcp.json', launch, environment: {}, roots: [] };

  it('is a launch of a process, and of nothing else', () => {
    assert.equal(takes(launchRequest, request), true);
    const others = [
      { kind: 'remote' },
      { url: 'https://example.com' },
      { protocol: 'any' },
      { timeouts: { connect: -1 } },
      { timeouts: { other: 1 } },
      { args: 'one' },
      { env: { 'A=B': 'c' } },
      { env: { A: 'x'.repeat(200_000) } },
      { id: 'a b' },
    ];
    for (const other of others) {
      assert.equal(takes(launchRequest, { ...request, launch: { ...launch, ...other } }), false, JSON.stringify(other));
    }
    assert.equal(takes(launchRequest, { ...request, roots: [{ uri: 'file:///a', more: 1 }] }), false);
  });

  it('has only failures that have a sentence', () => {
    const failure = (code: string) => ({ error: { code, data: { server: 'a' }, outcome: 'notSent' } });
    assert.equal(takes(keeperFailure, failure('exitedAtStart')), true);
    for (const code of ['unknownCode', 'constructor', '__proto__'])
      assert.equal(takes(keeperFailure, failure(code)), false);
    const state = { kind: 'failed', problem: { code: 'toString', data: {} } };
    assert.equal(takes(keeperEvent, { kind: 'state', key: 'user:a', at: 1, state }), false);
  });
});
