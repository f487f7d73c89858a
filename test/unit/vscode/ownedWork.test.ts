import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OwnedWork } from '../../../src/vscode/ownedWork.ts';

/** Work that ends only because it is told to, one turn later. */
async function untilTold(signal: AbortSignal, ended: string[], name: string): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.resolve();
  ended.push(name);
  throw new Error(`${name}: ${(signal.reason as Error).message}`);
}

describe('work that belongs to a window', () => {
  it('is told to end with the window, and waited for', async () => {
    const owned = new OwnedWork();
    const ended: string[] = [];
    const caller = new AbortController();
    const works = [
      owned.run(caller.signal, (signal) => untilTold(signal, ended, 'a')),
      owned.run(undefined, (signal) => untilTold(signal, ended, 'b')),
    ];
    const settled = Promise.allSettled(works);
    await owned.end(new Error('window closes'));
    assert.deepEqual(ended.sort(), ['a', 'b']);
    for (const one of await settled) {
      assert.ok(one.status === 'rejected');
      assert.match(String(one.reason), /window closes/);
    }
    await assert.rejects(
      owned.run(undefined, (signal) => untilTold(signal, ended, 'late')),
      /late: window closes/,
    );
  });

  it('still ends when its caller aborts', async () => {
    const owned = new OwnedWork();
    const caller = new AbortController();
    const work = owned.run(caller.signal, (signal) => untilTold(signal, [], 'a'));
    caller.abort(new Error('by hand'));
    await assert.rejects(work, /a: by hand/);
  });
});
