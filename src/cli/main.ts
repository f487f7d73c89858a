#!/usr/bin/env node
// The command line `mcp-roundhouse`. Only what every command needs is loaded here; each command loads the rest.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processHost } from './processHost.ts';
import { runProgram } from './program.ts';

// The launcher's way to make an editor's program Node: nothing that we start is to be told so (CONN-7).
delete process.env['ELECTRON_RUN_AS_NODE'];
// A copy in the person's home stays for as long as somebody uses it (GATE-5).
const folder = dirname(process.argv[1] ?? '');
if (existsSync(join(folder, 'used'))) {
  void import('../core/launcher/useMark.ts').then(({ markUse }) => markUse(folder));
}

// Not awaited here: what loads late imports this file and would wait for it for ever (esbuild.mjs, fewFiles).
const { host, written } = processHost();
void runProgram(process.argv.slice(2), host).then(async (code) => {
  process.exitCode = code;
  await written();
  const interrupted = host.interruptedBy();
  if (interrupted !== undefined) process.exit(interrupted);
  // Everything is closed and written by now; a handle that is left must not keep the program.
  setTimeout(() => process.exit(), 1_000).unref();
});
