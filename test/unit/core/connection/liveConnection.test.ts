import assert from 'node:assert/strict';
import type { Transport } from '@modelcontextprotocol/client';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import { LiveConnection } from '../../../../src/core/connection/liveConnection.ts';
import { Questions } from '../../../../src/core/connection/questions.ts';
import { createSdkClient } from '../../../../src/core/connection/sdkClient.ts';
import type { Problem } from '../../../../src/core/connection/state.ts';
import { ProcessWire } from '../../../../src/core/connection/wire.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const server = 'a' as ServerId;

describe('a live connection', () => {
  it('fails all that is under way at a crash with the same problem, and each with its own outcome', async () => {
    const { transport, client, clock } = await live();
    const running = failure(client.request('tools/call', { name: 'running' }, { kind: 'call' }));
    transport.broken = 'unknown';
    const halfWritten = failure(client.request('tools/call', { name: 'late' }, { kind: 'call' }));
    transport.broken = 'notSent';
    const unwritten = failure(client.request('tools/call', { name: 'later' }, { kind: 'call' }));
    await turns();
    transport.onclose?.();
    const errors = await Promise.all([running, halfWritten, unwritten]);
    for (const { code, data, stderr } of errors) assert.deepEqual({ code, data, stderr }, crash);
    assert.deepEqual(
      errors.map(({ outcome }) => outcome),
      ['unknown', 'unknown', 'notSent'],
    );
    assert.equal(clock.pending, 0);
  });

  it('waits for the end behind a message that cannot be written, but not for ever', async () => {
    const { transport, client, clock } = await live();
    transport.broken = 'notSent';
    const waiting = failure(client.request('tools/call', { name: 'late' }, { kind: 'call' }));
    await turns();
    clock.advance(3_500);
    const error = await waiting;
    assert.deepEqual([error.code, error.outcome], ['connectionClosed', 'notSent']);
    await client.close();
    assert.equal(clock.pending, 0);
  });

  it('ends as not responding, with the last lines of its process, when a server answers nothing any more', async () => {
    const { transport, client, clock } = await live();
    const ended: (Problem | undefined)[] = [];
    client.onClose((problem) => ended.push(problem));
    for (let period = 0; period < 3; period += 1) {
      clock.advance(period === 0 ? 30_000 : 25_000);
      await turns();
      assert.deepEqual(ended, []);
      clock.advance(5_000);
      await turns();
    }
    assert.equal(transport.isClosed, true);
    assert.deepEqual(ended, [{ code: 'notResponding', data: { server, seconds: 95 }, stderr: ['dying'] }]);
    await assert.rejects(client.request('tools/list', {}, { kind: 'list' }), {
      code: 'notResponding',
      outcome: 'notSent',
    });
    assert.equal(clock.pending, 0);
  });
});

const crash: Problem = { code: 'processExited', data: { server, exit: 'code 9', exitCode: 9 }, stderr: ['dying'] };

/** A process whose pipe may be broken before its end is known. */
class DyingTransport implements Transport {
  onclose?: () => void;
  broken: 'notSent' | 'unknown' | undefined;
  isClosed = false;

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(): Promise<void> {
    if (this.broken === undefined) return Promise.resolve();
    return Promise.reject(new ManagerError('connectionClosed', { server }, { outcome: this.broken }));
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.onclose?.();
    return Promise.resolve();
  }
}

async function live() {
  const transport = new DyingTransport();
  const wire = new ProcessWire(transport);
  await wire.start();
  const questions = new Questions({}, true);
  const clock = new ManualClock();
  const client = new LiveConnection({
    id: server,
    wire,
    client: createSdkClient({ mode: 'legacy', questions }),
    questions,
    clock,
    timeouts: () => ({}),
    negotiated: { era: 'legacy', revision: '2025-11-25', transport: 'stdio' },
    capabilities: {},
    serverInfo: {},
    envelope: undefined,
    endProblem: () => crash,
    end: () => transport.close(),
  });
  return { transport, client, clock };
}

async function failure(work: Promise<unknown>): Promise<ManagerError> {
  const error: unknown = await work.then(
    () => assert.fail('it succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ManagerError, String(error));
  return error;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
