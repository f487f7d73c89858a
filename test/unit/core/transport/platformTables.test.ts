import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { describe, it } from 'mocha';
import { parseStat } from '../../../../src/core/transport/linuxProcessTable.ts';
import { macProcessTable, parseList as parsePs } from '../../../../src/core/transport/macProcessTable.ts';
import { signalTargets } from '../../../../src/core/transport/posixSignal.ts';
import { systemCommand } from '../../../../src/core/transport/systemCommand.ts';
import { windowsProcessTable } from '../../../../src/core/transport/windowsProcessTable.ts';

describe('The process table of Linux', () => {
  it('reads a line of stat whatever the name of the process holds', () => {
    const line = (name: string, state: string, threads = 1): string =>
      `42 (${name}) ${state} 7 8 9 ${'0 '.repeat(13)}${threads} 0 123456 0 0`;
    const entry = { pid: 42, ppid: 7, group: 8, session: 9, start: 123_456, zombie: false };
    assert.deepEqual(parseStat(line('node', 'S')), entry);
    assert.deepEqual(parseStat(line('a) R 1 1 (b', 'S')), entry);
    assert.equal(parseStat(line('x', 'Z'))?.zombie, true);
    assert.equal(parseStat(line('x', 'Z', 4))?.zombie, false, 'other threads of it still run');
    assert.equal(parseStat('nonsense'), undefined);
  });
});

/** A system command that answers by its first fitting rule and records what it was asked. */
function fakeCommand(answers: readonly (readonly [part: string, output: string])[]) {
  const asked: string[] = [];
  const run = (file: string, args: readonly string[]): Promise<string> => {
    const line = [file, ...args].join(' ');
    asked.push(line);
    return Promise.resolve(answers.find(([part]) => line.includes(part))?.[1] ?? '');
  };
  return { run, asked };
}

describe('signalTargets', () => {
  const entry = (pid: number, group: number | undefined) =>
    ({ pid, ppid: 1, group, session: undefined, start: 1, zombie: false }) as const;

  it('names each group once, and never ours, process 1, or everybody', () => {
    const living = [entry(100, 100), entry(101, 100), entry(102, 200), entry(103, 50), entry(104, undefined)];
    assert.deepEqual(signalTargets(living, 50), [-100, -200, 103, 104]);
    assert.deepEqual(signalTargets([entry(105, 1), entry(106, 0), entry(1, 1)], 50), [105, 106]);
  });
});

describe('The process table of macOS', () => {
  const ourselves = `  ${process.pid} 1 ${process.pid} S Sat Nov 29 20:30:00 2026`;
  const output = [
    '    1     0     1 Ss   Sat Nov 29 20:00:00 2026',
    '  500     1   500 S    Sat Nov 29 21:03:00 2026    ',
    '  501   500   500 Z+   Sat Nov  1 21:03:01 2026',
    'junk',
  ].join('\n');

  it('reads what ps prints', () => {
    assert.deepEqual(parsePs(output).slice(1), [
      { pid: 500, ppid: 1, group: 500, session: undefined, start: Date.UTC(2026, 10, 29, 21, 3), zombie: false },
      { pid: 501, ppid: 500, group: 500, session: undefined, start: Date.UTC(2026, 10, 1, 21, 3, 1), zombie: true },
    ]);
  });

  it('finds the mark in the environment that ps shows', async () => {
    const { run, asked } = fakeCommand([['-E', '  500 node server A=1 ROUNDHOUSE_TREE=mark\n  501 other\n']]);
    const candidates = parsePs(output).slice(1);
    assert.deepEqual(await macProcessTable(run).marked(candidates, 'mark'), new Set([500]));
    assert.match(asked[0]!, /-p 500,501$/);
  });

  it('reads the marks of each process, its environment before its words', async () => {
    const lines = '  500 grep ROUNDHOUSE_TREE=a A=1 ROUNDHOUSE_TREE=b,c B=2\n  501 other\n';
    const marks = await macProcessTable(fakeCommand([['-E', lines]]).run).marks(parsePs(output).slice(1));
    assert.deepEqual(
      [...marks],
      [
        [500, ['b', 'c']],
        [501, []],
      ],
    );
  });

  it('counts no zombie as living, and sets its time a little back, as the clock of the machine may be', async () => {
    const table = macProcessTable(fakeCommand([['-p 500,501', `${output}\n${ourselves}`]]).run);
    const living = await table.alive(parsePs(output).slice(1));
    assert.deepEqual(
      living.map(({ pid }) => pid),
      [500],
    );
    assert.ok(table.now() <= Date.now() - 2_000);
    assert.equal(table.now() % 1_000, 0);
  });

  it('looks at the start times again right before it signals, and spares a pid that was given anew', async () => {
    const [, target] = parsePs(output);
    const { run, asked } = fakeCommand([['-p 500,', `  500 1 500 S Sat Nov 29 21:59:59 2026\n${ourselves}`]]);
    const kill = mock.method(process, 'kill', () => true);
    try {
      await macProcessTable(run).signal([target!], 'kill');
      assert.deepEqual([asked.length, kill.mock.callCount()], [1, 0]);
      await macProcessTable(fakeCommand([['-p 500,', `${output}\n${ourselves}`]]).run).signal([target!], 'terminate');
      assert.deepEqual(
        kill.mock.calls.map((call) => call.arguments),
        [[-500, 'SIGTERM']],
      );
    } finally {
      mock.restoreAll();
    }
  });
});

