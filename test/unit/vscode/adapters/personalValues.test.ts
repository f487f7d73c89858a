import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Deferred, deferred } from '../../../../src/base/deferred.ts';
import type { ConfigScope, InputDefinition } from '../../../../src/contract/serverConfig.ts';
import { type Memory, StoredValues } from '../../../../src/vscode/adapters/personalValues.ts';
import { boundValueOf, secretOf, type StoredValue } from '../../../../src/vscode/adapters/storedValue.ts';
import { demoScope, userScope } from '../../../support/managerView.ts';

function memory(kept = new Map<string, unknown>()): Memory {
  return {
    get: (key: string) => kept.get(key) as never,
    update: (key: string, value: unknown) => {
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
      return Promise.resolve();
    },
  };
}

/** Workspaces of one person: what is kept everywhere, and the keyring, are the same in all of them. */
function person(definition?: InputDefinition) {
  const keyring = new Map<string, string>();
  const state = new Map<string, unknown>();
  const everywhere = memory(state);
  let present = definition;
  const questions: {
    value: StoredValue;
    asked: InputDefinition | undefined;
    signal: AbortSignal | undefined;
    answer: Deferred<string | undefined>;
  }[] = [];
  const locked = { yes: false };
  const unlocked = <T>(act: () => T): Promise<T> =>
    locked.yes ? Promise.reject(new Error('no keyring, and the value was pa55')) : Promise.resolve(act());
  const secrets = {
    get: (key: string) => unlocked(() => keyring.get(key)),
    store: (key: string, value: string) => unlocked(() => void keyring.set(key, value)),
    delete: (key: string) => unlocked(() => void keyring.delete(key)),
  };
  const inWorkspace = () =>
    new StoredValues({
      secrets,
      everywhere,
      workspace: memory(),
      definition: () => present,
      ask: (value, asked, signal) => {
        const answer = deferred<string | undefined>();
        signal?.addEventListener('abort', () => answer.resolve(undefined), { once: true });
        questions.push({ value, asked, signal, answer });
        return answer.promise;
      },
    });
  const question = async (index: number) => {
    for (let turn = 0; turn < 50 && questions[index] === undefined; turn += 1) await Promise.resolve();
    return questions[index]!;
  };
  const redefine = (next: InputDefinition): void => void (present = next);
  /** All that lies in the editor's state and in the keyring. */
  const everything = (): string => JSON.stringify([[...state], [...keyring]]);
  return { inWorkspace, questions, question, keyring, locked, redefine, everything };
}

const names = (values: StoredValues): readonly string[] => values.list().map(({ name }) => name);

async function give(values: StoredValues, me: ReturnType<typeof person>, name: string, scope: ConfigScope) {
  const given = values.secret(name, scope);
  (await me.question(me.questions.length)).answer.resolve(`value of ${name}`);
  assert.equal(await given, `value of ${name}`);
}

