// What the sessions of a gateway hear when a server behind it ended and was started again (KEEP-3).
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Client } from '@modelcontextprotocol/client';
import { eventually } from '../support/eventually.ts';
import { useGateways } from '../support/gatewayWorld.ts';
import { SkippingClock } from '../support/skippingClock.ts';

const crashing = { fixture: 'changes', overrides: { tools: { library: ['echo', 'crash'] } } };
const wantsWarnings = { _meta: { 'io.modelcontextprotocol/logLevel': 'warning' } };

describe('a server that was started again, at the gateway', () => {
  const openGateway = useGateways();

  for (const place of ['/mcp/one', '/mcp'] as const) {
    for (const era of ['legacy', 'modern'] as const) {
      it(`tells a ${era} client of ${place} that its lists changed and that its state is lost, once [KEEP-3f]`, async () => {
        const gateway = await openGateway({ one: crashing }, new SkippingClock());
        const connect = () => (place === '/mcp' ? gateway.connectAll({ era }) : gateway.connect('one', { era }));
        const named = (tool: string): string => (place === '/mcp' ? `mcp__one__${tool}` : tool);
        const echo = (client: Client) =>
          client.callTool({ name: named('echo'), arguments: { text: 'x' }, ...wantsWarnings });
        const client = await connect();
        await echo(client);
        const heard = { lists: 0, lost: [] as unknown[] };
        client.setNotificationHandler('notifications/tools/list_changed', () => void (heard.lists += 1));
        client.setNotificationHandler('notifications/message', ({ params }) => void heard.lost.push(params));
        if (era === 'modern') await client.listen({ toolsListChanged: true });

        // When a client's own stream is open, nothing tells.
        let restarts = 0;
        await eventually(async () => {
          await client.callTool({ name: named('crash'), arguments: {} }).catch(() => undefined);
          restarts += 1;
          await gateway.manager.start(gateway.manager.keyOf('one')!);
          return eventually(() => heard.lists > 0, 2_000).catch(() => false);
        });
        await echo(client);
        await eventually(() => heard.lost.length >= (era === 'legacy' ? restarts : 1));
        const { level, logger, data } = heard.lost[0] as Record<string, unknown>;
        assert.deepEqual([level, logger], ['warning', 'mcp-roundhouse']);
        assert.match(String(data), /Server "one" was started again; .* is lost/);
        const told = heard.lost.length;
        await echo(client);
        assert.equal(heard.lost.length, told);
      });
    }
  }
});
