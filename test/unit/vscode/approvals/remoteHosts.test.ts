import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { operatorOf, remoteHosts } from '../../../../src/vscode/approvals/remoteHosts.ts';
import { english } from '../../../../src/vscode/translate.ts';

describe('the hosts of remote servers', () => {
  it('are each named once, in order, with the servers there and who runs them', () => {
    const lines = remoteHosts(
      [
        { url: 'https://mcp.example.com:8443/a' },
        { id: 'one', url: 'https://API.other.dev/mcp?key=secret' },
        { id: 'two', url: 'https://api.other.dev:443/b' },
        { id: 'here', url: 'http://127.0.0.1:3000/mcp' },
        { id: 'same', url: 'https://mcp.example.com:8443/b' },
        { id: 'open', url: 'https://${env:HOST}/mcp?key=secret' },
        { id: 'address', url: 'https://192.0.2.7/mcp' },
      ],
      english,
    );
    assert.deepEqual(lines, [
      '• mcp.example.com:8443: the new server, same (run by whoever owns example.com)',
      '• api.other.dev: one, two (run by whoever owns other.dev)',
      '• 127.0.0.1:3000: here (runs on this machine)',
      '• ${env:HOST}: open (its host is known at the start only)',
      '• 192.0.2.7: address',
    ]);
  });

  it('are counted where there are more than a dialog shows', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ id: `s${at}`, url: `https://h${at}.example/` }));
    const lines = remoteHosts([{ url: 'https://new.example/' }, ...many], english);
    assert.equal(lines.length, 16);
    assert.match(lines[0]!, /new\.example/);
    assert.equal(lines.at(-1), 'and 26 more hosts');
  });

  it('show what is hidden in one that is no finished URL', () => {
    const [line] = remoteHosts([{ id: 'a', url: 'https://${env:X}\u202e.moc.live/' }], english);
    assert.ok(!line!.includes('\u202e'));
  });

  it('belong to the owner of the registered name, or to the customer who was lent one', () => {
    for (const [name, owner] of [
      ['example.com', 'example.com'],
      ['a.b.example.com', 'example.com'],
      ['api.example.co.uk', 'example.co.uk'],
      ['mcp.co', 'mcp.co'],
      ['evil.workers.dev', 'evil.workers.dev'],
      ['x.evil.github.io', 'evil.github.io'],
      ['intranet', 'intranet'],
      ['10.0.0.1', undefined],
      ['[2001:db8::1]', undefined],
    ] as const) {
      assert.equal(operatorOf(name), owner, name);
    }
  });
});
