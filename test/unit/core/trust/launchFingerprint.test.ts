import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { launchFingerprint } from '../../../../src/core/trust/launchFingerprint.ts';
import { resolveLaunch } from '../../../../src/core/trust/resolveLaunch.ts';
import { folder, serverOf, user } from '../config/snapshots.ts';
import { contextOf, type FakePlace } from './launchFixture.ts';

const project = folder('one');
const print = (entry: object, place: FakePlace = {}, scope = project, id = 'a'): Promise<string> =>
  launchFingerprint(serverOf(scope, entry, id), contextOf(place));

describe('launchFingerprint', () => {
  const entry = { command: 'npx', args: ['-y', 'x'], env: { A: '1' }, envFile: 'e' };
  const place: FakePlace = {
    commands: { npx: '/usr/bin/npx', npm: '/usr/bin/npm', '/usr/bin/npx': '/usr/bin/npx' },
    links: { '/usr/bin/npx': '/usr/lib/npx-cli.js', '/usr/bin/npm': '/usr/lib/npx-cli.js' },
    files: { '/work/one/e': 'B=2\n' },
  };

  it('is the same while nothing changes, and the same that the launch carries', async () => {
    assert.equal(
      await print(entry, place),
      await print({ ...entry, enabled: false, toolPolicies: { a: 'ask' } }, place),
    );
    const launch = await resolveLaunch(serverOf(project, entry), contextOf(place));
    assert.equal(launch.fingerprint, await print(entry, place));
  });

  it('changes with everything that would run differently', async () => {
    const prints = await Promise.all([
      print(entry, place),
      print({ ...entry, command: 'npm' }, place),
      print({ ...entry, args: ['-y', 'y'] }, place),
      print({ ...entry, args: ['-y x'] }, place),
      print({ ...entry, env: { A: '2' } }, place),
      print({ ...entry, env: { B: '1' } }, place),
      print({ ...entry, cwd: 'sub' }, place),
      print({ command: 'npx', args: ['-y', 'x'], env: { A: '1' } }, place),
      print(entry, { ...place, files: { '/work/one/e': 'B=3\n' } }),
      print(entry, { ...place, files: { '/work/one/e': 'B=2\n# comment\n' } }),
      print(entry, { ...place, links: { '/usr/bin/npx': '/tmp/evil' } }),
      print(entry, { ...place, links: { '/usr/bin/npx': '/usr/lib/npx-cli.js', '/work/one': '/elsewhere' } }),
      print(entry, { ...place, commands: {} }),
      print(entry, place, project, 'b'),
      print(entry, { ...place, files: { '/work/two/e': 'B=2\n' } }, folder('two')),
    ]);
    assert.equal(new Set(prints).size, prints.length);
  });

  it('does not depend on how the same command and the same envFile are written', async () => {
    assert.equal(await print({ ...entry, command: '/usr/bin/npx' }, place), await print(entry, place));
    assert.equal(await print({ ...entry, envFile: './e' }, place), await print(entry, place));
  });

  it("is the same for a server of the person's own in every window, open folder or none", async () => {
    const own = { command: '/bin/x' };
    const here = await print(own, { workspaceFolder: '/work/one' }, user);
    for (const workspaceFolder of ['/work/two', undefined]) {
      assert.equal(await print(own, { workspaceFolder }, user), here);
    }
    assert.equal(await print({ ...own, cwd: '${workspaceFolder}' }, { workspaceFolder: '/work/one' }, user), here);
    for (const other of [
      { ...own, cwd: '/work/one' },
      { ...own, persistent: true },
    ]) {
      assert.notEqual(await print(other, { workspaceFolder: '/work/one' }, user), here);
    }
  });

  it('binds what comes from the person by name, not by value', async () => {
    const lent = { command: 'x', args: ['${env:A}', '${input:i}'], env: { T: '${secret:s}' }, cwd: '${env:D}' };
    const one = contextOf({ env: { A: '1', D: '/d' } });
    const first = await launchFingerprint(serverOf(project, lent), one);
    assert.equal(first, await print(lent, { env: { A: '2', D: '/e' } }));
    assert.deepEqual(one.asked, [], 'nothing is asked before approval');
    for (const other of [
      { ...lent, args: ['${env:B:-1}', '${input:i}'] },
      { ...lent, args: ['${env:A:-x}', '${input:i}'] },
      { ...lent, args: ['${env:A}', '${input:j}'] },
      { ...lent, env: { T: '${secret:t}' } },
      { ...lent, env: { T: '$${secret:s}' } },
    ]) {
      assert.notEqual(await print(other, { env: { A: '1', D: '/d' } }), first, JSON.stringify(other));
    }
  });

  it('binds the executable that a variable of the person leads to', async () => {
    const byEnv = { command: '${env:TOOL}' };
    const at = (path: string): Promise<string> => print(byEnv, { env: { TOOL: 't' }, commands: { t: path } });
    assert.notEqual(await at('/usr/bin/t'), await at('/tmp/t'));
  });

  it('binds URL and headers of a remote, with all that stands in them', async () => {
    const remote = { url: 'https://example.com/mcp', headers: { 'X-A': '1' } };
    const first = await print(remote);
    assert.equal(await print({ url: 'https://EXAMPLE.com:443/mcp', headers: { 'x-a': '1' } }), first);
    for (const other of [
      { ...remote, url: 'https://example.com/mcp2' },
      { ...remote, url: 'https://example.com/mcp?x' },
      { ...remote, headers: {} },
      { ...remote, headers: { 'X-A': '1', 'X-B': '' } },
      { ...remote, headers: { 'X-A': '2' } },
      { ...remote, headers: { 'X-A': '${secret:mail}' } },
      { ...remote, headers: { 'X-A': '1${secret:mail}' } },
    ]) {
      assert.notEqual(await print(other), first, JSON.stringify(other));
    }
  });

  it("takes a person's own server for the same one in every workspace", async () => {
    const own = { command: 'x', args: ['${workspaceFolder}'] };
    const at = (workspaceFolder: string, scope = user): Promise<string> => print(own, { workspaceFolder }, scope);
    assert.equal(await at('/work/one'), await at('/work/two'));
    assert.equal(
      await print({ command: 'x' }, { workspaceFolder: '/a' }, user),
      await print({ command: 'x' }, { workspaceFolder: '/b' }, user),
    );
    assert.notEqual(await print(own, {}, folder('one')), await print(own, {}, folder('two')));
  });

  it('fails where the launch cannot be resolved', async () => {
    await assert.rejects(print({ command: 'x', args: ['${env:GONE}'] }), { code: 'variableUnset' });
    await assert.rejects(print({ command: 'x', envFile: 'none' }), { code: 'envFileUnreadable' });
    await assert.rejects(print({ url: '${env:U}' }, { env: { U: 'http://example.com' } }), { code: 'urlForbidden' });
  });
});
