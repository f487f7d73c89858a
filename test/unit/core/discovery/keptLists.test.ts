import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { KeptLists } from '../../../../src/core/discovery/keptLists.ts';
import { greet, snapshot } from '../../../support/offerSource.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

describe('KeptLists', () => {
  it('serves the launch that gave the list, also after saving', () => {
    const kept = new KeptLists();
    kept.put('user:a', 'launch-1', snapshot);
    const again = KeptLists.parse(JSON.parse(kept.toText(10_000)));
    assert.deepEqual(again.get('user:a', 'launch-1'), {
      tools: snapshot.tools,
      resources: snapshot.resources,
      resourceTemplates: [],
      prompts: [greet],
    });
  });

  it('leaves out the largest lists where all are too large, and writes no more than it may', () => {
    const kept = new KeptLists();
    const x = 'A'.repeat(60 * 2 ** 20);
    const raw = { name: 't', _meta: { x } };
    const tools = Array.from({ length: 10 }, (_, at) => ({ name: `t${at}`, hash: 'h', annotationsHash: '', raw }));
    // Together more than a text can be long.
    kept.put('user:huge', 'launch-1', { ...snapshot, tools });
    kept.put('user:a', 'launch-1', snapshot);
    kept.put('user:wide', 'launch-1', snapshotOf({ prompts: [{ ...greet, raw: { name: '日'.repeat(900) } }] }));
    const text = kept.toText(2_000);
    assert.ok(Buffer.byteLength(text) <= 2_000);
    const again = KeptLists.parse(JSON.parse(text));
    assert.deepEqual(
      ['user:a', 'user:wide', 'user:huge'].map((key) => again.has(key)),
      [true, false, false],
    );
    assert.deepEqual(JSON.parse(new KeptLists().toText(100)), { version: 1, servers: {} });
  });

  it('drops the list of another launch for good', () => {
    const kept = new KeptLists();
    kept.put('user:a', 'launch-1', snapshot);
    assert.equal(kept.get('user:a', 'launch-2'), undefined);
    assert.equal(kept.get('user:a', 'launch-1'), undefined);
  });

  it('drops what it is told to', () => {
    const kept = new KeptLists();
    kept.put('user:a', 'launch-1', snapshot);
    kept.drop('user:a');
    assert.equal(kept.get('user:a', 'launch-1'), undefined);
  });

  it('leaves out what does not fit in what was stored', () => {
    const stored = {
      version: 1,
      servers: {
        a: {
          launch: 'l',
          tools: [{ name: 't' }, null, { name: 't', hash: 'h', annotationsHash: 'n', raw: {} }],
          prompts: 7,
        },
        b: { tools: [] },
        c: 'x',
        __proto__: { launch: 'l' },
      },
    };
    const kept = KeptLists.parse(stored);
    assert.deepEqual(kept.get('a', 'l')?.tools, [{ name: 't', hash: 'h', annotationsHash: 'n', raw: {} }]);
    assert.deepEqual(kept.get('a', 'l')?.prompts, []);
    for (const key of ['b', 'c', '__proto__']) assert.equal(kept.get(key, 'l'), undefined);
    for (const odd of [undefined, null, [], { version: 2, servers: stored.servers }]) {
      assert.equal(KeptLists.parse(odd).get('a', 'l'), undefined);
    }
  });
});
