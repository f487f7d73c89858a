import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runProgram } from '../../../src/cli/program.ts';
import { fakeHost } from '../../support/fakeHost.ts';

describe('the program', () => {
  it('says what it can do when it is called without a command, and that this is wrong', async () => {
    const host = fakeHost();
    assert.equal(await runProgram([], host), 64);
    assert.match(host.written.err, /Usage:/);
    assert.equal(host.written.out, '');
  });

  it('prints its help where it can be piped', async () => {
    for (const argument of ['--help', '-h', 'help']) {
      const host = fakeHost();
      assert.equal(await runProgram([argument], host), 0);
      assert.match(host.written.out, /Exit codes:[\s\S]*2 +the configuration was refused/);
      assert.equal(host.written.err, '');
    }
  });

  it('prints the version of the package', async () => {
    const host = fakeHost();
    assert.equal(await runProgram(['--version'], host), 0);
    const { default: manifest } = (await import('../../../package.json', { with: { type: 'json' } })) as {
      default: { version: string };
    };
    assert.equal(host.written.out, `${manifest.version}\n`);
  });

  for (const name of ['proxies', '__proto__', 'constructor', 'toString', '']) {
    it(`refuses ${JSON.stringify(name)} as an unknown command and names those that there are`, async () => {
      const host = fakeHost();
      assert.equal(await runProgram([name], host), 64);
      assert.match(host.written.err, /unknown command .*list, call, serve, proxy, doctor/);
    });
  }

  it('tells an unknown option from an unknown command', async () => {
    const host = fakeHost();
    assert.equal(await runProgram(['--json'], host), 64);
    assert.match(host.written.err, /unknown option "--json"/);
  });

  for (const name of ['list', 'call', 'doctor', 'serve']) {
    it(`explains ${name} without needing a file`, async () => {
      const host = fakeHost();
      assert.equal(await runProgram([name, '--help'], host), 0);
      assert.ok(host.written.out.startsWith(`Usage: mcp-roundhouse ${name} `));
      assert.match(host.written.out, /--allow-remote/);
    });

    it(`refuses ${name} without a configuration file`, async () => {
      const host = fakeHost();
      assert.equal(await runProgram([name], host), 64);
      assert.match(host.written.err, /--config-file FILE is missing/);
    });
  }

  it('explains proxy, which needs no file', async () => {
    const host = fakeHost();
    assert.equal(await runProgram(['proxy', '--help'], host), 0);
    assert.ok(host.written.out.startsWith('Usage: mcp-roundhouse proxy '));
    assert.match(host.written.out, /--config JSON/);
  });
});
