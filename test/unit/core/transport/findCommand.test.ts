import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { candidatePaths, findCommand, type PathKind } from '../../../../src/core/transport/findCommand.ts';

const disk = (files: Readonly<Record<string, PathKind>>) => (path: string) => Promise.resolve(files[path] ?? 'other');

describe('findCommand', () => {
  const env = { PATH: '/a:/b:/c' };

  it('takes the first executable on PATH', async () => {
    const kindOf = disk({ '/b/npx': 'executable', '/c/npx': 'executable' });
    const found = await findCommand('npx', { env, cwd: '/project', platform: 'linux', kindOf });
    assert.deepEqual(found, { kind: 'found', path: '/b/npx' });
  });

  it('says where it looked in vain', async () => {
    const found = await findCommand('npx', { env, cwd: '/project', platform: 'linux', kindOf: disk({}) });
    assert.deepEqual(found, { kind: 'notFound', lookedIn: ['/a', '/b', '/c'] });
  });

  it('tells a file that may not be run from one that is missing', async () => {
    const kindOf = disk({ '/a/npx': 'file' });
    const found = await findCommand('npx', { env, cwd: '/project', platform: 'linux', kindOf });
    assert.deepEqual(found, { kind: 'notExecutable', path: '/a/npx' });
  });

  it('knows a folder that stands where the program is meant', async () => {
    const kindOf = disk({ '/project/server': 'folder', 'C:\\w\\server': 'folder', '/a/npx': 'folder' });
    const found = (command: string, platform: NodeJS.Platform, cwd: string) =>
      findCommand(command, { env, cwd, platform, kindOf });
    assert.deepEqual(await found('./server', 'linux', '/project'), { kind: 'folder', path: '/project/server' });
    assert.deepEqual(await found('/project/server/', 'darwin', '/'), { kind: 'folder', path: '/project/server' });
    assert.deepEqual(await found('.\\server', 'win32', 'C:\\w'), { kind: 'folder', path: 'C:\\w\\server' });
    // On PATH the system passes a folder over.
    assert.deepEqual(await found('npx', 'linux', '/project'), { kind: 'notFound', lookedIn: ['/a', '/b', '/c'] });
  });

  it('on Windows knows a file that has no ending of a program, and prefers one that has', async () => {
    const windows = { env: { PATHEXT: '.EXE;.CMD' }, cwd: 'C:\\w', platform: 'win32' } as const;
    const script = disk({ 'C:\\w\\run.py': 'executable' });
    assert.deepEqual(await findCommand('.\\run.py', { ...windows, kindOf: script }), {
      kind: 'notExecutable',
      path: 'C:\\w\\run.py',
    });
    const both = disk({ 'C:\\w\\run': 'folder', 'C:\\w\\run.CMD': 'executable' });
    assert.deepEqual(await findCommand('C:\\w\\run', { ...windows, kindOf: both }), {
      kind: 'found',
      path: 'C:\\w\\run.CMD',
    });
  });

  it('looks up this very program on the real disk', async () => {
    const found = await findCommand(process.execPath, { env: {}, cwd: '/', platform: process.platform });
    assert.deepEqual(found, { kind: 'found', path: process.execPath });
  });
});

describe('candidatePaths', () => {
  const linux = (command: string, PATH: string) =>
    candidatePaths(command, { env: { PATH }, cwd: '/w', platform: 'linux' });
  const windows = (command: string, env: Readonly<Record<string, string>>) =>
    candidatePaths(command, { env, cwd: 'C:\\w', platform: 'win32' });

  it('never looks into the working directory by way of PATH', () => {
    assert.deepEqual(linux('npx', ':.:bin:/usr/bin:').paths, ['/usr/bin/npx']);
    assert.deepEqual(windows('npx', { Path: '.;C:\\bin', PATHEXT: '.EXE' }).paths, ['C:\\bin\\npx.EXE']);
  });

  it('takes a command with a separator relative to the working directory', () => {
    assert.deepEqual(linux('./server', '/usr/bin'), {
      lookedIn: ['/w'],
      written: '/w/server',
      paths: ['/w/server'],
    });
    assert.deepEqual(windows('.\\server.cmd', { PATH: 'C:\\bin' }).paths, ['C:\\w\\server.cmd']);
  });

  it('tries the extensions of Windows, unless the command has one of them', () => {
    assert.deepEqual(windows('npx', { PATH: '"C:\\my bin"', PATHEXT: '.EXE;.CMD' }).paths, [
      'C:\\my bin\\npx.EXE',
      'C:\\my bin\\npx.CMD',
    ]);
    assert.deepEqual(windows('npx.cmd', { PATH: 'C:\\bin' }).paths, ['C:\\bin\\npx.cmd']);
    assert.deepEqual(windows('tool.v2', { PATH: 'C:\\bin', PATHEXT: '.EXE' }).paths, ['C:\\bin\\tool.v2.EXE']);
  });
});
