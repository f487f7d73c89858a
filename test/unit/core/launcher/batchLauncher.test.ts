import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { batchLauncher } from '../../../../src/core/launcher/batchLauncher.ts';

const variables = {
  LOCALAPPDATA: 'C:\\Users\\Jörg\\AppData\\Local',
  USERPROFILE: 'C:\\Users\\Jörg',
  ProgramFiles: 'C:\\Program Files',
};
const text = (runtimes: readonly string[], folder = 'C:\\Users\\Jörg\\.mcp-roundhouse\\bin'): string =>
  batchLauncher({ folder, build: '1.0.0-0123456789abcdef', runtimes, variables });
const lines = (...args: Parameters<typeof text>): readonly string[] => text(...args).split('\r\n');

describe('the launcher for cmd.exe', () => {
  it('tries each editor as Node before it runs it, then node.exe on PATH without ELECTRON_RUN_AS_NODE', () => {
    const all = lines(['C:\\Program Files\\VS Code\\Code.exe', 'D:\\Codium\\VSCodium.exe']);
    const at = (part: string): number => all.findIndex((line) => line.includes(part));
    assert.deepEqual(
      all.filter((line) => line.startsWith('set "runtime=')),
      ['set "runtime=%ProgramFiles%\\VS Code\\Code.exe"', 'set "runtime=D:\\Codium\\VSCodium.exe"'],
    );
    const check = 'if exist "%runtime%" "%runtime%" -e "%check%" <nul >nul 2>nul && goto run';
    assert.equal(all.filter((line) => line === check).length, 2);
    const order = [
      at('set "ELECTRON_RUN_AS_NODE=1"'),
      at('VSCodium'),
      at('set "ELECTRON_RUN_AS_NODE="'),
      at('where.exe'),
    ];
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    assert.ok(order.every((line) => line > 0));
  });

  it('runs the program in the last line that is read, with all arguments and its exit code', () => {
    assert.deepEqual(lines(['D:\\Code.exe']).slice(-2), ['"%runtime%" "%program%" %* & exit /b', '']);
    assert.ok(lines(['D:\\Code.exe']).includes('set "program=%~dp01.0.0-0123456789abcdef\\cli.js"'));
  });

  it('never looks into the working folder for a program', () => {
    const all = lines(['D:\\Code.exe']);
    const guard = all.indexOf('set "NoDefaultCurrentDirectoryInExePath=1"');
    const first = all.findIndex((line) => line.includes('.exe'));
    assert.ok(guard >= 0 && guard < first);
    for (const line of all.filter((each) => each.includes('where.exe'))) {
      assert.ok(line.includes('%SystemRoot%\\System32\\where.exe $PATH:node.exe'), line);
    }
    assert.ok(
      all.some((line) => line.includes('if /i "%%~fn"=="%%n"')),
      'a relative folder of PATH is passed over',
    );
  });

  it('writes a percent sign so that cmd.exe reads one, and lets nothing of a path be read as anything else', () => {
    const [line] = lines(['D:\\100% & more ^ (x) !y!\\Code.exe']).filter((each) => each.startsWith('set "runtime='));
    assert.equal(line, 'set "runtime=D:\\100%% & more ^ (x) !y!\\Code.exe"');
    assert.ok(lines([]).includes('setlocal EnableExtensions DisableDelayedExpansion'));
  });

  it('has the person’s folders as variables, and reads UTF-8 only where a letter is left that needs it', () => {
    const own = text(['C:\\Users\\Jörg\\AppData\\Local\\Programs\\Code\\Code.exe']);
    assert.ok(own.includes('set "runtime=%LOCALAPPDATA%\\Programs\\Code\\Code.exe"'));
    assert.match(own, /^[\x20-\x7e\r\n]*$/);
    assert.doesNotMatch(own, /chcp/);
    const other = lines(['D:\\Редактор\\Code.exe']);
    const at = (part: string): number => other.findIndex((line) => line.includes(part));
    assert.ok(at('chcp.com 65001') > at("('%SystemRoot%\\System32\\chcp.com')"));
    assert.ok(at('chcp.com 65001') < at('Редактор'));
    const back = other.filter((line) => line.startsWith('if defined page')).length;
    assert.equal(back, 3, 'set back on each way out');
  });

  it('takes no variable for a folder that merely begins like its value', () => {
    assert.ok(text(['C:\\Program Files (x86)\\Code.exe']).includes('set "runtime=C:\\Program Files (x86)\\Code.exe"'));
  });
});
