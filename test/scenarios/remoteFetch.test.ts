// Name resolution of redirect targets: checked, and the connection goes to what was checked.
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { Agent } from 'node:http';
import { type AddressInfo, connect, createServer, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, it } from 'mocha';
import { ManagerError } from '../../src/core/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { RemoteFetch, type RemoteFetchOptions } from '../../src/core/transport/remoteFetch.ts';
import { eventually } from '../support/eventually.ts';
import { type HttpPeer, type PeerHandler, startPeer } from '../support/httpPeer.ts';

describe('the fetch of a remote server', () => {
  const peers: HttpPeer[] = [];
  const fetches: RemoteFetch[] = [];
  afterEach(async () => {
    for (const remote of fetches.splice(0)) remote.dispose();
    await Promise.all(peers.splice(0).map((peer) => peer.stop()));
  });

  const start = async (handler: PeerHandler): Promise<HttpPeer> => {
    const peer = await startPeer(handler);
    peers.push(peer);
    return peer;
  };
  /** Resolves every name to these addresses. */
  const resolving = (names: Record<string, readonly string[]>): NonNullable<RemoteFetchOptions['lookup']> =>
    ((name: string, _options: unknown, callback: (error: Error | null, found: LookupAddress[]) => void) => {
      const addresses = names[name];
      if (addresses === undefined) callback(new Error(`unknown name ${name}`), []);
      else
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
    }) as NonNullable<RemoteFetchOptions['lookup']>;
  const remote = (url: string, names: Record<string, readonly string[]>): RemoteFetch => {
    const made = new RemoteFetch({ url: new URL(url), headers: {}, lookup: resolving(names) });
    fetches.push(made);
    return made;
  };
  const failure = async (work: Promise<unknown>): Promise<ManagerError> => {
    const error: unknown = await work.then(
      () => assert.fail('it succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ManagerError, String(error));
    return error;
  };

  for (const [what, addresses] of [
    ['a private address', ['10.0.0.1']],
    ['the cloud’s metadata', ['169.254.169.254']],
    ['a public and a private address', ['8.8.8.8', 'fd00::1']],
  ] as const) {
    it(`does not follow to a name that stands for ${what} [CONN-13b]`, async () => {
      const peer = await start((_, answer) => answer.status(307, { location: 'https://inside.example/x?token=1' }));
      const error = await failure(remote(peer.url, { 'inside.example': addresses }).fetch(peer.url));
      assert.equal(error.code, 'redirectForbidden');
      assert.match(String(error.data['detail']), /private network/);
      assert.deepEqual(error.data['url'], 'https://inside.example/x');
    });
  }

  /** A server of this name that redirects to itself by another one; asked for after each of these answers of DNS. */
  const redirectedAfter = async (answers: readonly (readonly string[])[]): Promise<unknown[]> => {
    const inside = await start((_, answer) => answer.status(200, {}, 'inside'));
    const peer = await start((_, answer) => answer.status(307, { location: `${inside.origin}/admin` }));
    const url = `http://own.example:${new URL(peer.url).port}/`;
    const names: Record<string, readonly string[]> = {};
    const made = remote(url, names);
    const outcomes: unknown[] = [];
    for (const addresses of answers) {
      names['own.example'] = addresses;
      outcomes.push(
        await made.fetch(url).then(
          (answer) => answer.text(),
          (error: unknown) => (error as ManagerError).code,
        ),
      );
    }
    assert.equal(inside.requests.length, outcomes.filter((outcome) => outcome === 'inside').length);
    return outcomes;
  };

  it('lets a server lead into this machine only while every answer for its own name did [CONN-13b]', async () => {
    assert.deepEqual(await redirectedAfter([['127.0.0.1'], ['127.0.0.1']]), ['inside', 'inside']);
  });

  for (const [what, asked] of [
    ['a proxy that is found without a look-up', undefined],
    ['a proxy of this machine, found by its name', 'proxy.example'],
  ] as const) {
    it(`does not let a server lead into this machine that is reached through ${what} [CONN-13b]`, async () => {
      const inside = await start((_, answer) => answer.status(200));
      const peer = await start((_, answer) => answer.status(307, { location: `${inside.origin}/admin` }));
      const port = Number(new URL(peer.url).port);
      // What stands between us and the server takes the connections over, as the editor's proxy support does.
      const own = Object.getOwnPropertyDescriptor(Agent.prototype, 'createConnection')!;
      type Create = (options: TcpNetConnectOpts, done: (error: Error | null, socket?: Duplex) => void) => undefined;
      const create: Create = ({ lookup }, done) => {
        const go = (): void => done(null, connect(port, '127.0.0.1'));
        if (asked === undefined) go();
        else lookup!(asked, {}, go);
      };
      Object.defineProperty(Agent.prototype, 'createConnection', { ...own, value: create });
      try {
        const names = { 'proxy.example': ['127.0.0.1'] };
        const error = await failure(remote('http://own.example/', names).fetch('http://own.example/'));
        assert.equal(error.code, 'redirectForbidden');
        assert.match(String(error.data['detail']), /this machine/);
      } finally {
        Object.defineProperty(Agent.prototype, 'createConnection', own);
      }
      assert.equal(inside.requests.length, 0);
    });
  }

  it('does not follow to a URL that carries a user name or password, be it at the server itself [CONN-13b]', async () => {
    for (const who of ['user@', ':word@']) {
      const peer = await start((_, answer) => answer.status(307, { location: peer.url.replace('//', `//${who}`) }));
      const error = await failure(remote(peer.url, {}).fetch(peer.url));
      assert.equal(error.code, 'redirectForbidden');
      assert.match(String(error.data['detail']), /user name/);
      assert.equal(peer.requests.length, 1);
    }
  });

  it('does not speak to this machine for a name that stood for a public address before [CONN-13b]', async () => {
    const peer = await start((_, answer) => answer.status(200));
    const url = `http://own.example:${new URL(peer.url).port}/`;
    const names: Record<string, readonly string[]> = { 'own.example': ['8.8.8.8', '127.0.0.1'] };
    const made = remote(url, names);
    await assert.rejects(made.fetch(url, { signal: AbortSignal.timeout(50) }));
    names['own.example'] = ['127.0.0.1'];
    const error = await failure(made.fetch(url));
    assert.deepEqual([error.code, error.outcome], ['urlForbidden', 'notSent']);
    assert.equal(peer.requests.length, 0);
  });

  it('does not send a call for this machine’s server on to a stranger that it names [CONN-13b]', async () => {
    const peer = await start((_, answer) => answer.status(307, { location: 'https://stranger.example/' }));
    const error = await failure(
      remote(peer.url, { 'stranger.example': ['8.8.8.8'] }).fetch(peer.url, { method: 'POST', body: '{}' }),
    );
    assert.equal(error.code, 'redirectForbidden');
    assert.match(String(error.data['detail']), /this machine/);
  });

  it('sends configured headers to its own origin only', async () => {
    const peer = await start((_, answer) => answer.status(200));
    const other = await start((_, answer) => answer.status(200));
    const headers = { Authorization: 'Bearer secret', 'Mcp-Session-Id': 'not for a configuration to set' };
    const made = new RemoteFetch({ url: new URL(peer.url), headers });
    fetches.push(made);
    await made.fetch(peer.url);
    await made.fetch(other.url);
    await made.fetch(peer.url, { headers: { authorization: 'Bearer token' } });
    assert.deepEqual(
      peer.requests.map(({ headers: sent }) => [sent['authorization'], sent['mcp-session-id']]),
      [
        ['Bearer secret', undefined],
        ['Bearer token', undefined],
      ],
    );
    assert.equal(other.requests[0]?.headers['authorization'], undefined);
  });

  it('connects to the very address that it checked', async () => {
    const greeted: string[] = [];
    // The name is no one else's: only the address that was checked leads here. It ends at the first bytes of TLS.
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (hello) => {
        greeted.push(hello.toString('latin1'));
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const peer = await start((_, answer) => answer.status(307, { location: `https://other.example:${port}/x` }));
      const fetching = remote(peer.url, { 'other.example': ['127.0.0.1'] }).fetch(peer.url);
      assert.equal((await failure(fetching)).code, 'networkFailed');
      assert.equal(greeted.length, 1);
      assert.ok(greeted[0]?.includes('other.example'));
    } finally {
      other.close();
    }
  });

  it('says that a name is unknown, and that nothing was sent', async () => {
    const error = await failure(remote('https://nowhere.example/', {}).fetch('https://nowhere.example/'));
    assert.deepEqual([error.code, error.outcome], ['networkFailed', 'notSent']);
    assert.ok(String(error.data['detail']).includes('nowhere.example'));
  });

  it('cuts the body of a refusal and does not fail for it', async () => {
    const peer = await start((_, answer) => answer.status(500, {}, 'x'.repeat(1_000_000)));
    const answer = await remote(peer.url, {}).fetch(peer.url);
    assert.ok((await answer.text()).length <= 128 * 1024);
  });

  it('reads a stream of any length though the blank lines that end its events are split', async () => {
    const parts = [`data: ${'x'.repeat(4 * 1024 * 1024)}\r\n`, '\r\n'];
    let sent = 0;
    let read = 0;
    const peer = await start((_, { raw }) => {
      raw.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = async (): Promise<void> => {
        while (sent <= limits.http.body) {
          for (const part of parts) {
            raw.write(part);
            sent += part.length;
            await eventually(() => read === sent); // So that the two never come as one.
          }
        }
        raw.end();
      };
      send().catch(() => raw.destroy());
    });
    const { body } = await remote(peer.url, {}).fetch(peer.url);
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) read += chunk.length;
    assert.ok(read > limits.http.body);
  });

  it('refuses an encoding that it did not ask for', async () => {
    const peer = await start((_, answer) => answer.status(200, { 'content-encoding': 'gzip' }, 'x'));
    assert.equal((await failure(remote(peer.url, {}).fetch(peer.url))).code, 'httpUnexpectedContent');
    assert.equal(peer.requests[0]?.headers['accept-encoding'], 'identity');
  });

  it('refuses headers without end', async () => {
    const peer = await start((_, answer) => answer.status(200, { 'x-long': 'x'.repeat(64 * 1024) }));
    assert.equal((await failure(remote(peer.url, {}).fetch(peer.url))).code, 'networkFailed');
  });

  it('ends a request, and the reading of its body, with its signal', async () => {
    const peer = await start((request, answer) => (request.path === '/stream' ? answer.stream() : undefined));
    const controller = new AbortController();
    const { signal } = controller;
    const silent = remote(peer.url, {}).fetch(peer.url, { signal });
    const stream = await remote(peer.url, {}).fetch(`${peer.origin}/stream`, { signal });
    const read = stream.text();
    controller.abort();
    for (const work of [silent, read]) await assert.rejects(work, { name: 'AbortError' });
    await assert.rejects(remote(peer.url, {}).fetch(peer.url, { signal }), { name: 'AbortError' });
  });
});
