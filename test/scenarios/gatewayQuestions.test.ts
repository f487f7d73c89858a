// Questions of servers through the gateway: each reaches the client whose call it belongs to, or nobody.
import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { describe, it } from 'mocha';
import { deferred } from '../../src/base/deferred.ts';
import { eventually } from '../support/eventually.ts';
import { type GatewayWorld, useGateways } from '../support/gatewayWorld.ts';
import { messagesIn, modernRequest, raw } from '../support/rawClient.ts';

const capabilities = { elicitation: { form: {} }, sampling: {} };
const eras = ['legacy', 'modern'] as const;

interface Asked {
  readonly client: Client;
  /** What it was asked. */
  readonly messages: string[];
}

async function asked(
  gateway: GatewayWorld,
  answer: string,
  {
    era = 'legacy',
    wait = Promise.resolve(),
  }: { readonly era?: 'legacy' | 'modern'; readonly wait?: Promise<unknown> } = {},
): Promise<Asked> {
  const client = await gateway.connect('one', { era, capabilities });
  const messages: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    messages.push(params.message);
    await wait;
    return { action: 'accept', content: { colour: answer } };
  });
  return { client, messages };
}

const textOf = (result: unknown): string => JSON.stringify(result);
const askForm = { name: 'ask_form', arguments: {} };

