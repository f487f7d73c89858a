import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'mocha';
import { FrameReader } from '../../../../src/core/transport/frameReader.ts';
import { Inflow } from '../../../../src/core/transport/inflow.ts';
import { eventually } from '../../../support/eventually.ts';
import { patience } from '../../../support/patience.ts';

function reading(held = (): boolean => false) {
  const stream = new PassThrough();
  const seen: number[] = [];
  const reader = new FrameReader({
    limit: 1_000_000,
    edge: 1_000,
    onMessage: (message) => seen.push('id' in message ? Number(message.id) : -1),
    onNoise: (line) => assert.fail(line),
    onLost: () => assert.fail('lost'),
  });
  return { stream, seen, inflow: new Inflow(stream, reader, { batch: 10, held }) };
}

const frames = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `{"jsonrpc":"2.0","id":${from + at},"method":"ping"}\n`).join('');

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The inflow of a server’s stdout', () => {
  it('gives others their turn between batches, and keeps the order', async () => {
    const { stream, seen } = reading();
    stream.write(frames(0, 95));
    await new Promise((resolve) => process.nextTick(resolve));
    assert.equal(seen.length, 10);
    stream.write(frames(95, 100));
    await eventually(() => seen.length === 100, patience, 'all frames');
    assert.deepEqual(
      seen,
      Array.from({ length: 100 }, (_, at) => at),
    );
  });

  it('stops while it is held and goes on afterwards', async () => {
    const state = { held: false };
    const { stream, seen, inflow } = reading(() => state.held);
    stream.write(frames(0, 15));
    await new Promise((resolve) => process.nextTick(resolve));
    state.held = true;
    for (let count = 0; count < 20; count += 1) await turn();
    assert.equal(seen.length, 10);
    state.held = false;
    inflow.check();
    await eventually(() => seen.length === 15, patience, 'the rest');
  });

  it('reads nothing before it may', async () => {
    const state = { held: true };
    const { stream, seen, inflow } = reading(() => state.held);
    stream.write(frames(0, 5));
    for (let count = 0; count < 20; count += 1) await turn();
    assert.equal(seen.length, 0);
    state.held = false;
    inflow.check();
    await eventually(() => seen.length === 5, patience, 'all frames');
  });

  it('loses nothing where the stream is resumed behind its back, as Node does when a child ends', async () => {
    const { stream, seen } = reading();
    stream.write(frames(0, 45));
    await new Promise((resolve) => process.nextTick(resolve));
    stream.write(frames(45, 90));
    stream.resume();
    await eventually(() => seen.length === 90, patience, 'all frames');
    assert.deepEqual(
      seen,
      Array.from({ length: 90 }, (_, at) => at),
    );
  });

  it('reads what is left at its end', async () => {
    const { stream, seen, inflow } = reading(() => true);
    stream.write(frames(0, 25));
    await new Promise((resolve) => process.nextTick(resolve));
    inflow.end();
    assert.equal(seen.length, 25);
    inflow.check();
    await turn();
    assert.equal(seen.length, 25);
  });
});
