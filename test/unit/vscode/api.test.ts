import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { ServerKey } from '../../../src/core/config/model.ts';
import { createApi } from '../../../src/vscode/api.ts';

describe('following the states of servers', () => {
  it('of a window whose part for it cannot be loaded tells nothing, and fails nowhere', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      let asked = 0;
      const api = createApi({
        manager: {
          view: () => ({ servers: [], fileIssues: [] }) as never,
          onDidChange: () => ({ dispose: () => undefined }),
          keyOf: (id) => id as ServerKey,
        },
        late: () => {
          asked += 1;
          return Promise.reject(new Error('not loaded'));
        },
      });
      const subscription = api.onDidChangeStatus(() => assert.fail('told'));
      await setImmediate();
      subscription.dispose();
      assert.deepEqual([asked, unhandled], [1, []]);
      await assert.rejects(api.servers(), /not loaded/);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
