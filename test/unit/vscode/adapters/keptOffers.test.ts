import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Emitter } from '../../../../src/base/event.ts';
import type { ServerManager } from '../../../../src/core/manager/serverManager.ts';
import { KeptOffers } from '../../../../src/vscode/adapters/keptOffers.ts';
import { snapshot } from '../../../support/offerSource.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

describe('what is kept of the servers’ lists', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** Keeps what `fill` puts, as after a change of the manager, and opens the same storage again. */
  function reopened(fill: (kept: KeptOffers) => void): KeptOffers {
    const path = join(folder.path, 'storage');
    const kept = new KeptOffers(path);
    const changed = new Emitter<unknown>();
    kept.follow({ onDidChange: changed.event } as unknown as ServerManager);
    fill(kept);
    changed.fire(undefined);
    kept.dispose();
    return new KeptOffers(path);
  }

  it('is there after the next start', () => {
    const again = reopened(({ lists }) => lists.put('user:a', 'launch', snapshot));
    assert.deepEqual(again.lists.get('user:a', 'launch')?.tools, snapshot.tools);
  });

  it('survives a server whose lists are larger than a text can be', () => {
    const raw = { name: 't', _meta: { x: 'A'.repeat(60 * 2 ** 20) } };
    const tools = Array.from({ length: 10 }, (_, at) => ({ name: `t${at}`, hash: 'h', annotationsHash: '', raw }));
    const again = reopened(({ lists }) => {
      lists.put('user:huge', 'launch', { ...snapshot, tools });
      lists.put('user:a', 'launch', snapshot);
    });
    assert.equal(again.lists.has('user:huge'), false);
    assert.deepEqual(again.lists.get('user:a', 'launch')?.tools, snapshot.tools);
  });

  it('fails nobody where it cannot be written', () => {
    reopened((kept) => {
      kept.lists.toText = () => {
        throw new RangeError('Invalid string length');
      };
    });
  });
});
