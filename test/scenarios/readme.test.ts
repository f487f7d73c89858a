// What the README tells a newcomer to type works as it is written, in a fresh clone.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { repository } from '../../scripts/lib/places.mjs';
import { builtProgram } from '../support/commandLine.ts';
import { documentBlocks } from '../support/documentBlocks.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the terminal block of the README', () => {
  const [block = ''] = documentBlocks('README.md', 'sh', 'From a terminal');
  const lines = block.split('\n').filter((line) => line !== '');

  it('has one line for each command', () => {
    assert.deepEqual(
      lines.map((line) => /^node dist\/cli\.js (\w+)/.exec(line)?.[1]),
      ['list', 'call', 'doctor'],
    );
  });

  for (const line of lines) {
    it(`runs: ${line}`, async () => {
      const home = await temporaryFolder();
      try {
        // Only the place of the program differs: dist/ may be built anew while this runs.
        const command = line.replace('dist/cli.js', `"${builtProgram()}"`);
        const env = { PATH: process.env['PATH'], HOME: home.path };
        const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: repository, env, timeout: 50_000 });
        if (line.includes(' list ')) {
          const { servers } = JSON.parse(stdout) as { servers: { id: string; state: string; tools: unknown[] }[] };
          assert.ok(servers.length > 0);
          for (const { id, state, tools } of servers)
            assert.ok(state === 'ready' && tools.length > 0, `${id}: ${state}`);
        } else if (line.includes(' call ')) assert.equal(stdout, 'Echo: hello\n');
        else assert.doesNotMatch(stdout, /^ {2}failed/m);
      } finally {
        await home.remove();
      }
    });
  }
});
