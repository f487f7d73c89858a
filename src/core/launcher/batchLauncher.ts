// The launcher for cmd.exe (GATE-5). Pure: the text of the file. What cmd.exe reads again while it runs is a file that may
// be replaced meanwhile, so the line that runs the program is the last one of it that is read. `node` is looked for on
// PATH only, never in the working folder, which is a project's.
import { win32 } from 'node:path';
import { program } from './binPaths.ts';
import type { LauncherText } from './launcherText.ts';
import { usableNode, usableNodeScript } from './nodeRule.ts';

export function batchLauncher({ folder, build, runtimes, variables }: LauncherText): string {
  const paths = runtimes.map((runtime) => written(runtime, variables));
  // A line that is not ASCII is read in the console's code page, which is set to UTF-8 for it and set back.
  const ascii = [...paths, written(folder, variables)].every(isAscii);
  const lines = [
    '@echo off',
    'rem Starts the command line of MCP Roundhouse. Its extension makes this file anew: what is changed here does not last.',
    'setlocal EnableExtensions DisableDelayedExpansion',
    'set "NoDefaultCurrentDirectoryInExePath=1"',
    ...(ascii
      ? []
      : [
          String.raw`for /f "tokens=2 delims=:." %%p in ('%SystemRoot%\System32\chcp.com') do set "page=%%p"`,
          String.raw`%SystemRoot%\System32\chcp.com 65001 >nul`,
        ]),
    `set "program=%~dp0${build}\\${program}"`,
    'if not exist "%program%" goto gone',
    `set "check=${usableNodeScript}"`,
    'set "ELECTRON_RUN_AS_NODE=1"',
    ...paths.flatMap((path) => [
      `set "runtime=${path}"`,
      'if exist "%runtime%" "%runtime%" -e "%check%" <nul >nul 2>nul && goto run',
    ]),
    'set "ELECTRON_RUN_AS_NODE="',
    String.raw`for /f "delims=" %%n in ('%SystemRoot%\System32\where.exe $PATH:node.exe 2^>nul') do (`,
    '  if /i "%%~fn"=="%%n" "%%n" -e "%check%" <nul >nul 2>nul && set "runtime=%%n" && goto run',
    ')',
    ...(ascii ? [] : restore),
    `echo mcp-roundhouse: nothing here can run it. It needs ${usableNode}, as node.exe on PATH, or the editor that it was installed with. 1>&2`,
    'exit /b 127',
    ':gone',
    ...(ascii ? [] : restore),
    'echo mcp-roundhouse: its program is not there. Open your editor once, so that its extension MCP Roundhouse makes it again. 1>&2',
    'exit /b 127',
    ':run',
    ...(ascii ? [] : restore),
    '"%runtime%" "%program%" %* & exit /b',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

const restore = [String.raw`if defined page %SystemRoot%\System32\chcp.com %page: =% >nul`];

/**
 * A path as it stands in quotation marks in a batch file. The person's own folders are written as variables: they may
 * hold letters of any script, and a batch file is read in the console's code page.
 */
function written(path: string, variables: LauncherText['variables']): string {
  for (const name of standIns) {
    const value = variables[name];
    if (value === undefined || !win32.isAbsolute(value)) continue;
    const start = value.endsWith('\\') ? value : `${value}\\`;
    if (path.toLowerCase().startsWith(start.toLowerCase())) {
      return `%${name}%${escaped(path.slice(value.endsWith('\\') ? value.length - 1 : value.length))}`;
    }
  }
  return escaped(path);
}

/** The longest first: each is below the one after it, as a rule. */
const standIns = ['LOCALAPPDATA', 'APPDATA', 'USERPROFILE', 'ProgramFiles', 'SystemDrive'] as const;

function escaped(path: string): string {
  return path.replaceAll('%', '%%');
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
