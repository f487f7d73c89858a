import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inheritedEnvironment } from '../../../../src/core/transport/inheritedEnvironment.ts';
import { mergePath, needsLoginShell, pathInOutput } from '../../../../src/core/transport/loginShellPath.ts';

describe('needsLoginShell', () => {
  for (const [what, env, platform, expected] of [
    ['an editor started from a desktop', { PATH: '/usr/bin:/bin' }, 'darwin', true],
    ['the same on Linux', { PATH: '/usr/bin', SHLVL: '0' }, 'linux', true],
    ['an editor started by its command', { VSCODE_CLI: '1' }, 'darwin', false],
    ['a process under a shell', { SHLVL: '2' }, 'linux', false],
    ['a process in a terminal', { TERM_PROGRAM: 'Apple_Terminal' }, 'darwin', false],
    ['Windows', {}, 'win32', false],
  ] as const) {
    it(`is ${expected} for ${what}`, () => assert.equal(needsLoginShell(env, platform), expected));
  }
});

describe('pathInOutput', () => {
  const between = (text: string): string => `motd\nM\n${text}\nM\nbye\n`;

  it('finds PATH among other variables and greetings', () => {
    assert.equal(pathInOutput(between('A=1\n_=M\nPATH=/a:/b\nB=PATH=/c'), 'M'), '/a:/b');
  });

  it('takes nothing from outside of the markers, and nothing that is not whole', () => {
    assert.equal(pathInOutput('PATH=/a\nM\nA=1\nM\n', 'M'), undefined);
    assert.equal(pathInOutput('M\nPATH=/a:/b', 'M'), undefined);
  });

  it('drops folders that are relative or hold control characters', () => {
    assert.equal(pathInOutput(between('PATH=.:/a:bin::/b\u001B[0m:/c'), 'M'), '/a:/c');
    assert.equal(pathInOutput(between('PATH=.'), 'M'), undefined);
  });

  it('refuses a PATH without bounds', () => {
    assert.equal(pathInOutput(between(`PATH=${'/a:'.repeat(20_000)}`), 'M'), undefined);
  });
});

describe('inheritedEnvironment', () => {
  const ask = (env: Readonly<Record<string, string>>, answer: string | undefined) => {
    let asked = 0;
    const loginShellPath = (): Promise<string | undefined> => {
      asked += 1;
      return Promise.resolve(answer);
    };
    return inheritedEnvironment({ env, inherit: ['TZ'], platform: 'darwin', loginShellPath }).then((result) => ({
      ...result,
      asked,
    }));
  };

  it('puts the folders of the login shell before those that only the editor had', async () => {
    const { base } = await ask({ PATH: '/usr/bin:/editor', A: '1' }, '/home/bin:/usr/bin');
    assert.deepEqual(base, { PATH: '/home/bin:/usr/bin:/editor', A: '1' });
  });

  it('keeps the short PATH where the shell does not answer', async () => {
    assert.deepEqual((await ask({ PATH: '/usr/bin' }, undefined)).base, { PATH: '/usr/bin' });
  });

  it('asks no shell where there is one above already', async () => {
    const { asked, base, inherit } = await ask({ PATH: '/usr/bin', SHLVL: '1' }, '/other');
    assert.deepEqual([asked, base, inherit], [0, { PATH: '/usr/bin', SHLVL: '1' }, ['TZ']]);
  });

  it('names no folder twice', () => assert.equal(mergePath('/a:/b', '/b::/c:/a'), '/a:/b:/c'));
});
