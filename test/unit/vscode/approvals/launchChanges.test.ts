import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ApprovalRequest, LaunchDescription } from '../../../../src/core/ports.ts';
import type { LaunchFingerprint } from '../../../../src/core/transport/launch.ts';
import { approvalText } from '../../../../src/vscode/approvals/approvalText.ts';
import { launchChanges } from '../../../../src/vscode/approvals/launchChanges.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { demoScope } from '../../../support/managerView.ts';

type Stdio = Extract<LaunchDescription['what'], { kind: 'stdio' }>;

const launch: Stdio = {
  kind: 'stdio',
  command: 'node',
  executable: '/usr/bin/node',
  args: ['server.js', '--port=1', '--quiet'],
  cwd: '/work/demo',
  realCwd: '/work/demo',
  env: { MODE: 'fast', TOKEN: 'SHA-256 aa' },
  envFile: '/work/demo/.env',
  envFileHash: '11',
};

const changed = (now: Partial<Stdio>, more: Partial<LaunchDescription> = {}): readonly string[] =>
  launchChanges({ what: launch }, { what: { ...launch, ...now }, ...more }, english);

describe('the difference from what was approved', () => {
  it('tells old and new of each thing that changed, and nothing of the rest', () => {
    for (const [now, lines] of [
      [{}, []],
      [{ command: 'nodejs' }, ['Before: Command: node', 'Now: Command: nodejs']],
      [{ executable: '/opt/node', calledAs: '/usr/bin/node' }, ['New: This program is a link to: /opt/node']],
      [{ executable: undefined }, ['Before: Program: /usr/bin/node', 'Now: This command was not found.']],
      [{ args: ['server.js', '--port=2', '--quiet'] }, ['Before: Argument 2: --port=1', 'Now: Argument 2: --port=2']],
      [{ cwd: '/tmp', realCwd: '/tmp' }, ['Before: Folder: /work/demo', 'Now: Folder: /tmp']],
      [{ realCwd: '/etc' }, ['New: This folder leads to: /etc']],
      [{ env: { ...launch.env, MODE: 'slow' } }, ['Before: Variable MODE: fast', 'Now: Variable MODE: slow']],
      [
        { env: { ...launch.env, TOKEN: 'SHA-256 bb' } },
        ['Before: Variable TOKEN: SHA-256 aa', 'Now: Variable TOKEN: SHA-256 bb'],
      ],
      [{ env: { TOKEN: 'SHA-256 aa', NEW: '1' } }, ['New: Variable NEW: 1', 'Gone: Variable MODE: fast']],
      [{ envFileHash: '22' }, ['Before: Content of this file: SHA-256 11', 'Now: Content of this file: SHA-256 22']],
    ] as const) {
      assert.deepEqual(changed(now), lines, JSON.stringify(now));
    }
    assert.deepEqual(changed({}, { references: ['${env:X}'] }), ['New: Uses your values: ${env:X}']);
  });

  it('tells of an argument that was put in, taken out or swapped only what happened to it', () => {
    for (const [args, lines] of [
      [['--new', 'server.js', '--port=1', '--quiet'], ['New: Argument 1: --new']],
      [['server.js', '--port=1', '--port=1', '--quiet'], ['New: Argument 3: --port=1']],
      [['server.js', '--quiet'], ['Gone: Argument 2: --port=1']],
      [[], ['Gone: Argument 1: server.js', 'Gone: Argument 2: --port=1', 'Gone: Argument 3: --quiet']],
      [
        ['server.js', '--quiet', '--port=1'],
        [
          'Before: Argument 2: --port=1',
          'Now: Argument 2: --quiet',
          'Before: Argument 3: --quiet',
          'Now: Argument 3: --port=1',
        ],
      ],
    ] as const) {
      assert.deepEqual(changed({ args }), lines, JSON.stringify(args));
    }
  });

  it('tells a new address, and headers that came, went and changed', () => {
    const remote = (url: string, headers: Record<string, string>): LaunchDescription => ({
      what: { kind: 'remote', url, reached: url, host: new URL(url).host, headers },
    });
    assert.deepEqual(
      launchChanges(
        remote('https://a.example/', { A: '1', B: '1' }),
        remote('https://b.example/', { A: '2', C: '1' }),
        english,
      ),
      [
        ...['Before: URL: https://a.example/', 'Now: URL: https://b.example/'],
        ...['Before: Host: a.example', 'Now: Host: b.example'],
        ...['Before: Header A: 1', 'Now: Header A: 2', 'New: Header C: 1', 'Gone: Header B: 1'],
      ],
    );
    assert.deepEqual(
      launchChanges(remote('https://a.example/', { A: '1' }), remote('https://a.example/', {}), english),
      ['Gone: Header A: 1'],
    );
  });

  it('shows what is hidden in a value that changed', () => {
    assert.deepEqual(
      changed({ args: ['server.js', '--port=1\u202E', '--quiet'] })[1],
      'Now: Argument 2: --port=1<U+202E>',
    );
  });
});

describe('a question about a changed launch', () => {
  const request = (last: ApprovalRequest['last']): string =>
    approvalText(
      {
        id: 'demo' as ServerId,
        scope: demoScope,
        fingerprint: 'f' as LaunchFingerprint,
        file: '/work/demo/.roundhouse/mcp.json',
        what: launch,
        ...(last === undefined ? {} : { last }),
      },
      english,
    );

  it('begins with the change, and shows the whole of it below', () => {
    const text = request({ what: { ...launch, cwd: '/old', realCwd: '/old' } });
    assert.equal(
      text,
      `Changed since you approved it:\nBefore: Folder: /old\nNow: Folder: /work/demo\n\nAll of it:\n${request(undefined)}`,
    );
  });

  it('says so where only the fingerprint of what was approved is kept, and where both show alike', () => {
    assert.match(
      request('forgotten'),
      /^This is not what you approved before\. .*read all of it\.\n\nAll of it:\nCommand: node/,
    );
    assert.match(request({ what: launch }), /^It is written differently.*\n\nAll of it:\nCommand: node/);
  });
});
