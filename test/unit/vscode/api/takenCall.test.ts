import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limits } from '../../../../src/core/limits.ts';
import { takenCall } from '../../../../src/vscode/api/takenCall.ts';

describe('takenCall', () => {
  it('takes a call down as it is now', () => {
    const args = { list: [1, { two: 2 }] };
    const taken = takenCall({ caller: 'a.b', server: 's', tool: 't', arguments: args, seen: '1.x' });
    args.list.push(3);
    assert.deepEqual(taken, {
      caller: 'a.b',
      server: 's',
      tool: 't',
      args: { list: [1, { two: 2 }] },
      seen: '1.x',
    });
    assert.deepEqual(takenCall({ caller: 'a.b', server: 's', tool: 't' }), {
      caller: 'a.b',
      server: 's',
      tool: 't',
      args: {},
      seen: undefined,
    });
  });

  it('reads each part once', () => {
    const reads: string[] = [];
    takenCall(new Proxy({}, { get: (_, name) => (reads.push(String(name)), undefined) }));
    assert.deepEqual(reads.sort(), ['arguments', 'caller', 'seen', 'server', 'tool']);
  });

  it('never throws, and takes what is no text for none', () => {
    const thrower = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    const empty = { caller: '', server: '', tool: '' };
    for (const call of [undefined, null, 1, 'text', thrower, { caller: 1, server: {}, tool: [] }]) {
      const { caller, server, tool } = takenCall(call);
      assert.deepEqual({ caller, server, tool }, empty);
    }
    assert.equal(takenCall(thrower).args, undefined);
    assert.equal(takenCall({ seen: 7 }).seen, '', 'stands for nothing that there is');
  });

  it('has no arguments of what is no JSON object, is too large, or says something else of itself', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const large = { text: 'x'.repeat(limits.gateway.body) };
    for (const args of [
      null,
      [],
      'text',
      1n,
      circle,
      large,
      () => 1,
      { toJSON: () => [] },
      { toJSON: () => undefined },
    ]) {
      assert.equal(takenCall({ arguments: args }).args, undefined);
    }
    const polluted = takenCall({ arguments: JSON.parse('{"__proto__":{"a":1}}') as object }).args;
    assert.deepEqual(Object.keys(polluted ?? {}), ['__proto__']);
  });
});