describe('questions through the gateway', function () {
  this.timeout(120_000);
  const openGateway = useGateways();

  for (const over of ['stdio', 'http'] as const) {
    it(`reach each its own client where two ask at once, of both eras, ten rounds long: over ${over} [GATE-3f]`, async () => {
      const gateway = await openGateway({ one: { fixture: 'asks', over, protocol: 'legacy' } });
      const clients = [await asked(gateway, 'red'), await asked(gateway, 'green', { era: 'modern' })];
      // Its first question tells that it asks: until then its calls overlap, and what two ask at once cannot be told apart.
      assert.match(textOf(await clients[0]?.client.callTool(askForm)), /red/);
      for (let round = 0; round < 10; round += 1) {
        const results = await Promise.all(clients.map(({ client }) => client.callTool(askForm)));
        assert.match(textOf(results[0]), /red/);
        assert.match(textOf(results[1]), /green/);
      }
      assert.deepEqual(
        clients.map(({ messages }) => messages.length),
        [11, 10],
      );
    });
  }

  it('are open at once where the wire names the call of each [GATE-3c]', async () => {
    const gateway = await openGateway({ one: { fixture: 'asks', over: 'http', protocol: 'legacy' } });
    const both = deferred<undefined>();
    const clients = [
      await asked(gateway, 'red', { wait: both.promise }),
      await asked(gateway, 'green', { wait: both.promise }),
    ];
    const results = clients.map(({ client }) => client.callTool(askForm));
    await eventually(() => clients.every(({ messages }) => messages.length === 1));
    both.resolve(undefined);
    assert.match(textOf(await results[0]), /red/);
    assert.match(textOf(await results[1]), /green/);
  });

  it('let calls go one session at a time from the first one on, on stdio [GATE-3d]', async () => {
    const gateway = await openGateway({ one: { fixture: 'asks', protocol: 'legacy' } });
    const answer = deferred<undefined>();
    const first = await asked(gateway, 'red', { wait: answer.promise });
    const other = await asked(gateway, 'green');
    const asking = first.client.callTool(askForm);
    await eventually(() => first.messages.length === 1);
    const echo = other.client.callTool({ name: 'echo', arguments: { text: 'later' } });
    // What needs no turn comes through meanwhile.
    await other.client.ping();
    assert.equal(gateway.log('one').runs('echo'), 0);
    answer.resolve(undefined);
    assert.match(textOf(await asking), /red/);
    assert.match(textOf(await echo), /later/);
    assert.deepEqual(other.messages, []);
  });

  it('wait where the calls of two sessions are in flight, and go to the one that is left [GATE-3d, GATE-3e]', async () => {
    const gateway = await openGateway({ one: { fixture: 'asks', protocol: 'legacy' } });
    const [one, two] = [await asked(gateway, 'red'), await asked(gateway, 'green')];
    const gate = gateway.log('one').gate();
    const slow = one.client.callTool({ name: 'slow', arguments: gate.args });
    await eventually(() => gateway.log('one').runs('slow') === 1);
    const asking = two.client.callTool(askForm);
    await eventually(() => gateway.log('one').runs('ask_form') === 1);
    assert.deepEqual([one.messages, two.messages], [[], []]);
    gate.open();
    await slow;
    assert.match(textOf(await asking), /green/);
    assert.deepEqual([one.messages.length, two.messages.length], [0, 1]);
  });

  it('that come while a session leaves one open are not taken for those of whoever calls meanwhile [GATE-3e]', async () => {
    const again = {
      method: 'elicitation/create',
      params: { message: 'Again', requestedSchema: { type: 'object', properties: {} } },
    };
    const gateway = await openGateway({
      one: { fixture: 'asks', protocol: 'legacy', overrides: { rules: [{ on: 'tools/call:echo', ask: [again] }] } },
    });
    const answer = deferred<undefined>();
    const first = await asked(gateway, 'red', { wait: answer.promise });
    const other = await asked(gateway, 'green');
    const asking = first.client.callTool(askForm);
    await eventually(() => first.messages.length === 1);
    // It waits its time for the first one, and then goes beside it.
    await other.client.callTool({ name: 'echo', arguments: { text: 'beside' } });
    await eventually(() => first.messages.includes('Again'));
    answer.resolve(undefined);
    assert.match(textOf(await asking), /red/);
    assert.deepEqual(other.messages, []);
  });

  it('that no call asks are declined, whoever is connected [GATE-3e]', async () => {
    const gateway = await openGateway({ one: { fixture: 'asks-unasked', protocol: 'legacy' } });
    const { messages } = await asked(gateway, 'red');
    const answers = (): unknown[] => gateway.log('one').events('answer');
    await eventually(() => answers().length >= 4);
    assert.match(textOf(answers()), /"action":"decline"/);
    assert.deepEqual(messages, []);
  });

  it('hold up no call of others for ever that nobody answers, on stdio', async () => {
    const gateway = await openGateway({ one: { fixture: 'asks', protocol: 'legacy' } });
    const left = await raw(gateway, modernRequest('tools/call', { name: 'ask_form', arguments: {} }, { capabilities }));
    assert.match(left.text, /"resultType":"input_required"/);
    for (const era of eras) {
      const { client } = await asked(gateway, 'green', { era });
      assert.match(textOf(await client.callTool({ name: 'echo', arguments: { text: era } })), new RegExp(era));
    }
  });

  for (const era of eras) {
    for (const server of eras) {
      it(`for a model reach a ${era} client of a ${server} server, and what it says goes back [GATE-3b]`, async () => {
        const fixture = server === 'legacy' ? 'asks' : 'asks-modern';
        const gateway = await openGateway({
          one: { fixture, protocol: server === 'legacy' ? 'legacy' : '2026-07-28' },
        });
        const { client } = await asked(gateway, 'red', { era });
        client.setRequestHandler('sampling/createMessage', () => ({
          role: 'assistant',
          model: 'test',
          content: { type: 'text', text: 'sampled-words' },
        }));
        assert.match(textOf(await client.callTool({ name: 'ask_model', arguments: {} })), /sampled-words/);
      });
    }
  }

  it('have a state that serves once, for its server, its tool and its arguments alone [GATE-3g]', async () => {
    const gateway = await openGateway({
      one: { fixture: 'asks', protocol: 'legacy' },
      two: { fixture: 'asks', protocol: 'legacy' },
    });
    const call = async (params: object, path = '/mcp/one') => {
      const request = modernRequest(
        'tools/call',
        { name: 'ask_form', arguments: {}, ...params },
        { path, capabilities },
      );
      return messagesIn(await raw(gateway, request)).at(-1) as {
        readonly result?: { readonly requestState?: string; readonly inputRequests?: object };
        readonly error?: { readonly code: number };
      };
    };
    const { result } = await call({});
    const requestState = result?.requestState ?? '';
    const [name = ''] = Object.keys(result?.inputRequests ?? {});
    const answer = { requestState, inputResponses: { [name]: { action: 'accept', content: { colour: 'red' } } } };
    assert.match(requestState, /^[\w-]{32}$/);
    assert.equal((await call(answer, '/mcp/two')).error?.code, -32602);
    assert.equal((await call({ ...answer, name: 'ask_url' })).error?.code, -32602);
    assert.equal((await call({ ...answer, arguments: { other: 1 } })).error?.code, -32602);
    assert.equal((await call({ ...answer, requestState: `${requestState}x` })).error?.code, -32602);
    const other = await openGateway({ one: { fixture: 'asks', protocol: 'legacy' } });
    const elsewhere = await raw(
      other,
      modernRequest('tools/call', { name: 'ask_form', arguments: {}, ...answer }, { capabilities }),
    );
    assert.match(elsewhere.text, /-32602/);
    assert.match(textOf(await call(answer)), /red/);
    assert.equal((await call(answer)).error?.code, -32602);
    assert.equal(gateway.log('one').runs('ask_form'), 2);
    assert.equal(gateway.log('two').runs('ask_form'), 0);
    assert.equal(gateway.log('one').runs('ask_url'), 0);
  });
});
