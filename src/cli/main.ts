#!/usr/bin/env node
// The command line `mcp-roundhouse`. Only what every command needs is loaded here; each command loads the rest.
import { processHost } from './processHost.ts';
import { runProgram } from './program.ts';

// Not awaited here: what loads late imports this file and would wait for it for ever (esbuild.mjs, oneStartingFile).
const { host, written } = processHost();
void runProgram(process.argv.slice(2), host).then(async (code) => {
  process.exitCode = code;
  await written();
  const interrupted = host.interruptedBy();
  if (interrupted !== undefined) process.exit(interrupted);
  // Everything is closed and written by now; a handle that is left must not keep the program.
  setTimeout(() => process.exit(), 1_000).unref();
});
