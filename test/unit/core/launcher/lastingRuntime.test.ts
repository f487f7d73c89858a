import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isLastingRuntime, type LastingOptions } from '../../../../src/core/launcher/lastingRuntime.ts';

const linux: LastingOptions = { platform: 'linux', variables: {}, temporary: ['/scratch/'] };

describe('the program of an editor', () => {
  it('lasts where it is installed', () => {
    for (const path of ['/usr/share/code/code', '/tmpfiles/code', '/scratch', '/home/x/tmp/code']) {
      assert.ok(isLastingRuntime(path, linux), path);
    }
  });

  it('does not last where it is mounted for each start, or lies among temporary files', () => {
    const image = { ...linux, variables: { APPIMAGE: '/home/x/Cursor.AppImage' } };
    assert.ok(!isLastingRuntime('/usr/share/code/code', image));
    assert.ok(isLastingRuntime('/usr/share/code/code', { ...linux, variables: { APPIMAGE: '' } }));
    for (const path of [
      '/tmp/.mount_cursor/cursor',
      '/scratch/code',
      '/usr/../tmp/code',
      '/private/var/folders/a/T/c',
    ]) {
      assert.ok(!isLastingRuntime(path, linux), path);
    }
  });

  it('does not last in the temporary folder of Windows, however that is written', () => {
    const windows: LastingOptions = { platform: 'win32', variables: {}, temporary: ['C:/Users/X/AppData/Local/Temp'] };
    assert.ok(!isLastingRuntime('c:\\users\\x\\appdata\\local\\temp\\code.exe', windows));
    assert.ok(isLastingRuntime('C:\\Users\\x\\AppData\\Local\\Programs\\Code.exe', windows));
  });
});
