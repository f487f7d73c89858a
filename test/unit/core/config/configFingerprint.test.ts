import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fileOf, serverOf, user } from './snapshots.ts';

const print = (entry: object): string => serverOf(user, entry).fingerprint;

describe('configFingerprint', () => {
  const base = { command: 'x', args: ['1', '2'], env: { A: '1', B: '2' } };

  it('is the same for one meaning written in two ways', () => {
    assert.equal(
      print({ env: { B: '2', A: '1' }, args: ['1', '2'], command: 'x', protocol: 'legacy', note: 1 }),
      print(base),
    );
  });

  it('leaves out what changes no connection', () => {
    const quiet = { enabled: false, autostart: true, toolPolicies: { a: 'deny' }, timeouts: { call: 5 } };
    assert.equal(print({ ...base, ...quiet, description: 'words' }), print(base));
  });

  it('covers what the file says of the inputs that it uses, and of no other', () => {
    const uses = { command: 'x', args: ['${input:stage}'] };
    const print = (...inputs: object[]): string => fileOf(user, { a: uses }, inputs).servers[0]!.fingerprint;
    const stage = { id: 'stage', type: 'pickString', options: ['a', 'b'] };
    const prints = [
      print(),
      print(stage),
      print({ ...stage, options: ['a', 'c'] }),
      print({ ...stage, default: 'a' }),
      print({ ...stage, description: 'Which?' }),
      print({ id: 'stage', type: 'promptString' }),
      print({ id: 'stage', type: 'promptString', password: true }),
    ];
    assert.equal(new Set(prints).size, prints.length);
    assert.equal(print(stage, { id: 'other', type: 'promptString' }), print(stage));
  });

  it('tells apart everything else', () => {
    const others = [
      base,
      { ...base, command: 'y' },
      { ...base, args: ['2', '1'] },
      { ...base, args: ['1', '2', ''] },
      { ...base, env: { A: '1' } },
      { ...base, env: { A: '12', B: '' } },
      { ...base, envFile: 'f' },
      { ...base, cwd: '/' },
      { ...base, protocol: 'auto' },
      { ...base, persistent: true },
      { ...base, isolation: 'session' },
      { ...base, roots: false },
      { url: 'https://x/' },
      { url: 'https://x/', transport: 'sse' },
      { url: 'https://x/', headers: { A: '1' } },
      { url: 'https://x/', oauth: { clientId: 'c' } },
    ];
    assert.equal(new Set(others.map(print)).size, others.length);
  });
});
