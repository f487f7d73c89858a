import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { installDetail, launcherOf } from '../../../../src/core/transport/installProgress.ts';
import { InstallWatch } from '../../../../src/core/transport/installWatch.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('launcherOf', () => {
  for (const [command, args, name] of [
    ['npx', ['-y', 'server'], 'npx'],
    ['/usr/local/bin/npx', ['server'], 'npx'],
    ['C:\\node\\npx.cmd', ['server'], 'npx'],
    ['cmd', ['/c', 'npx', '-y', 'server'], 'npx'],
    ['npm', ['exec', '--', 'server'], 'npx'],
    ['uvx', ['server'], 'uv'],
    ['uv', ['--quiet', 'run', 'server'], 'uv'],
    ['docker', ['run', '-i', '--rm', 'image'], 'docker'],
    ['docker', ['exec', 'x'], 'docker'],
    ['npm', ['start'], 'npm'],
    ['/usr/bin/node', ['server.js'], 'node'],
    ['cmd', [], 'cmd'],
  ] as const) {
    it(`takes "${[command, ...args].join(' ')}" for ${name}`, () => {
      assert.equal(launcherOf(command, args).name, name);
    });
  }
});

describe('installDetail', () => {
  for (const [command, args, line, expected] of [
    ['npx', [], 'npm warn exec The following package was not found and will be installed: a@1', true],
    ['npx', [], 'Server running on stdio', false],
    ['uvx', [], 'Downloading numpy (15.5MiB)', true],
    ['uvx', [], 'Installed 35 packages in 12ms', true],
    ['uvx', [], 'Starting server', false],
    ['docker', ['run', 'i'], "Unable to find image 'mcp/x:latest' locally", true],
    ['docker', ['run', 'i'], '4f4fb700ef54: Pulling fs layer', true],
    ['docker', ['run', 'i'], 'listening', false],
    ['sh', ['-c', 'npx x'], 'npm warn exec The following package was not found and will be installed: a@1', true],
    ['node', ['x.js'], 'Downloading model', false],
    ['docker', ['exec', 'x'], 'Digest: sha256:abc', false],
  ] as const) {
    it(`${expected ? 'sees' : 'does not see'} an installation in "${line}" of ${command}`, () => {
      const launcher = launcherOf(command, args);
      assert.equal(installDetail(launcher, line), expected ? `${launcher.name}: ${line}` : undefined);
    });
  }
});

describe('InstallWatch', () => {
  function watching(command: string, args: readonly string[], counts: number[]) {
    const clock = new ManualClock();
    const details: string[] = [];
    const watch = new InstallWatch({
      launcher: launcherOf(command, args),
      clock,
      count: () => Promise.resolve(counts.shift() ?? 2),
      onInstalling: (detail) => details.push(detail),
    });
    const wait = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { clock, details, watch, wait };
  }

  it('takes a silent launcher without a server under it for installing, after a while', async () => {
    const { details, wait } = watching('npx', ['-y', 'x'], [1, 1, 2]);
    await wait(1999);
    assert.deepEqual(details, []);
    await wait(1);
    assert.deepEqual(details, ['npx: fetching the server']);
    await wait(1000);
    await wait(1000);
    assert.equal(details.length, 2);
  });

  it('does not do so where the launcher becomes the server itself', async () => {
    const { clock, details, wait } = watching('docker', ['run', 'x'], [1]);
    await wait(10_000);
    assert.deepEqual([details, clock.pending], [[], 0]);
  });

  it('says no more once the server has spoken', async () => {
    const { clock, details, watch, wait } = watching('npx', ['x'], [1]);
    watch.dispose();
    watch.line('npm warn exec The following package was not found and will be installed: a');
    await wait(10_000);
    assert.deepEqual([details, clock.pending], [[], 0]);
  });
});
