// Calls from the router to a real server and back: schemas, policy, bindings, failures and how far each one got.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ManagerError } from '../../src/core/errors.ts';
import type { CallConfirmation, CallPrompt } from '../../src/core/ports.ts';
import { boundForModel } from '../../src/core/tools/modelOutput.ts';
import { toolFailure } from '../../src/core/tools/toolFailure.ts';
import { type Connected, useFixtures } from '../support/connectedFixture.ts';
import { eventually } from '../support/eventually.ts';
import { patience } from '../support/patience.ts';

const all = { overrides: { tools: { library: 'all' } } } as const;
const modernHttp = { over: 'http', protocol: '2026-07-28' } as const;

describe('a call of a tool', () => {
  const connect = useFixtures();
  const bindingOf = (
    { snapshot }: Connected,
    tool: string,
  ): { generation: typeof snapshot.generation; hash: string } => ({
    generation: snapshot.generation,
    hash: snapshot.tools.find(({ name }) => name === tool)!.hash,
  });
  const prompt = (answer: (question: CallConfirmation) => boolean | Promise<boolean>): CallPrompt => ({
    confirm: async (question) => ((await answer(question)) ? 'once' : 'deny'),
  });

  it('is checked against the input schema before anything is sent [TOOL-3a, TOOL-4d, TOOL-4e]', async () => {
    const { call, log } = await connect('small-legacy', all);
    await assert.rejects(call('add', { a: 1, b: 'two' }), { code: 'argumentsInvalid', outcome: 'notSent' });
    await assert.rejects(call('add', { a: 1 }), { code: 'argumentsInvalid', outcome: 'notSent' });
    await assert.rejects(call('references', { name: 'x', age: 'old' }), { code: 'argumentsInvalid' });
    assert.equal(log.asked('tools/call'), 0);
    assert.deepEqual((await call('add', { a: 1, b: 2 }))['structuredContent'], { sum: 3 });
    await call('references', { name: 'x', age: null, tree: { children: [{ children: [] }] } });
    await call('variants', { id: 1 });
    await call('echo', { text: '' });
    assert.equal(log.asked('tools/call'), 4);
  });

  it('has its structured content checked, but never on an error result [TOOL-3b]', async () => {
    const { call } = await connect('small-legacy', all);
    await assert.rejects(call('bad_structure'), { code: 'resultInvalid', outcome: 'completed' });
    await assert.rejects(call('no_structure'), { code: 'resultInvalid', outcome: 'completed' });
    assert.deepEqual((await call('only_structure'))['structuredContent'], { sum: 3 });
    assert.equal((await call('fail_with_structure'))['isError'], true);
  });

  it('passes a schema that would hang, with a word about it [TOOL-3d]', async () => {
    const { call, log } = await connect('small-legacy', { ...all, patternTime: 500 });
    const told: string[] = [];
    const onUnchecked = (of: string): unknown => told.push(of);
    await call('slow_pattern', { text: `${'a'.repeat(50)}!` }, { onUnchecked });
    assert.deepEqual(told, ['arguments']);
    assert.equal(log.runs('slow_pattern'), 1);
  });

  it('of a denied tool never runs [POL-1a, POL-1f, TOOL-2a]', async () => {
    const { call, log, calls } = await connect('small-legacy', { ...all, policies: { echo: 'deny' } });
    for (const kind of ['tree', 'commandLine', 'api', 'gateway'] as const) {
      await assert.rejects(call('echo', { text: 'x' }, { caller: { kind, name: 'test' } }), {
        code: 'toolDenied',
        outcome: 'notSent',
      });
    }
    await call('count');
    assert.equal(log.runs('echo'), 0);
    assert.deepEqual(
      calls.calls.map(({ tool, decision }) => [tool, decision]),
      [...Array<unknown>(4).fill(['echo', 'deny']), ['count', 'allow']],
    );
  });

  it('of a tool that nobody spoke about is allowed [POL-1b]', async () => {
    const { call, log, calls } = await connect('small-legacy', all);
    await call('echo', { text: 'x' });
    assert.deepEqual([log.runs('echo'), calls.calls[0]?.decision], [1, 'allow']);
  });

  it('that has to be asked for shows everything and runs on a yes only [POL-1g, POL-1h]', async () => {
    const asked: CallConfirmation[] = [];
    const { call, log } = await connect('small-legacy', {
      ...all,
      policies: { '*': 'ask' },
      prompt: prompt((question) => asked.push(question) === 1),
    });
    const args = { text: 'x'.repeat(20_000) };
    await call('echo', args);
    await assert.rejects(call('echo', args), { code: 'toolNotConfirmed', outcome: 'notSent' });
    assert.deepEqual(asked[0], {
      key: 'user:fixture',
      server: 'fixture',
      tool: 'echo',
      caller: { kind: 'tree', name: 'test' },
      args,
    });
    assert.equal(log.runs('echo'), 1);
  });

  it('that has to be asked for does not run where nobody can be asked [POL-1h]', async () => {
    const { call, log } = await connect('small-legacy', { ...all, policies: { echo: 'ask' } });
    await assert.rejects(call('echo', { text: 'x' }), { code: 'toolNotConfirmed', outcome: 'notSent' });
    assert.equal(log.runs('echo'), 0);
  });

  it('is decided by the strictest word, and anew after each wait [POL-1c, POL-1d, POL-1e]', async () => {
    const policies: Record<string, 'allow' | 'ask' | 'deny'> = { echo: 'ask', '*': 'allow' };
    const { call, log } = await connect('small-legacy', {
      ...all,
      policies,
      scope: { kind: 'project', folder: '/f', name: 'f' },
      prompt: prompt(() => {
        policies['echo'] = 'deny';
        return true;
      }),
    });
    await assert.rejects(call('echo', { text: 'x' }), { code: 'toolDenied', outcome: 'notSent' });
    assert.equal(log.runs('echo'), 0);
  });

  it('for a definition that changed meanwhile fails before anything is sent [TOOL-2b, POL-1e]', async () => {
    let changing: Connected | undefined;
    const { call, log, snapshot } = (changing = await connect('changes', {
      policies: { echo: 'ask' },
      prompt: prompt(async () => {
        await changing?.call('change', { alter: { echo: { description: 'now it deletes' } }, notify: 1 });
        await eventually(() => changing!.snapshot !== snapshot, patience, 'the new list');
        return true;
      }),
    }));
    await assert.rejects(call('echo', { text: 'x' }), { code: 'staleTool', outcome: 'notSent' });
    assert.equal(log.runs('echo'), 0);
  });

  it('that is bound to an older definition or connection fails before anything is sent [TOOL-2b]', async () => {
    const connected = await connect('changes');
    const binding = bindingOf(connected, 'echo');
    await connected.call('echo', { text: 'x' }, { binding });
    await connected.call('change', { alter: { echo: { description: 'now it deletes' } }, notify: 1 });
    await eventually(() => bindingOf(connected, 'echo').hash !== binding.hash, patience, 'the new definition');
    await assert.rejects(connected.call('echo', { text: 'x' }, { binding }), { code: 'staleTool', outcome: 'notSent' });
    const later = { ...bindingOf(connected, 'echo'), generation: 2 as typeof binding.generation };
    await assert.rejects(connected.call('echo', { text: 'x' }, { binding: later }), { code: 'staleTool' });
    assert.equal(connected.log.runs('echo'), 1);
  });

  it('that runs survives a change of the list; a removed tool is gone at once [TOOL-7a, TOOL-7b, TOOL-7c]', async () => {
    const connected = await connect('changes', { overrides: { tools: { library: ['slow', 'change', 'echo'] } } });
    const gate = connected.log.gate();
    const running = connected.call('slow', gate.args);
    await eventually(() => connected.log.runs('slow') === 1, patience, 'the call to run');
    await connected.call('change', { remove: ['slow'], add: ['count'], notify: 1 });
    await eventually(() => connected.snapshot.tools.some(({ name }) => name === 'count'), patience, 'the new list');
    await assert.rejects(connected.call('slow', { ms: 1 }), { code: 'unknownTool', outcome: 'notSent' });
    await connected.call('count');
    gate.open();
    assert.deepEqual((await running)['content'], [{ type: 'text', text: 'slept' }]);
  });

  it('that fails says how: transport, time, validation, protocol, the tool itself [TOOL-4d, TOOL-4e]', async () => {
    const { call } = await connect('small-legacy', all);
    const impatient = await connect('small-legacy', { ...all, timeouts: { call: 300 } });
    const codes: unknown[] = [];
    const failing = async (tool: string, args = {}, through = call): Promise<void> => {
      const error: unknown = await through(tool, args).then(
        (result) => toolFailure('fixture', tool, result),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ManagerError);
      codes.push([error.code, error.outcome]);
    };
    await failing('nobody');
    await failing('add', {});
    await failing('fail');
    await failing('refuse');
    await failing('hang', {}, impatient.call);
    await failing('crash');
    assert.deepEqual(codes, [
      ['unknownTool', 'notSent'],
      ['argumentsInvalid', 'notSent'],
      ['toolFailed', 'completed'],
      ['protocolError', 'completed'],
      ['callTimeout', 'unknown'],
      ['processExited', 'unknown'],
    ]);
  });

  it('that may have run is never sent again [TOOL-4f]', async () => {
    const impatient = await connect('small-legacy', { ...all, timeouts: { call: 300 } });
    await assert.rejects(impatient.call('hang'), { code: 'callTimeout', outcome: 'unknown' });
    // What was sent is read in order: the cancellation comes after all there was of the call.
    await eventually(() => impatient.log.asked('notifications/cancelled') === 1, patience, 'the cancellation');
    assert.deepEqual([impatient.log.runs('hang'), impatient.log.asked('tools/call')], [1, 1]);
    const { call, log } = await connect('small-legacy', all);
    await assert.rejects(call('crash'), { outcome: 'unknown' });
    assert.deepEqual([log.runs('crash'), log.asked('tools/call')], [1, 1]);
  });

  it('that the server answers with a question is not answered by the manager [TOOL-4g]', async () => {
    let asked = 0;
    const handlers = { elicit: () => Promise.resolve({ action: 'decline', asked: (asked += 1) }) };
    const { call, log } = await connect('asks-modern', { protocol: '2026-07-28', handlers });
    await assert.rejects(call('ask_form'), { code: 'inputRequired', outcome: 'completed' });
    const result = await call('ask_form', {}, { caller: { kind: 'gateway', name: 'test' } });
    assert.equal(result['resultType'], 'input_required');
    assert.deepEqual([asked, log.asked('tools/call')], [0, 2]);
  });

  it('mirrors marked arguments into headers on modern HTTP, exactly [DISC-6a]', async () => {
    const { call } = await connect('http-mirrored', modernHttp);
    const { content } = await call('mirrored', { region: 'Zürich ', count: 42, dry: false, text: 'x' });
    const headers = JSON.parse((content as { text: string }[])[0]!.text) as Record<string, string>;
    assert.equal(headers['mcp-param-region'], `=?base64?${Buffer.from('Zürich ').toString('base64')}?=`);
    assert.equal(headers['mcp-param-count'], '42');
    assert.equal(headers['mcp-param-dry'], 'false');
  });

  it('with an integer that cannot be sent exactly fails before anything is sent [DISC-6c]', async () => {
    const { call, log } = await connect('http-mirrored', modernHttp);
    await assert.rejects(call('mirrored', { count: 2 ** 53 }), { code: 'unsafeInteger', outcome: 'notSent' });
    assert.equal(log.asked('tools/call'), 0);
  });

  it('mirrors nothing on legacy connections [DISC-6d]', async () => {
    const { call } = await connect('http-mirrored-legacy', { over: 'http' });
    const { content } = await call('mirrored', { region: 'x', count: 2 ** 53 });
    assert.doesNotMatch((content as { text: string }[])[0]!.text, /mcp-param/i);
  });

  it('understands every kind of content, and bounds it for a model [TOOL-5a, TOOL-5b, TOOL-5c]', async () => {
    const { call } = await connect('small-legacy', all);
    const kinds = async (tool: string, args = {}): Promise<unknown[]> => {
      const { content } = boundForModel(await call(tool, args)).result as { content: { type: string }[] };
      return content.map(({ type }) => type);
    };
    assert.deepEqual(await kinds('mixed'), ['text', 'image', 'text', 'resource', 'resource_link']);
    assert.deepEqual(await kinds('image_twice'), ['image']);
    assert.deepEqual(await kinds('embedded_blob'), ['text']);
    assert.equal((await kinds('many_blocks', { count: 200 })).length, 63);
    // The fixture sends one image many times: it is one image.
    assert.deepEqual(await kinds('many_images', { count: 20 }), ['image']);
    for (const bytes of [200_000, 5_000_000]) {
      const { result, cut } = boundForModel(await call('big', { bytes }), { link: () => 'roundhouse://result/1' });
      const text = (result['content'] as { text: string }[]).map((block) => block.text).join('');
      assert.ok(cut && text.length <= 50_000 && text.length > 40_000);
      assert.match(text, new RegExp(`of ${bytes} characters were left out`));
    }
  });
});