describe('the values that a person keeps for servers', () => {
  it('are asked for once, also by two servers at a time', async () => {
    const me = person();
    const values = me.inWorkspace();
    const both = [values.input('who', userScope), values.input('who', userScope)];
    (await me.question(0)).answer.resolve('me');
    assert.deepEqual(await Promise.all(both), ['me', 'me']);
    assert.equal(await values.input('who', userScope), 'me');
    assert.equal(me.questions.length, 1);
  });

  it('are not asked for where no person waits, and given where they are known', async () => {
    const me = person();
    const values = me.inWorkspace();
    assert.equal(await values.input('who', userScope, { mayAsk: false }), undefined);
    assert.equal(await values.secret('token', userScope, { mayAsk: false }), undefined);
    assert.equal(me.questions.length, 0);
    await give(values, me, 'token', userScope);
    assert.equal(await values.secret('token', userScope, { mayAsk: false }), 'value of token');
  });

  it('free whoever waits once it aborts, and close the question; the next one comes', async () => {
    const me = person();
    const values = me.inWorkspace();
    const [first, second] = [new AbortController(), new AbortController()];
    const waits = values.input('a', userScope, { signal: first.signal });
    await me.question(0);
    const queued = values.input('b', userScope, { signal: second.signal });
    const third = values.input('c', userScope);
    second.abort(new Error('second stopped'));
    await assert.rejects(queued, /second stopped/);
    first.abort(new Error('first stopped'));
    await assert.rejects(waits, /first stopped/);
    const asked = await me.question(1);
    assert.equal(asked.value.name, 'c');
    asked.answer.resolve('see');
    assert.equal(await third, 'see');
    assert.equal(me.questions.length, 2);
  });

  it('are read without a wait while a question about another one is open', async () => {
    const me = person();
    const values = me.inWorkspace();
    await give(values, me, 'known', userScope);
    void values.input('open', userScope);
    await me.question(1);
    assert.equal(await values.secret('known', userScope), 'value of known');
  });

  it('are listed and forgotten in every workspace where they are the person’s own, and in theirs where a folder’s', async () => {
    const me = person();
    const [one, two] = [me.inWorkspace(), me.inWorkspace()];
    await give(one, me, 'mine', userScope);
    await give(one, me, 'folder', demoScope);
    assert.deepEqual([names(one), names(two)], [['mine', 'folder'], ['mine']]);
    assert.equal(await two.secret('folder', demoScope), 'value of folder');
    assert.deepEqual(names(two), ['mine', 'folder']);
    await two.forget(two.list()[0]!);
    assert.deepEqual([names(one), names(two)], [['folder'], ['folder']]);
    assert.deepEqual([...me.keyring.values()], ['value of folder']);
  });

  it('go to the keyring where the definition says password, else to memory', async () => {
    for (const [password, secret] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const me = person({ id: 'x', type: 'promptString', password });
      const values = me.inWorkspace();
      const given = values.input('x', userScope);
      (await me.question(0)).answer.resolve('1');
      await given;
      assert.equal(me.keyring.size, secret);
    }
  });

  it('are asked for and kept by the definition that was approved, whatever the file says by now', async () => {
    const approved: InputDefinition = { id: 'x', type: 'promptString', password: true };
    const me = person({ id: 'x', type: 'promptString', description: 'Again, please' });
    const given = me.inWorkspace().input('x', userScope, { definition: approved });
    const { answer, asked } = await me.question(0);
    assert.equal(asked, approved);
    me.redefine({ id: 'x', type: 'promptString' });
    answer.resolve('pa55');
    assert.equal(await given, 'pa55');
    assert.equal(me.keyring.size, 1);
    assert.doesNotMatch(JSON.stringify(me.inWorkspace().list()), /"secret":false/);
  });

  for (const [was, becomes] of [
    [false, true],
    [true, false],
  ] as const) {
    const change = becomes ? 'became a password' : 'is a password no more';
    const input = (password: boolean): InputDefinition => ({ id: 'x', type: 'promptString', password });

    async function answered() {
      const me = person(input(was));
      const values = me.inWorkspace();
      const given = values.input('x', userScope);
      (await me.question(0)).answer.resolve('first');
      await given;
      me.redefine(input(becomes));
      return { me, values };
    }

    it(`leave nothing behind when one that ${change} is answered anew`, async () => {
      const { me, values } = await answered();
      const given = values.input('x', userScope);
      (await me.question(1)).answer.resolve('second');
      assert.equal(await given, 'second');
      assert.equal(me.keyring.size, becomes ? 1 : 0);
      assert.doesNotMatch(me.everything(), /first/);
      assert.deepEqual(names(values), ['x']);
    });

    it(`leave nothing behind when one that ${change} is forgotten`, async () => {
      const { me, values } = await answered();
      await values.forget({ kind: 'input', name: 'x', scope: userScope, secret: becomes });
      assert.doesNotMatch(me.everything(), /first/);
      assert.deepEqual(names(values), []);
    });
  }

  it('are asked for again where the keyring cannot be opened, and serve that once', async () => {
    const me = person();
    const values = me.inWorkspace();
    me.locked.yes = true;
    await give(values, me, 'token', userScope);
    assert.deepEqual([names(values), me.everything()], [[], '[[],[]]']);
    await give(values, me, 'token', userScope);
    me.locked.yes = false;
    await give(values, me, 'token', userScope);
    assert.equal(await values.secret('token', userScope, { mayAsk: false }), 'value of token');
  });

  it('stay what they are, and listed, where the keyring takes no new value and forgets none', async () => {
    const me = person();
    const values = me.inWorkspace();
    await give(values, me, 'token', userScope);
    const [token] = values.list();
    me.locked.yes = true;
    const replaced = values.replace(token!);
    (await me.question(1)).answer.resolve('another');
    const notStored = { code: 'valueNotStored', data: { variable: 'token' } };
    await assert.rejects(replaced, notStored);
    await assert.rejects(values.forget(token!), notStored);
    await assert.rejects(values.keep(secretOf('new', userScope), 'x'), { code: 'valueNotStored' });
    assert.deepEqual(names(values), ['token']);
    me.locked.yes = false;
    assert.equal(await values.secret('token', userScope), 'value of token');
  });

  it('are replaced by an answer, and by no closed question; the next start gets the new one', async () => {
    const me = person();
    const values = me.inWorkspace();
    await give(values, me, 'token', userScope);
    const [token] = values.list();
    const closed = values.replace(token!);
    (await me.question(1)).answer.resolve(undefined);
    assert.equal(await closed, false);
    assert.equal(await values.secret('token', userScope), 'value of token');
    const answered = values.replace(token!);
    (await me.question(2)).answer.resolve('another');
    assert.equal(await answered, true);
    assert.equal(await values.secret('token', userScope), 'another');
    assert.deepEqual(names(values), ['token']);
  });

  describe('that are bound to one server and URL', () => {
    const target = { folder: '/w/demo', server: 'a' as never, url: 'https://host.example/mcp?key=query-secret' };
    const header = { kind: 'header', name: 'Authorization' } as const;
    const clientSecret = { kind: 'clientSecret', name: 'oauth.clientSecret' } as const;

    it('are named and given for that target only, in every workspace', async () => {
      const me = person();
      const [one, two] = [me.inWorkspace(), me.inWorkspace()];
      await one.keep(boundValueOf(target, header), 'Bearer x');
      await one.keep(boundValueOf(target, clientSecret), 'y');
      assert.deepEqual(two.bound.names(target), [header, clientSecret]);
      assert.equal(await two.bound.value(target, header), 'Bearer x');
      assert.equal(await two.bound.value(target, clientSecret), 'y');
      for (const other of [
        { ...target, folder: '/w/other' },
        { ...target, server: 'b' as never },
        { ...target, url: 'https://host.example/mcp' },
      ]) {
        assert.deepEqual(two.bound.names(other), []);
        assert.equal(await two.bound.value(other, header, { mayAsk: false }), undefined);
      }
      assert.equal(me.questions.length, 0);
    });

    it('show no part of the URL that may be secret, in the list and in what lies beside the keyring', async () => {
      const me = person();
      const values = me.inWorkspace();
      await values.keep(boundValueOf(target, header), 'Bearer x');
      const [kept] = values.list();
      assert.deepEqual(
        [kept!.name, kept!.target?.server, kept!.target?.place],
        ['Authorization', 'a', 'https://host.example/mcp'],
      );
      assert.doesNotMatch(me.everything(), /query-secret/);
      assert.deepEqual([...me.keyring.values()], ['Bearer x']);
    });

    it('are one where the case of the header differs, and are asked for anew where the editor lost them', async () => {
      const me = person();
      const values = me.inWorkspace();
      await values.keep(boundValueOf(target, header), 'Bearer x');
      await values.keep(boundValueOf(target, { kind: 'header', name: 'authorization' }), 'Bearer y');
      assert.deepEqual([...me.keyring.values()], ['Bearer y']);
      assert.deepEqual(names(values), ['Authorization']);
      me.keyring.clear();
      const given = values.bound.value(target, { kind: 'header', name: 'authorization' });
      const asked = await me.question(0);
      assert.equal(asked.value.target?.place, 'https://host.example/mcp');
      asked.answer.resolve('Bearer z');
      assert.equal(await given, 'Bearer z');
    });

    it('are gone when they are forgotten', async () => {
      const me = person();
      const values = me.inWorkspace();
      await values.keep(boundValueOf(target, header), 'Bearer x');
      await values.forget(values.list()[0]!);
      assert.deepEqual(values.bound.names(target), []);
      assert.equal(me.keyring.size, 0);
    });
  });
});
