// The SDK's own client over our transport: the structural checks that it makes, in both eras.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { StdioTransport } from '../../src/core/transport/stdioTransport.ts';
import { transportErrorCode } from '../../src/core/transport/transportError.ts';
import { fixtureCommand } from '../support/fixtureServer.ts';
import { stdioLaunch } from '../support/openOptions.ts';
import { inlineServer } from '../support/rawStdio.ts';

type Mode = 'legacy' | 'auto' | { pin: '2026-07-28' };

function connecting(command: { readonly command: string; readonly args: readonly string[] }, mode: Mode) {
  const transport = new StdioTransport(stdioLaunch(command), {
    environment: { base: process.env, inherit: [] },
    clock: systemClock(),
  });
  const versionNegotiation = { mode, probe: { timeoutMs: 5_000 } };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
  return { transport, client, connected: client.connect(transport) };
}

describe('The SDK’s client over our stdio transport', () => {
  for (const [fixture, mode, era] of [
    ['small-legacy', 'legacy', 'legacy'],
    ['small-legacy', 'auto', 'legacy'],
    ['small-both', 'auto', 'modern'],
    ['small-modern', { pin: '2026-07-28' }, 'modern'],
  ] as const) {
    it(`connects to ${fixture} with ${JSON.stringify(mode)}, calls a tool and closes [CONN-1a]`, async () => {
      const { client, transport, connected } = connecting(fixtureCommand(fixture), mode);
      await connected;
      assert.equal(client.getProtocolEra(), era);
      const result = await client.callTool({ name: 'echo', arguments: { text: 'hello ≤' } });
      assert.ok(JSON.stringify(result.content).includes('hello ≤'));
      await client.close();
      assert.notEqual(transport.exit, undefined);
    });
  }

  it('takes an exit on the probe for what it is, since it knows a stdio transport', async () => {
    const { client, transport, connected } = connecting(fixtureCommand('exit-on-discover'), 'auto');
    await assert.rejects(connected, { code: 'ERA_NEGOTIATION_FAILED' });
    await Promise.all([client.close(), transport.close()]);
    assert.notEqual(transport.exit, undefined);
  });

  it('fails a call in flight when the process dies, and gets its code', async () => {
    const { client, transport, connected } = connecting(fixtureCommand('crashes'), 'legacy');
    await connected;
    await assert.rejects(client.callTool({ name: 'crash', arguments: { code: 9 } }), { code: 'CONNECTION_CLOSED' });
    assert.deepEqual(transport.exit, { code: 9, signal: null });
    await transport.close();
  });

  it('fails only the call whose answer is too large, recognisably [CONN-9d]', async () => {
    const script = `
      onRequest(({ id, method, params }) => {
        if (method === 'initialize') answer(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } });
        else if (method === 'ping') answer(id);
        else if (method === 'tools/list') line('{"result":{"tools":[],"x":"' + 'x'.repeat(65 * 1024 * 1024) + '"},"jsonrpc":"2.0","id":' + id + '}');
      });`;
    const { client, transport, connected } = connecting(inlineServer(script), 'legacy');
    await connected;
    const anything = {
      '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
    };
    const failure: unknown = await client.request({ method: 'tools/list' }, anything).catch((error: unknown) => error);
    assert.equal(transportErrorCode(failure as { code: number; data?: unknown }), 'frameTooLarge');
    await client.ping();
    await transport.close();
  });
});
