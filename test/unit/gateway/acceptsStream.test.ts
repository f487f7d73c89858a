import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { acceptsStream } from '../../../src/gateway/acceptsStream.ts';

describe('whether a client takes an event stream', () => {
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json, text/event-stream',
    'Text/Event-Stream',
    'text/*;q=0.5, application/json',
    'application/json;q=0, */*;q=0.1',
  ]) {
    it(`does with ${String(accept)}`, () => assert.equal(acceptsStream(accept), true));
  }

  for (const accept of [
    'application/json',
    'application/json, text/event-stream;q=0',
    '*/*, text/event-stream; q=0.0',
    'text/html, application/json',
  ]) {
    it(`does not with ${accept}`, () => assert.equal(acceptsStream(accept), false));
  }
});
