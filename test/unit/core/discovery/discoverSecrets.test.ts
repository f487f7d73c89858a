import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Redactor } from '../../../../src/base/redact.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import { discover, type Discovery, type Listed } from '../../../../src/core/discovery/discover.ts';
import { FakeLiveClient, rawTool } from '../../../support/fakeLiveClient.ts';

const never = new AbortController().signal;

function listed<T>(outcome: { readonly kind: string } | Listed<T> | undefined): Listed<T> {
  assert.equal(outcome?.kind, 'listed');
  return outcome as Listed<T>;
}

describe('discover, of a server that repeats what it was lent', () => {
  const secret = 'Zq81-lent-to-it';

  async function lists(tools: readonly JsonObject[], resources: readonly JsonObject[]): Promise<Discovery> {
    const client = new FakeLiveClient({
      'tools/list': () => ({ tools: [...tools] }),
      'resources/list': () => ({ resources: [...resources] }),
      'prompts/list': () => ({ prompts: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
    });
    client.redactor = new Redactor([secret]);
    return discover(client, { signal: never });
  }

  it('hides it in all that an item says, and leaves the others as they came', async () => {
    const plain = rawTool('plain', { description: 'Says hello.' });
    const telling = rawTool('telling', {
      description: `Uses the key ${secret}.`,
      inputSchema: { type: 'object', properties: { key: { type: 'string', default: secret, enum: ['a', secret] } } },
      _meta: { encoded: Buffer.from(`me:${secret}`).toString('base64') },
    });
    const found = listed((await lists([plain, telling], [])).tools);
    assert.equal(found.items[0]?.raw, plain);
    assert.deepEqual(found.items[1]?.raw, {
      ...telling,
      description: 'Uses the key [redacted].',
      inputSchema: {
        type: 'object',
        properties: { key: { type: 'string', default: '[redacted]', enum: ['a', '[redacted]'] } },
      },
      _meta: { encoded: 'bWU6[redacted]' },
    });
    assert.doesNotMatch(JSON.stringify(found), /Zq81/);
  });

  it('leaves out what could only be called by it, and says so without it', async () => {
    const found = await lists(
      [rawTool(`get-${secret}`), rawTool('ok')],
      [
        { name: `key ${secret}`, uri: 'x://a' },
        { name: 'b', uri: `x://a?key=${secret}` },
      ],
    );
    const [tools, resources] = [listed(found.tools), listed(found.resources)];
    assert.deepEqual(
      tools.items.map(({ name }) => name),
      ['ok'],
    );
    assert.deepEqual(
      resources.items.map(({ name, key }) => [name, key]),
      [['key [redacted]', 'x://a']],
    );
    assert.deepEqual(tools.issues, [
      {
        kind: 'tools',
        item: 'get-[redacted]',
        what: 'badItem',
        reason: 'has a secret that the server was lent in its name or address',
      },
    ]);
    assert.equal(resources.issues[0]?.item, 'x://a?key=[redacted]');
    assert.doesNotMatch(JSON.stringify(found), /Zq81/);
  });
});
