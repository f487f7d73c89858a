import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limits } from '../../../src/core/limits.ts';
import { admit, type RequestHead } from '../../../src/gateway/admission.ts';

const port = 4321;
const rules = { port, isToken: (presented: string) => presented === 'right' };
const good = {
  method: 'POST',
  url: '/mcp/one',
  headers: {
    host: `127.0.0.1:${port}`,
    authorization: 'Bearer right',
    'content-type': 'application/json; charset=utf-8',
  },
};
const status = (change: Partial<RequestHead>, headers: Record<string, string | undefined> = {}): number => {
  const admission = admit({ ...good, ...change, headers: { ...good.headers, ...headers } }, rules);
  return admission.kind === 'admitted' ? 200 : admission.status;
};

describe('the admission to the gateway', () => {
  it('lets in who names this machine and knows the token', () => {
    assert.deepEqual(admit(good, rules), { kind: 'admitted', method: 'POST', endpoint: { kind: 'server', id: 'one' } });
    assert.equal(status({}, { host: `localhost:${port}` }), 200);
    assert.equal(status({}, { origin: `http://127.0.0.1:${port}` }), 200);
    assert.equal(status({}, { authorization: 'bearer   right' }), 200);
  });

  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `0.0.0.0:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    undefined,
    '',
  ]) {
    it(`refuses the Host ${host}`, () => assert.equal(status({}, { host }), 403));
  }

  for (const origin of [
    'http://evil.example',
    'null',
    `https://127.0.0.1:${port}`,
    'http://127.0.0.1',
    'vscode-file://vscode-app',
    '',
  ]) {
    it(`refuses the Origin ${origin}`, () => assert.equal(status({}, { origin }), 403));
  }

  for (const authorization of [undefined, '', 'right', 'Basic right', 'Bearer wrong', 'Bearer right right', 'Bearer']) {
    it(`refuses ${authorization} for a token, in the query too`, () => {
      assert.equal(status({ url: '/mcp/one?token=right&access_token=right' }, { authorization }), 401);
    });
  }

  it('tells who has no token nothing of what is there', () => {
    for (const url of ['/mcp/one', '/mcp/none', '/elsewhere'])
      assert.equal(status({ url }, { authorization: '' }), 401);
  });

  for (const url of [
    '/',
    '/mcp/',
    '/mcp/a/b',
    '/mcp/a%2fb',
    '/mcp/..',
    '/vscode',
    '/vscode/',
    '//mcp/one',
    '/MCP/one',
    '*',
    '',
  ]) {
    it(`has nothing at ${url}`, () => assert.equal(status({ url }), 404));
  }

  it('knows all servers, plan mode and the editor', () => {
    const endpoint = (url: string): unknown => {
      const admission = admit({ ...good, url }, rules);
      return admission.kind === 'admitted' && admission.endpoint;
    };
    assert.deepEqual(endpoint('/mcp'), { kind: 'all', plan: false });
    assert.deepEqual(endpoint('/mcp?mode=plan'), { kind: 'all', plan: true });
    assert.deepEqual(endpoint('/mcp?names=short&tools=search'), {
      kind: 'all',
      plan: false,
      short: true,
      search: true,
    });
    assert.deepEqual(endpoint('/mcp?mode=act&names=full&tools=all'), { kind: 'all', plan: false });
    assert.deepEqual(endpoint('/vscode/a-b_c'), { kind: 'editor', id: 'a-b_c' });
    assert.deepEqual(endpoint('/keeper/launch'), { kind: 'service', name: 'launch' });
  });

  it('gives nobody all tools who asked for less in other words', () => {
    for (const url of ['/mcp?mode=PLAN', '/mcp?mode=other', '/mcp?Mode=plan', '/mcp?x', '/mcp?mode=plan&mode=no'])
      assert.equal(status({ url }), 400, url);
    assert.equal(status({ url: '/mcp/one?mode=plan' }), 404);
  });

  it('says which parameter it does not know and what there is, to who is let in alone', () => {
    const told = (url: string, authorization = good.headers.authorization): unknown => {
      const admission = admit({ ...good, url, headers: { ...good.headers, authorization } }, rules);
      return admission.kind === 'refused' && [admission.status, admission.message];
    };
    assert.deepEqual(told('/mcp?names=short&tools=serach'), [
      400,
      'The parameter tools is "serach": it has to be all or search.',
    ]);
    assert.deepEqual(told('/mcp?Mode=plan'), [400, 'There is no parameter "Mode": there are mode, names, tools.']);
    assert.match(
      String(told(`/mcp?tools=%0a%1b[2J${'x'.repeat(99)}`)),
      /^400,The parameter tools is "[^\n\u001B]{1,50}"/,
    );
    assert.match(String(told('/mcp?tools=serach', 'Bearer no')), /^401,The bearer token/);
  });

  it('knows its own name in any letters, and at the port that is not said', () => {
    const at = (host: string, port: number): string =>
      admit({ ...good, headers: { ...good.headers, host } }, { ...rules, port }).kind;
    assert.equal(at('LOCALHOST:80', 80), 'admitted');
    assert.equal(at('127.0.0.1', 80), 'admitted');
    assert.equal(at('127.0.0.1', 8080), 'refused');
    assert.equal(at('evil.example', 80), 'refused');
  });

  for (const method of ['OPTIONS', 'PUT', 'PATCH', 'HEAD', 'get', undefined]) {
    it(`does not serve ${method}`, () => assert.equal(status({ method }), 405));
  }

  it('takes JSON only, as it is, and no more of it than a body may have', () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', undefined, '']) {
      assert.equal(status({}, { 'content-type': type }), 415, type);
    }
    assert.equal(status({}, { 'content-encoding': 'gzip' }), 415);
    assert.equal(status({}, { 'content-length': String(limits.gateway.body) }), 200);
    assert.equal(status({}, { 'content-length': String(limits.gateway.body + 1) }), 413);
    assert.equal(status({ method: 'GET' }, { 'content-type': undefined }), 200);
  });

  it('takes no head that says twice what decides', () => {
    for (const name of ['Host', 'ORIGIN', 'authorization', 'Content-Type', 'Content-Length', 'Mcp-Session-Id']) {
      assert.equal(status({ rawHeaders: [name, 'a', 'X-Other', 'b', name.toLowerCase(), 'a'] }), 400, name);
    }
    assert.equal(status({ rawHeaders: ['Host', 'a', 'X-Other', 'host', 'x-other', 'b', 'Accept', 'origin'] }), 200);
  });

  it('has no Host to check on a socket, and still the token and no Origin', () => {
    const onSocket = { ...rules, port: undefined };
    const kind = (headers: object): string =>
      admit({ ...good, headers: { ...good.headers, ...headers } }, onSocket).kind;
    assert.equal(kind({ host: 'roundhouse' }), 'admitted');
    assert.equal(kind({ authorization: '' }), 'refused');
    assert.equal(kind({ origin: `http://127.0.0.1:${port}` }), 'refused');
  });
});
