import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/clock.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { ConfigStore } from '../../../../src/core/config/configStore.ts';
import { notJson } from '../../../../src/core/config/notJson.ts';

const circle: Record<string, unknown> = { command: 'c' };
circle['self'] = circle;

describe('an entry that is handed in', () => {
  it('is JSON, also without a prototype and with fields that are absent', () => {
    for (const entry of [
      { command: 'c', args: ['1'], timeouts: { call: 1 }, enabled: true, x: null, cwd: undefined },
      Object.assign(Object.create(null), { command: 'c' }),
    ]) {
      assert.equal(notJson(entry), undefined);
    }
  });

  const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ command: () => 1 }, 'command'],
    [{ command: 'c', n: 10n }, 'n'],
    [{ command: 'c', args: ['a', undefined] }, 'args.1'],
    [{ command: 'c', args: ['a', Symbol('s')] }, 'args.1'],
    [{ command: 'c', timeouts: { call: NaN } }, 'timeouts.call'],
    [{ command: 'c', timeouts: { call: Infinity } }, 'timeouts.call'],
    [{ command: 'c', since: new Date(0) }, 'since'],
    [{ command: 'c', env: new Map([['A', '1']]) }, 'env'],
    [circle, 'self.self.self'],
  ];
  for (const [entry, field] of wrong) {
    it(`is refused with its field where it is none, before any file is touched: ${field}`, async () => {
      const scope = { kind: 'user' } as const;
      const store = new ConfigStore({ file: '/dev/null/mcp.json', scope, clock: systemClock({ unref: true }) });
      await assert.rejects(store.upsert('s', entry as JsonObject), (error: unknown) => {
        const { name, code, data } = error as { name: string; code: string; data: Record<string, unknown> };
        assert.deepEqual([name, code, data['server'], data['field']], ['ManagerError', 'configInvalid', 's', field]);
        return true;
      });
    });
  }
});
