import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFrames, type RequestFrame } from '../../../../src/cli/proxy/agentFrame.ts';
import { answerWithoutWindow, lostUnderWay, type WithoutWindow } from '../../../../src/cli/proxy/withoutWindow.ts';

const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

function answer(method: string, params: object = {}, why: WithoutWindow = 'none'): Record<string, unknown> {
  const [frame] = readFrames(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
  const outcome = answerWithoutWindow(frame as RequestFrame, why);
  if (outcome.kind === 'raw') throw new Error('raw');
  return (outcome.kind === 'value' ? outcome.result : outcome.error) as Record<string, unknown>;
}

describe('a proxy without a window', () => {
  it('shakes hands in both eras, at the revision that is asked for where it knows it', () => {
    for (const revision of ['2024-11-05', '2025-11-25']) {
      assert.equal(answer('initialize', { protocolVersion: revision })['protocolVersion'], revision);
    }
    assert.equal(answer('initialize', { protocolVersion: '2099-01-01' })['protocolVersion'], '2025-11-25');
    const discovered = answer('server/discover', { _meta: modern });
    assert.deepEqual(discovered['supportedVersions'], ['2026-07-28']);
    assert.equal(discovered['resultType'], 'complete');
    for (const told of [answer('initialize'), discovered]) {
      assert.match(String(told['instructions']), /No VS Code window/);
      assert.deepEqual((told['capabilities'] as { tools: unknown }).tools, { listChanged: true });
    }
  });

  it('has empty lists, and for all else the reason, with a code', () => {
    assert.deepEqual(answer('tools/list'), { tools: [] });
    assert.deepEqual(answer('resources/templates/list'), { resourceTemplates: [] });
    assert.equal(answer('prompts/list', { _meta: modern })['resultType'], 'complete');
    assert.deepEqual(answer('ping'), {});
    for (const method of ['tools/call', 'resources/read', 'prompts/get']) {
      const { data, message } = answer(method);
      assert.deepEqual(data, { code: 'windowClosed', outcome: 'notSent' });
      assert.match(String(message), /Ask the person to open a folder in VS Code/);
    }
  });

  it('says so where the window of the folder is in Restricted Mode, and what to do about it', () => {
    assert.match(String(answer('initialize', {}, 'restricted')['instructions']), /in Restricted Mode/);
    assert.deepEqual(answer('tools/list', {}, 'restricted'), { tools: [] });
    const { data, message } = answer('tools/call', {}, 'restricted');
    assert.deepEqual(data, { code: 'windowClosed', outcome: 'notSent' });
    assert.match(String(message), /in Restricted Mode.*Ask the person to trust the folder/);
  });

  it('says of a call whose window went away that it may have run', () => {
    const outcome = lostUnderWay({ method: 'tools/call' });
    assert.ok(outcome.kind === 'error');
    assert.deepEqual(outcome.error.data, { code: 'windowClosed', outcome: 'unknown' });
    assert.match(outcome.error.message, /tools\/call may have run/);
  });
});
