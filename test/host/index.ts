// Runs in an extension host: loads every suite beside this file and runs it with mocha. What happens goes, line by line, into
// the file named by ROUNDHOUSE_HOST_EVENTS, since an extension host has no terminal; scripts/lib/hostRun.mjs prints it.
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';

/** One line of the events file. */
export type HostEvent =
  | { readonly kind: 'suite'; readonly title: string; readonly depth: number }
  | { readonly kind: 'passed' | 'skipped'; readonly title: string; readonly depth: number; readonly ms: number }
  | {
      readonly kind: 'failed';
      readonly title: string;
      readonly depth: number;
      readonly path: string;
      readonly error: string;
    }
  | { readonly kind: 'end' };

/** Called by the editor; settles when all suites ran. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 300_000, forbidOnly: true, reporter: EventsReporter });
  // What a file's `import { describe } from 'mocha'` needs, and what mocha does itself before it loads a CommonJS file.
  mocha.suite.emit('pre-require', globalThis, import.meta.filename, mocha);
  const suites = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.js'));
  for (const name of suites.sort()) await load(name);
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} tests failed`);
}

/** A file that cannot be loaded is a failure of its own: the run stops there and says why. */
async function load(name: string): Promise<void> {
  try {
    await import(pathToFileURL(join(import.meta.dirname, name)).href);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    tell({ kind: 'failed', title: `${name} loads`, depth: 0, path: name, error: text });
    tell({ kind: 'end' });
    throw error;
  }
}

class EventsReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    let depth = 0;
    runner.on('suite', ({ root, title }) => {
      if (!root) tell({ kind: 'suite', title, depth });
      depth += 1;
    });
    runner.on('suite end', () => (depth -= 1));
    runner.on('pass', ({ title, duration }) => tell({ kind: 'passed', title, depth, ms: duration ?? 0 }));
    runner.on('pending', ({ title }) => tell({ kind: 'skipped', title, depth, ms: 0 }));
    runner.on('fail', (test, error: Error) =>
      tell({ kind: 'failed', title: test.title, depth, path: test.fullTitle(), error: error.stack ?? error.message }),
    );
    runner.once('end', () => tell({ kind: 'end' }));
  }
}

function tell(event: HostEvent): void {
  const file = process.env['ROUNDHOUSE_HOST_EVENTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(event)}\n`);
}
