// What becomes of the person's rules where their file is refused or gone: they are never taken for none.
import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { explain } from '../../src/core/policy/decide.ts';
import type { CallAnswer } from '../../src/core/ports.ts';
import { createToolCalls, type ToolCalls } from '../../src/core/tools/createToolCalls.ts';
import { fixtureCommand, type FixtureLog, fixtureLog } from '../support/fixtureServer.ts';
import { approveAll, openServerWindow, projectFileIn, userFileIn, writeServers } from '../support/serverWindow.ts';
import type { ServerWindow } from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rules = { s: { echo: 'deny' } };
const own = { version: 3, mcpServers: {}, toolPolicies: rules };

describe("the person's rules for a project's server", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let file: string;
  let log: FixtureLog;
  let window: ServerWindow | undefined;
  let calls: ToolCalls | undefined;
  let asked: number;
  let answer: CallAnswer;
  beforeEach(async () => {
    folder = await temporaryFolder();
    file = userFileIn(folder.path);
    log = fixtureLog();
    [window, calls, asked, answer] = [undefined, undefined, 0, 'deny'];
    await writeServers(projectFileIn(folder.path), { s: fixtureCommand('small-legacy', undefined, log) });
    await mkdir(dirname(file), { recursive: true });
  });
  afterEach(async () => {
    calls?.dispose();
    await window?.dispose();
    log.dispose();
    await folder.remove();
  });

  async function open(): Promise<ServerWindow> {
    const opened = await openServerWindow(folder.path, { prompt: approveAll });
    window = opened;
    const confirm = (): Promise<CallAnswer> => ((asked += 1), Promise.resolve(answer));
    calls = createToolCalls({ manager: opened.manager, clock: systemClock(), prompt: { confirm } });
    await opened.manager.start(opened.key('s'));
    return opened;
  }
  const call = async (tool = 'echo', args = { text: 'x' }): Promise<unknown> =>
    calls?.call({ server: window!.key('s'), tool, args, caller: { kind: 'tree', name: 'you' } }, { validate: false });
  const decision = (tool: string): unknown =>
    explain(tool, window!.manager.view().servers.find(({ key }) => key === window!.key('s'))!.policies);
  const unknown = { word: 'ask', by: { kind: 'unknown' } };

  for (const [name, text] of [
    ['a comma too many', JSON.stringify(own).replace(',', ',,')],
    ['a version to come', JSON.stringify({ ...own, version: 4 })],
    ['a fault in another entry', JSON.stringify({ ...own, mcpServers: { other: { command: '' } } })],
    ['a misspelt word', JSON.stringify({ ...own, toolPolicies: { s: { echo: 'deny', add: 'Deny' } } })],
    ['a link that leads nowhere', undefined],
  ] as const) {
    it(`are not taken for none where the window finds ${name}: every tool asks, and says why [CFG-5b, POL-1b]`, async () => {
      await (text === undefined ? symlink('nowhere', file) : writeFile(file, text));
      const opened = await open();
      for (const tool of ['echo', 'add']) {
        await assert.rejects(call(tool), { code: 'toolNotConfirmed' });
        assert.deepEqual(decision(tool), unknown);
      }
      assert.deepEqual([asked, log.runs('echo'), log.runs('add')], [2, 0, 0]);
      // The person may say yes all the same; once their file is read, it alone says what holds.
      answer = 'once';
      await call('add', { text: '' });
      if (text === undefined) return;
      await writeFile(file, JSON.stringify(own));
      await opened.reload();
      assert.deepEqual(decision('add'), { word: 'allow', by: { kind: 'default' } });
      await assert.rejects(call(), { code: 'toolDenied' });
    });
  }

  it('hold on where their file breaks, and where it is gone, wherever they stood in it [CFG-4b, CFG-5b, POL-1d]', async () => {
    const entry = (toolPolicies: object): object => ({ s: { command: 'mine', toolPolicies } });
    for (const [good, others] of [
      [own, 'ask'],
      [{ version: 3, mcpServers: entry({ echo: 'deny' }) }, 'ask'],
      [{ ...own, mcpServers: entry({ '*': 'deny' }) }, 'deny'],
    ] as const) {
      await writeFile(file, JSON.stringify(good));
      const opened = window ?? (await open());
      await opened.reload();
      await assert.rejects(call(), { code: 'toolDenied' });
      await writeFile(file, '{');
      await opened.reload();
      await assert.rejects(call(), { code: 'toolDenied' });
      await writeFile(file, JSON.stringify(good));
      await opened.reload();
      await rename(file, `${file}.old`);
      for (let reads = 0; reads < 2; reads += 1) {
        await opened.reload();
        await assert.rejects(call(), { code: 'toolDenied' });
      }
      // What comes in its place and cannot be read says nothing that is known.
      await writeFile(file, '{');
      await opened.reload();
      await assert.rejects(call(), { code: 'toolDenied' });
      assert.equal((decision('add') as { word: string }).word, others);
    }
    assert.deepEqual([asked, log.runs('echo')], [0, 0]);
  });
});
