// A real browser behind a published server: it leaves the server's process group, and starts a dozen processes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { ensureChromium } from '../../scripts/lib/chromium.mjs';
import { eventually } from '../support/eventually.ts';
import {
  descendantsOf,
  hasProcessTable,
  ownZombies,
  processesWithEnvironment,
  stillThere,
  type ProcessEntry,
} from '../support/processTable.ts';
import { patience } from '../support/patience.ts';
import { RawStdio } from '../support/rawStdio.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rounds = 20;

function browserServer(chromium: string): { readonly command: string; readonly args: readonly string[] } {
  const manifest = createRequire(import.meta.url).resolve('chrome-devtools-mcp/package.json');
  const { bin } = createRequire(import.meta.url)(manifest) as { bin: Record<string, string> };
  return {
    command: process.execPath,
    args: [
      join(dirname(manifest), bin['chrome-devtools-mcp']!),
      ...['--headless', '--isolated', '--executablePath', chromium],
      ...['--chrome-arg=--no-sandbox', '--chrome-arg=--disable-gpu', '--no-usage-statistics'],
    ],
  };
}

describe('A browser that a stdio server started', () => {
  // A server that crashes does not remove its browser's profile.
  let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined;
  let chromium: string;
  before(async function () {
    if (!hasProcessTable) this.skip();
    folder = await temporaryFolder();
    chromium = await ensureChromium(() => undefined);
  });
  after(() => folder?.remove());

  it(`is gone with its server, ${rounds} times over [CONN-8c, CONN-8d]`, async () => {
    for (let round = 0; round < rounds; round += 2) {
      // In the last rounds the server crashes instead of being closed.
      const crash = round >= rounds - 4;
      const lives = [1, 2].map(() => life({ chromium, crash, temporary: folder!.path }));
      await Promise.all(lives);
    }
    await eventually(() => ownZombies().length === 0, patience, 'the collection of every child');
  });
});

interface Life {
  readonly chromium: string;
  readonly crash: boolean;
  readonly temporary: string;
}

async function life({ chromium, crash, temporary }: Life): Promise<void> {
  const run = randomUUID();
  const server = new RawStdio(browserServer(chromium), { env: { BROWSER_RUN: run, TMPDIR: temporary } });
  await server.start({ initialize: true });
  const { result } = await server.call('list_pages');
  assert.ok(JSON.stringify(result).includes('about:blank'), JSON.stringify(result));
  const root = server.transport.pid!;
  // Some of the browser's processes have overwritten what holds their environment; descent still leads to them.
  const started = await eventually(() => {
    const found = new Set([root, ...pids(descendantsOf(root)), ...pids(marked(run))]);
    return found.size > 5 && [...found];
  });
  assert.ok(new Set(stillThere(started).map(({ group }) => group)).size > 1, 'it left the group of its server');
  if (crash) process.kill(root, 'SIGKILL');
  await server.transport.close();
  assert.deepEqual([...stillThere(started), ...marked(run)], []);
}

function marked(run: string): ProcessEntry[] {
  return processesWithEnvironment('BROWSER_RUN', run);
}

function pids(entries: readonly ProcessEntry[]): number[] {
  return entries.map(({ pid }) => pid);
}
