import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { barOf, type Circumstances } from '../../../../src/core/trust/barOf.ts';
import { folder, serverOf, user } from '../config/snapshots.ts';

const barBy = (entry: object, circumstances: Partial<Circumstances>, scope = user): string | undefined =>
  barOf(serverOf(scope, entry), { workspaceTrusted: true, mayReach: () => false, ...circumstances })?.by;

describe('barOf', () => {
  it('asks about a URL with variables only whether any remote may be reached', () => {
    for (const url of ['http://localhost:${env:PORT}/mcp', 'https://${env:HOST}/']) {
      assert.equal(barBy({ url }, { remoteOn: true }), undefined, url);
      assert.equal(barBy({ url }, { remoteOn: false }), 'remoteOff', url);
    }
  });

  it('judges a finished URL as it is', () => {
    const mayReach = (url: string): boolean => url === 'https://a.example/';
    assert.equal(barBy({ url: 'https://a.example/' }, { mayReach, remoteOn: true }), undefined);
    assert.equal(barBy({ url: 'https://b.example/' }, { mayReach, remoteOn: true }), 'remoteOff');
  });

  it("lets the person's own server wait for trust where it uses the folder that is open", () => {
    const workspaceTrusted = false;
    assert.equal(barBy({ command: 'x' }, { workspaceTrusted }), undefined);
    assert.equal(barBy({ command: 'x' }, { workspaceTrusted }, folder('one')), 'trust');
    for (const entry of [
      { command: '${workspaceFolder}/x' },
      { command: 'x', args: ['${workspaceFolder}'] },
      { command: 'x', cwd: '${workspaceFolder}' },
      { command: 'x', env: { A: '${workspaceFolder}' } },
      { command: 'x', envFile: '${workspaceFolder}/.env' },
      { url: 'https://a.example/', headers: { 'X-A': '${workspaceFolder}' } },
    ]) {
      assert.equal(barBy(entry, { workspaceTrusted }), 'trust', JSON.stringify(entry));
      assert.equal(barBy(entry, { mayReach: () => true }), undefined, JSON.stringify(entry));
    }
  });

  it('tells a server that uses the folder that is open from one that the folder defines', () => {
    const entry = { command: '${workspaceFolder}/x' };
    const [own, project] = [user, folder('one')].map((scope) =>
      barOf(serverOf(scope, entry), { workspaceTrusted: false, mayReach: () => true }),
    );
    assert.equal(own?.problem.data['uses'], 'workspace');
    assert.equal(project?.problem.data['uses'], undefined);
  });
});
