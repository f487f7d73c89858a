import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Redactor } from '../../../../src/base/redact.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { checkTool } from '../../../../src/core/discovery/checkItem.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { ToolChange } from '../../../../src/core/policy/decide.ts';
import {
  type DefinedTool,
  type KnownToolFiles,
  KnownTools,
  type ToolOffer,
} from '../../../../src/core/policy/knownTools.ts';
import { rawTool } from '../../../support/fakeLiveClient.ts';

const tool = (name: string, more: JsonObject = {}): DefinedTool =>
  checkTool(rawTool(name, more), { mirrors: false }).item!;
const offer = (...tools: DefinedTool[]): { tools: readonly DefinedTool[] } => ({ tools });

/** As each list of a server is looked at. */
function look(known: KnownTools, key: string, list: ToolOffer): ReadonlyMap<string, ToolChange> {
  known.acceptFirst(key, list);
  return known.changes(key, list);
}

class MemoryFiles implements KnownToolFiles {
  readonly texts = new Map<string, string>();
  broken = false;

  read(key: string): Promise<string | undefined> {
    return this.broken ? Promise.reject(new Error('EACCES')) : Promise.resolve(this.texts.get(key));
  }

  write(key: string, text: string): void {
    this.texts.set(key, text);
  }
}

describe('KnownTools', () => {
  it('knows what the first list says, and tells nothing while that stays', () => {
    const known = new KnownTools();
    const list = offer(tool('a'), tool('b', { annotations: { readOnlyHint: true } }));
    assert.equal(look(known, 'k', list).size, 0);
    assert.equal(look(known, 'k', list).size, 0);
    assert.equal(look(known, 'k', offer(tool('a'))).size, 0);
  });

  it('tells what is new, what says something else, and whose annotations alone changed', () => {
    const known = new KnownTools();
    look(known, 'k', offer(tool('a'), tool('b'), tool('c'), tool('d'), tool('e')));
    const now = offer(
      tool('a'),
      tool('b', { title: 'Delete it' }),
      tool('c', { inputSchema: { type: 'object', properties: { path: {} } } }),
      tool('d', { annotations: { readOnlyHint: true } }),
      tool('e', { outputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }),
      tool('f'),
    );
    const expected = { b: 'definition', c: 'definition', d: 'annotations', e: 'definition', f: 'new' };
    assert.deepEqual(Object.fromEntries(look(known, 'k', now)), expected);
    assert.deepEqual(Object.fromEntries(look(known, 'k', now)), expected);
  });

  it('accepts nothing by being asked what differs', () => {
    const known = new KnownTools();
    for (let time = 0; time < 2; time += 1) assert.equal(known.changes('k', offer(tool('a'))).get('a'), 'new');
    known.acceptFirst('k', offer(tool('b')));
    known.acceptFirst('k', offer(tool('a')));
    assert.equal(known.changes('k', offer(tool('a'))).get('a'), 'new', 'only the first list is accepted unseen');
  });

  it('keeps servers apart', () => {
    const known = new KnownTools();
    look(known, 'k', offer(tool('a')));
    assert.equal(look(known, 'other', offer(tool('b'))).size, 0);
  });

  it('knows what was accepted, and no other definition of that name', () => {
    const known = new KnownTools();
    look(known, 'k', offer(tool('a')));
    const reviewed = tool('a', { description: 'two' });
    look(known, 'k', offer(reviewed));
    known.accept('k', [reviewed]);
    assert.equal(look(known, 'k', offer(reviewed)).size, 0);
    assert.equal(look(known, 'k', offer(tool('a', { description: 'three' }))).get('a'), 'definition');
    assert.equal(look(known, 'k', offer(tool('a'))).get('a'), 'definition');
    assert.deepEqual(known.definition('k', 'a'), reviewed.raw);
  });

  it('takes a tool that went away and came back as it was for known', () => {
    const known = new KnownTools();
    look(known, 'k', offer(tool('a'), tool('b')));
    known.accept('k', [tool('a', { description: 'two' })]);
    assert.equal(look(known, 'k', offer(tool('b'))).size, 0);
  });

  it('looks into no prototype', () => {
    const known = new KnownTools();
    look(known, 'k', offer());
    const names = ['constructor', '__proto__', 'toString'];
    assert.deepEqual([...look(known, 'k', offer(...names.map((name) => tool(name)))).keys()], names);
  });

  describe('in files', () => {
    it('knows in the next process what it knew in this one, definitions included', async () => {
      const files = new MemoryFiles();
      const first = new KnownTools(files);
      await first.load('k');
      look(first, 'k', offer(tool('__proto__'), tool('a', { description: 'one', title: 'T', _meta: { x: 1 } })));
      const second = new KnownTools(files);
      await second.load('k');
      assert.equal(look(second, 'k', offer(tool('a', { description: 'one', title: 'T' }), tool('__proto__'))).size, 0);
      assert.equal(look(second, 'k', offer(tool('a', { description: 'two' }))).get('a'), 'definition');
      assert.deepEqual(second.definition('k', 'a'), {
        name: 'a',
        title: 'T',
        description: 'one',
        inputSchema: { type: 'object' },
      });
    });

    it('takes over what another window accepted', async () => {
      const files = new MemoryFiles();
      const [one, other] = [new KnownTools(files), new KnownTools(files)];
      for (const known of [one, other]) await known.load('k');
      look(one, 'k', offer(tool('a')));
      await other.load('k');
      const now = offer(tool('a', { description: 'two' }));
      assert.equal(look(other, 'k', now).size, 1);
      one.accept('k', now.tools);
      await other.load('k');
      assert.equal(look(other, 'k', now).size, 0);
    });

    it('knows nothing where the file cannot be read, or holds something else: everything is told', async () => {
      const hostile = [
        '',
        '{',
        '[]',
        '{"version":2,"tools":[]}',
        '{"version":1,"tools":{}}',
        '{"version":1,"tools":[["a"]]}',
      ];
      for (const text of [...hostile, undefined]) {
        const files = new MemoryFiles();
        if (text === undefined) files.broken = true;
        else files.texts.set('k', text);
        const known = new KnownTools(files);
        await known.load('k');
        assert.equal(look(known, 'k', offer(tool('a'))).get('a'), 'new', text);
      }
    });

    it('holds no secret that the server was lent, and compares all the same', async () => {
      const files = new MemoryFiles();
      const secrets = new Redactor(['s3cret-of-the-server']);
      const tools = [tool('a', { description: 'the key is s3cret-of-the-server' }), tool('b')];
      look(new KnownTools(files, secrets), 'k', { tools });
      assert.doesNotMatch(files.texts.get('k')!, /s3cret/);
      const next = new KnownTools(files, secrets);
      await next.load('k');
      assert.equal(look(next, 'k', { tools }).size, 0);
    });

    it('keeps every hash, and of the definitions what fits', async () => {
      const files = new MemoryFiles();
      const known = new KnownTools(files);
      const long = 'x'.repeat(8_000);
      const tools = Array.from({ length: 1_000 }, (_, index) => tool(`tool-${index}`, { description: long }));
      look(known, 'k', { tools });
      const text = files.texts.get('k')!;
      assert.ok(text.length <= limits.knownTools.bytes, `${text.length}`);
      assert.ok(text.length > limits.knownTools.bytes / 2, `${text.length}`);
      const next = new KnownTools(files);
      await next.load('k');
      assert.equal(look(next, 'k', { tools }).size, 0);
      assert.notEqual(next.definition('k', 'tool-0'), undefined);
      assert.equal(next.definition('k', 'tool-999'), undefined);
    });
  });
});
