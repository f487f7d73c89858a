import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import { inheritedEnvironment } from '../../src/core/transport/inheritedEnvironment.ts';
import { loginShellPath } from '../../src/core/transport/loginShellPath.ts';
import { eventually } from '../support/eventually.ts';
import { hasProcessTable, processesWithEnvironment } from '../support/processTable.ts';

const folder = mkdtempSync(join(tmpdir(), 'shell-'));

/** A shell that runs these lines as its start files do, and then the command it was given. */
function shell(name: string, start: string): Record<string, string> {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${start}\nwhile [ "$1" != -c ]; do shift; done\neval "$2"\n`);
  chmodSync(file, 0o755);
  return { SHELL: file, PATH: '/usr/bin:/bin', SHELL_RUN: name, VSCODE_PID: '1' };
}

describe('PATH of the login shell', () => {
  if (process.platform === 'win32') return;
  after(() => rmSync(folder, { recursive: true }));

  it('is what the start files make of it, among all that they print [CONN-7g]', async () => {
    const env = shell('good', 'echo Welcome; PATH=/opt/tools/bin:$PATH; export PATH; export SEEN=${VSCODE_PID:-none}');
    const found = await inheritedEnvironment({
      env,
      inherit: [],
      platform: 'linux',
      loginShellPath: () => loginShellPath({ env }),
    });
    assert.equal(found.base['PATH'], '/opt/tools/bin:/usr/bin:/bin');
    assert.equal(found.base['SEEN'], undefined);
  });

  it('stays unknown where the shell hangs, and nothing of it is left', async () => {
    const env = shell('hanging', 'sleep 300');
    assert.equal(await loginShellPath({ env, timeoutMs: 300 }), undefined);
    if (hasProcessTable) await eventually(() => processesWithEnvironment('SHELL_RUN', 'hanging').length === 0);
  });

  it('stays unknown where the shell floods, fails or does not exist', async () => {
    assert.equal(await loginShellPath({ env: shell('flooding', 'yes') }), undefined);
    assert.equal(await loginShellPath({ env: shell('failing', 'exit 1') }), undefined);
    assert.equal(await loginShellPath({ env: { SHELL: '/no/such/shell' } }), undefined);
    assert.equal(await loginShellPath({ env: { SHELL: 'sh' } }), undefined);
    assert.equal(await loginShellPath({ env: {} }), undefined);
  });

  it('comes from the real shell of this machine', async () => {
    const path = await loginShellPath({ env: { ...process.env, SHELL: '/bin/sh' } });
    assert.ok(path?.split(':').includes('/usr/bin'), path);
  });
});
