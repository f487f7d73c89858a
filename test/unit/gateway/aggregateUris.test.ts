import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { expandTemplate } from '../../../src/core/discovery/uriTemplate.ts';
import { innerUri, outwardUri, resultUri, withOutwardUris } from '../../../src/gateway/aggregateUris.ts';

const runs = { numRuns: 10_000, seed: 20261130 };
const server = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/),
  fc.constantFrom('result', 'server', 'A', 'a', 'GitHub', '-', '_'),
);
const uri = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.constantFrom('fixture://text', 'file:///C:/a/../b', '../../x', 'roundhouse://result/x', 'urn:x', '/', '?', '#'),
);

describe('outwardUri', () => {
  it('puts the server before the address and leaves that as it is', () => {
    assert.equal(outwardUri('files', 'file:///a b?c#d'), 'roundhouse://server.files/file:///a b?c#d');
    assert.equal(outwardUri('GitHub', 'x:y'), 'roundhouse://server.~git~hub/x:y');
  });

  it('is undone by innerUri, whatever server and address', () => {
    fc.assert(
      fc.property(server, uri, (id, of) => {
        assert.deepEqual(innerUri(outwardUri(id, of)), { kind: 'server', server: id, uri: of });
      }),
      runs,
    );
  });

  it('names the same server still when a client has put the address into its normal form', () => {
    fc.assert(
      fc.property(server, uri, (id, of) => {
        const inner = innerUri(new URL(outwardUri(id, of)).href);
        // What became of it may be no address any more; it is never one of another server, or of a result.
        assert.ok(inner === undefined || (inner.kind === 'server' && inner.server === id), JSON.stringify(inner));
        const small = outwardUri(id, of).replace(/^[^/]+\/\/[^/]+/, (head) => head.toLowerCase());
        assert.deepEqual(innerUri(small), { kind: 'server', server: id, uri: of });
      }),
      runs,
    );
  });

  it('keeps a template one, with every operator', () => {
    const values = { a: 'São/Paulo', b: 'x y', c: '' };
    for (const template of ['f://{a}', 'f://{+a}{?b,c}', 'f:{/a,b}{#b}', 'f://h{;a,c}{.b}{&a:3}']) {
      const expanded = expandTemplate(outwardUri('one', template), values);
      assert.deepEqual(innerUri(expanded), { kind: 'server', server: 'one', uri: expandTemplate(template, values) });
    }
  });
});

describe('innerUri', () => {
  it('knows whole results by id and page', () => {
    const id = '0123456789abcdef'.repeat(2);
    assert.deepEqual(innerUri(resultUri(id)), { kind: 'result', id, page: 1 });
    assert.deepEqual(innerUri(resultUri(id, 12)), { kind: 'result', id, page: 12 });
  });

  it('takes nothing else', () => {
    const id = '0'.repeat(32);
    for (const other of [
      'fixture://text',
      'roundhouse://files/x',
      'roundhouse://server./x',
      'roundhouse://server.a',
      'roundhouse://server.a/',
      'roundhouse://server.a.b/x',
      'roundhouse://result/short',
      `roundhouse://result/${id}/0`,
      `roundhouse://result/${id}/x`,
      `roundhouse://results/${id}`,
      `xroundhouse://result/${id}`,
    ]) {
      assert.equal(innerUri(other), undefined, other);
    }
  });
});

describe('withOutwardUris', () => {
  it('turns the addresses of links, resources and contents, and nothing else', () => {
    const uri = 'f://a';
    const out = outwardUri('one', uri);
    const result = {
      content: [
        { type: 'text', text: uri, uri },
        { type: 'resource_link', uri, name: uri },
        { type: 'resource', resource: { uri, text: uri } },
        7,
      ],
      contents: [{ uri, blob: '' }],
      messages: [{ role: 'user', content: { type: 'resource_link', uri } }, { role: 'user' }],
      structuredContent: { uri },
    };
    assert.deepEqual(withOutwardUris('one', result), {
      content: [
        { type: 'text', text: uri, uri },
        { type: 'resource_link', uri: out, name: uri },
        { type: 'resource', resource: { uri: out, text: uri } },
        7,
      ],
      contents: [{ uri: out, blob: '' }],
      messages: [{ role: 'user', content: { type: 'resource_link', uri: out } }, { role: 'user' }],
      structuredContent: { uri },
    });
  });
});
