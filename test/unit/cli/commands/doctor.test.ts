import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runDoctor } from '../../../../src/cli/commands/doctor.ts';
import type { OpenServers } from '../../../../src/cli/servers.ts';
import type { LiveClient } from '../../../../src/core/connection/liveClient.ts';
import type { DiagnosisSteps } from '../../../../src/core/diagnostics/diagnose.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import type { Launch } from '../../../../src/core/transport/launch.ts';
import { fakeHost } from '../../../support/fakeHost.ts';
import { configProblem, type FakeServer, fakeServers } from '../../../support/fakeServers.ts';

interface Report {
  node: string;
  config: { problems: Record<string, unknown>[] };
  droppedVariables: string[];
  servers: {
    id: string;
    state: string;
    healthy: boolean;
    noiseCount: number;
    checks: { name: string; verdict: string; error?: { code: string; remedy: string; stderr?: string[] } }[];
  }[];
}

describe('doctor', () => {
  it('says of each server which check failed, why, and what to do', async () => {
    const broken = new ManagerError('exitedAtStart', { server: 'bad', exit: 'code 7' }, { stderr: ['no database'] });
    const fakes = [
      { id: 'good', steps: steps({}) },
      { id: 'bad', steps: steps({ connect: () => Promise.reject(broken) }) },
    ];
    const { code, report } = await doctorJson(fakes);
    assert.equal(code, 1);
    const [good, bad] = report.servers;
    assert.deepEqual([good?.state, good?.healthy], ['ready', true]);
    assert.deepEqual([bad?.state, bad?.healthy], ['failed', false]);
    const failed = bad?.checks.find(({ verdict }) => verdict === 'failed');
    assert.equal(failed?.name, 'transport');
    assert.equal(failed.error?.code, 'exitedAtStart');
    assert.deepEqual(failed.error.stderr, ['no database']);
    assert.match(failed.error.remedy, /correct the command/);

    const { host } = await doctor(fakes, []);
    assert.match(host.written.out, /bad: failed\n {2}ok +Definition and variables\n/);
    assert.match(host.written.out, /failed +Transport\n.*\(code 7\)\.\n.*\n +\| no database\n/);
    assert.match(host.written.out, /skipped +List tools: not reached\n/);
  });

  it('shows the state that the failure leads to', async () => {
    const failing = (code: 'variableUnset' | 'signInNeeded') =>
      steps({ resolve: () => Promise.reject(new ManagerError(code, { server: 's' })) });
    const { report } = await doctorJson([
      { id: 'a', steps: failing('variableUnset') },
      { id: 'b', steps: failing('signInNeeded') },
      { id: 'c', enabled: false },
    ]);
    assert.deepEqual(
      report.servers.map(({ state }) => state),
      ['blocked(input)', 'signInNeeded', 'disabled'],
    );
  });

  it('opens with the verdict over all servers', async () => {
    const bad = steps({ resolve: () => Promise.reject(new ManagerError('variableUnset', { server: 's' })) });
    const opening = async (fakes: readonly FakeServer[]) =>
      (await doctor(fakes, [])).host.written.out.split('\n', 1)[0];
    const [good, off] = [
      { id: 'a', steps: steps({}) },
      { id: 'off', enabled: false },
    ];
    assert.equal(await opening([]), 'No servers are configured.');
    assert.equal(await opening([good]), 'No problem was found with 1 server.');
    assert.equal(
      await opening([good, { ...good, id: 'b' }, off]),
      'No problem was found with 2 servers. Disabled: off.',
    );
    assert.equal(await opening([good, { id: 'b', steps: bad }]), '1 of 2 servers has a problem: b.');
    assert.equal(
      await opening([
        { id: 'b', steps: bad },
        { id: 'c', steps: bad },
      ]),
      '2 of 2 servers have a problem: b, c.',
    );
  });

  it('shows a person whom it waits for, and takes that away', async () => {
    const host = { ...fakeHost(), errIsTerminal: true };
    const servers = fakeServers([
      { id: 'a', steps: steps({}) },
      { id: 'b', steps: steps({}) },
    ]);
    await runDoctor(['--config-file', '/f/mcp.json'], host, () => Promise.resolve({ kind: 'opened', servers }));
    const lines = host.written.err.split('\r\u001B[K');
    assert.deepEqual(lines, ['', '0 of 2: waiting for a, b', '1 of 2: waiting for b', '']);
  });

  it('names the machine, and at the end the variables that servers do not get', async () => {
    const { host } = await doctor([{ id: 's', steps: steps({}) }], []);
    assert.match(host.written.out, /^.*\nmcp-roundhouse .*Node v\d+/);
    assert.match(
      host.written.out,
      /s: ready\n[^]*\n\nfolders of PATH .*\nnot passed to servers: EDITOR, SECRET_TOKEN\n.*\n$/,
    );
    const { report } = await doctorJson([{ id: 's', steps: steps({}) }]);
    assert.deepEqual(report.droppedVariables, ['EDITOR', 'SECRET_TOKEN']);
    assert.equal(report.node, process.version);
  });

  it('counts a list that failed as a failure of a server that is ready', async () => {
    const list: DiagnosisSteps['list'] = () => Promise.reject(new ManagerError('requestTimeout', { server: 's' }));
    const { code, report } = await doctorJson([{ id: 's', steps: steps({ list }) }]);
    assert.equal(code, 1);
    assert.equal(report.servers[0]?.state, 'ready');
  });

  it('calls a server by its state where a list shows that the connection has ended', async () => {
    const after = (code: 'processExited' | 'connectionClosed' | 'signInNeeded') =>
      steps({ list: () => Promise.reject(new ManagerError(code, { server: 's' }, { stderr: ['boom'] })) });
    const { report } = await doctorJson([
      { id: 'a', steps: after('processExited') },
      { id: 'b', steps: after('connectionClosed') },
      { id: 'c', steps: after('signInNeeded') },
    ]);
    assert.deepEqual(
      report.servers.map(({ state }) => state),
      ['failed', 'failed', 'signInNeeded'],
    );
  });

  it('shows incomplete lists, items that were left out, and noise, and stays content', async () => {
    const list: DiagnosisSteps['list'] = (_, kind) =>
      Promise.resolve({
        count: 2,
        issues: [{ kind, what: 'badItem', item: 'x', reason: 'no name' }],
        issueCount: 1,
        incomplete: { kind, reason: 'pageLimit', detail: '100 pages' },
      });
    const { host, code } = await doctor([{ id: 's', steps: { ...steps({ list }), noiseCount: () => 4 } }], []);
    assert.equal(code, 0);
    assert.match(
      host.written.out,
      /List tools: items: 2\n +not complete \(it has too many pages\): 100 pages\n +left out: x: no name/,
    );
    assert.match(host.written.out, /4 lines on stdout/);
  });

  it('tells a refused configuration in both forms and exits with 2', async () => {
    const refused: OpenServers = () => Promise.resolve({ kind: 'refused', problems: [configProblem()] });
    const plain = fakeHost();
    assert.equal(await runDoctor(['--config-file', '/f/mcp.json'], plain, refused), 2);
    assert.match(plain.written.err, /^\/f\/mcp\.json:3:7: /);
    const json = fakeHost();
    assert.equal(await runDoctor(['--config-file', '/f/mcp.json', '--json'], json, refused), 2);
    const [problem] = (JSON.parse(json.written.out) as Report).config.problems;
    assert.deepEqual([problem?.['line'], problem?.['column']], [3, 7]);
    assert.deepEqual([problem?.['server'], problem?.['field']], ['one', 'url']);
    assert.equal(problem?.['code'], 'configInvalid');
  });
});

function steps(own: Partial<DiagnosisSteps>): DiagnosisSteps {
  return {
    resolve: () => Promise.resolve({ kind: 'stdio' } as Launch),
    find: () => Promise.resolve({ executable: '/bin/s' }),
    connect: () =>
      Promise.resolve({
        negotiated: { era: 'legacy', revision: '2025-11-25', transport: 'stdio' },
        capabilities: {},
        onClose: () => ({ dispose: () => undefined }),
        close: () => Promise.resolve(),
      } as unknown as LiveClient), // Only what a diagnosis touches.
    list: () => Promise.resolve({ count: 1, issues: [], issueCount: 0 }),
    ...own,
  };
}

async function doctor(fakes: readonly FakeServer[], argv: readonly string[]) {
  const host = fakeHost();
  const servers = fakeServers(fakes);
  const open: OpenServers = () => Promise.resolve({ kind: 'opened', servers });
  const code = await runDoctor(['--config-file', '/f/mcp.json', ...argv], host, open);
  assert.equal(servers.disposed, 1);
  return { host, code };
}

async function doctorJson(fakes: readonly FakeServer[]) {
  const { host, code } = await doctor(fakes, ['--json']);
  return { code, report: JSON.parse(host.written.out) as Report };
}
