import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerKey } from '../../../../src/core/config/model.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { RememberedApprovals } from '../../../../src/vscode/adapters/rememberedApprovals.ts';

const key = 'project:/work/one:demo' as ServerKey;
const fingerprint = 'a1'.repeat(32) as LaunchFingerprint;

function stateOf(held = new Map<string, unknown>()) {
  const memory = new RememberedApprovals({
    get: (name: string) => held.get(name) as never,
    keys: () => [...held].flatMap(([name, value]) => (value === undefined ? [] : [name])),
    update: (name, value) => Promise.resolve(void held.set(name, value)),
  });
  return { held, memory };
}

describe('approvals that are remembered', () => {
  it('are one fingerprint a definition, beside all else that the editor keeps', async () => {
    const { held, memory } = stateOf(new Map([['value:input:user:who', 'x']]));
    await memory.set(key, fingerprint);
    assert.deepEqual([...held].at(-1), [`approval:${key}`, fingerprint]);
    assert.equal(memory.get(key), fingerprint);
    assert.deepEqual(memory.keys(), [key]);
    await memory.delete(key);
    assert.deepEqual([memory.get(key), memory.keys()], [undefined, []]);
  });

  it('are none where what is kept is no fingerprint', () => {
    for (const value of [true, '', 'yes', `${fingerprint}0`, fingerprint.toUpperCase(), [fingerprint]]) {
      assert.equal(stateOf(new Map([[`approval:${key}`, value]])).memory.get(key), undefined, String(value));
    }
  });
});