describe('A process table that cannot look', () => {
  const target = { pid: 500, ppid: 4, group: 500, session: undefined, start: 2000, zombie: false };
  const commands: readonly (readonly [what: string, run: () => Promise<string>])[] = [
    ['the command fails', () => Promise.reject(new Error('timed out'))],
    ['the command prints nothing', () => Promise.resolve('')],
    [
      'the listing is cut before ourselves',
      () => Promise.resolve('  500 1 500 S Sat Nov 29 21:03:00 2026\n500 4 2000'),
    ],
  ];
  for (const [what, run] of commands) {
    it(`says so instead of showing nobody where ${what}`, async () => {
      for (const table of [macProcessTable(run), windowsProcessTable(run)]) {
        await assert.rejects(table.list());
        await assert.rejects(table.alive([target]));
      }
    });
  }

  it('still signals what was known', async () => {
    const kill = mock.method(process, 'kill', () => true);
    try {
      await macProcessTable(() => Promise.reject(new Error('no ps'))).signal([target], 'kill');
      assert.deepEqual(
        kill.mock.calls.map((call) => call.arguments),
        [[-500, 'SIGKILL']],
      );
    } finally {
      mock.restoreAll();
    }
    const { run, asked } = fakeCommand([]);
    await windowsProcessTable(run).signal([target], 'kill');
    assert.match(asked.at(-1)!, /taskkill\.exe \/T \/F \/PID 500$/);
  });

  it('tells a command that did not run to its end from one that only has an exit code', async () => {
    await assert.rejects(systemCommand('/nonexistent/ps', []));
    assert.equal(await systemCommand(process.execPath, ['-e', "console.log('x'); process.exit(1)"]), 'x\n');
  });
});

describe('The process table of Windows', () => {
  const listing = `4 0 1000\r\n500 4 2000\r\n501 500 3000\r\n${process.pid} 4 1500\r\n\r\n`;

  it('reads the answer of the CIM query', async () => {
    const { run } = fakeCommand([['Get-CimInstance', listing]]);
    const list = await windowsProcessTable(run).list();
    assert.deepEqual(
      list.map(({ pid, ppid, start }) => [pid, ppid, start]),
      [
        [4, 0, 1000],
        [500, 4, 2000],
        [501, 500, 3000],
        [process.pid, 4, 1500],
      ],
    );
  });

  it('ends whole trees with taskkill, by force only at the end, and spares a pid that was given anew [CONN-8g]', async () => {
    const { run, asked } = fakeCommand([['Get-CimInstance', listing]]);
    const table = windowsProcessTable(run);
    const [, process500, process501] = await table.list();
    await table.signal([process500!, { ...process501!, start: 2999 }], 'terminate');
    await table.signal([process500!, process501!], 'kill');
    const killed = asked.filter((line) => line.includes('taskkill')).map((line) => line.split('taskkill.exe ')[1]);
    assert.deepEqual(killed, ['/T /PID 500', '/T /F /PID 500 /PID 501']);
  });

  it('kills nothing where nothing of it is left', async () => {
    const { run, asked } = fakeCommand([['Get-CimInstance', `${process.pid} 4 1500`]]);
    const target = { pid: 500, ppid: 4, group: undefined, session: undefined, start: 2000, zombie: false };
    await windowsProcessTable(run).signal([target], 'kill');
    assert.ok(!asked.some((line) => line.includes('taskkill')));
  });
});
