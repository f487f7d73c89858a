import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  identityName,
  judge,
  ownIdentity,
  type ProcessFacts,
  startFromPs,
  startFromStat,
  startOf,
} from '../../../../src/core/config/processIdentity.ts';

const facts: ProcessFacts = {
  pid: 100,
  host: 'here',
  boot: () => Promise.resolve('boot-1'),
  namespace: () => Promise.resolve('pid:[1]'),
  exists: (pid) => pid === 100 || pid === 200,
  start: (pid) => Promise.resolve(pid === 100 || pid === 200 ? { start: `s${pid}`, zombie: false } : undefined),
};
const holder = { pid: 200, start: 's200', boot: 'boot-1', host: 'here', namespace: 'pid:[1]' };

describe('judge', () => {
  it('knows itself to be alive', async () => {
    assert.equal(await judge(await ownIdentity(facts), facts), 'alive');
  });

  it('calls a process gone only when that is certain', async () => {
    assert.equal(await judge(holder, facts), 'alive');
    assert.equal(await judge({ ...holder, pid: 300 }, facts), 'gone');
    assert.equal(await judge({ ...holder, start: 's199' }, facts), 'gone', 'the id was used again');
    assert.equal(await judge({ ...holder, boot: 'boot-0' }, facts), 'gone', 'the machine was started again');
    const zombie = { ...facts, start: () => Promise.resolve({ start: 's200', zombie: true }) };
    assert.equal(await judge(holder, zombie), 'gone', 'it ended and was not collected');
  });

  it('does not judge other machines and containers, nor what it cannot read', async () => {
    assert.equal(await judge({ ...holder, host: 'there', pid: 300 }, facts), 'unknown');
    assert.equal(await judge({ ...holder, namespace: 'pid:[2]', pid: 300 }, facts), 'unknown');
    assert.equal(await judge(holder, { ...facts, start: () => Promise.resolve(undefined) }), 'unknown');
    assert.equal(await judge({ ...holder, start: '' }, facts), 'unknown');
  });
});

describe('the name of a process', () => {
  it('is the same for the same one, and another one for the same id elsewhere or later', () => {
    assert.equal(identityName({ ...holder }), identityName(holder));
    assert.match(identityName(holder), /^200-[0-9a-f]{12}$/);
    const others = [{ host: 'there' }, { namespace: 'pid:[2]' }, { boot: 'boot-0' }, { start: 's199' }];
    const names = others.map((other) => identityName({ ...holder, ...other }));
    assert.equal(new Set([...names, identityName(holder)]).size, 5);
  });
});

describe('reading the start of a process', () => {
  it('starts the system’s own tool by its full path, as a project may have one of that name', async () => {
    const asked: string[] = [];
    const ask = (program: string): Promise<string> => {
      asked.push(program);
      return Promise.resolve(' 133\r\n');
    };
    assert.deepEqual(await startOf(7, 'win32', ask), { start: '133', zombie: false });
    await startOf(7, 'darwin', ask);
    assert.match(asked[0]!, /^[A-Z]:\\.*\\System32\\WindowsPowerShell\\v1\.0\\powershell\.exe$/i);
    assert.equal(asked[1], '/bin/ps');
    assert.equal(await startOf(7, 'win32', () => Promise.resolve('')), undefined);
  });

  it('finds the fields behind any process name', () => {
    const fields = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const stat = (state: string): string => `12 (a b) (c) ${[state, ...fields.slice(1)].join(' ')}`;
    assert.deepEqual(startFromStat(stat('S')), { start: 'f19', zombie: false });
    assert.deepEqual(startFromStat(stat('Z')), { start: 'f19', zombie: true });
    assert.equal(startFromStat('12 (x) S 1'), undefined);
  });

  it('reads the line of ps', () => {
    assert.deepEqual(startFromPs('Ss+  Sat Nov 29 21:03:11 2026\n'), {
      start: 'Sat Nov 29 21:03:11 2026',
      zombie: false,
    });
    assert.deepEqual(startFromPs('Z    Sat Nov 29 21:03:11 2026'), { start: 'Sat Nov 29 21:03:11 2026', zombie: true });
    assert.equal(startFromPs('\n'), undefined);
  });
});
