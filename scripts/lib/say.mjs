// What a script tells the person who runs it: one line a step, so that a long set-up is never silent.

/**
 * Prints one step.
 * @param {string} what the part of the set-up, a short noun
 * @param {string} text what happens to it
 */
export function say(what, text) {
  process.stdout.write(`[${what}] ${text}\n`);
}

/** A failure whose message is all a person needs: printed without a stack trace. */
export class SetupError extends Error {
  /** @override */
  name = 'SetupError';
}

/**
 * Runs a script's main function; prints a SetupError as its sentence, anything else with its stack, and sets the exit code.
 * @param {() => Promise<void>} main
 */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    process.exitCode = 1;
    const text = error instanceof SetupError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`\n${text}\n`);
  }
}
