import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type GuardFiles, guardedProgram } from '../../../../src/core/launcher/guardedProgram.ts';

type Entry = readonly [uid: number, mode: number];

const usual: Readonly<Record<string, Entry>> = {
  '/': [0, 0o755],
  '/home': [0, 0o755],
  '/home/x': [1000, 0o750],
  '/home/x/code': [1000, 0o755],
};

/** The person is 1000; `changed` stands over the usual. */
function files(changed: Readonly<Record<string, Entry>> = {}, more: Partial<GuardFiles> = {}): GuardFiles {
  const entries = { ...usual, ...changed };
  return {
    own: 1000,
    real: (path) => path,
    stats: (path) => {
      const [uid, mode] = entries[path] ?? assert.fail(path);
      return { uid, mode };
    },
    run: () => undefined,
    ...more,
  };
}

const kept = (given: GuardFiles, platform: NodeJS.Platform = 'linux'): string | undefined =>
  guardedProgram('/home/x/code', { platform, files: given });

describe('a program that the launcher may run later', () => {
  it('belongs to the person or to root, in folders that belong to them', () => {
    assert.equal(kept(files()), '/home/x/code');
    assert.equal(kept(files({ '/home/x/code': [0, 0o755], '/home/x': [0, 0o755] })), '/home/x/code');
    for (const path of Object.keys(usual)) assert.equal(kept(files({ [path]: [1001, 0o700] })), undefined, path);
  });

  it('is no file that others may write, and in no folder that anybody may write and clear', () => {
    for (const mode of [0o757, 0o775]) assert.equal(kept(files({ '/home/x/code': [1000, mode] })), undefined);
    for (const path of ['/', '/home', '/home/x']) assert.equal(kept(files({ [path]: [0, 0o777] })), undefined, path);
    assert.equal(kept(files({ '/home': [0, 0o1777] })), '/home/x/code', 'sticky');
    assert.equal(kept(files({ '/home': [0, 0o775] })), '/home/x/code', 'a group’s, as /Applications');
  });

  it('is kept by its path without links', () => {
    const linked = files({ '/opt': [0, 0o755], '/opt/code': [0, 0o755] }, { real: () => '/opt/code' });
    assert.equal(kept(linked), '/opt/code');
  });

  it('is there, may be run, and can be judged', () => {
    const no = (): never => assert.fail('not there');
    for (const more of [{ real: no }, { stats: no }, { run: no }]) assert.equal(kept(files({}, more)), undefined);
    assert.equal(kept(files({}, { real: no, stats: no }), 'win32'), '/home/x/code', 'no owners there');
    assert.equal(kept(files({}, { run: no }), 'win32'), undefined);
  });
});
