import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { processesText } from '../../../../src/cli/output/processReport.ts';

const ended = { found: 0, left: [] };

describe('What doctor tells of processes', () => {
  it('is each one that runs: its server, pid, owner and start, with nothing that steers a terminal', () => {
    const running = [{ owner: 7, server: 'one\u001b[2J', pid: 9, since: Date.UTC(2026, 0, 2) }];
    const text = processesText({ running, ended, unguarded: undefined });
    assert.match(
      text,
      /^server processes that run now:\n {2}one.*: pid 9, started by pid 7, since 2026-01-02T00:00:00/,
    );
    assert.equal(text.includes('\u001b'), false);
  });

  it('is what was ended, what could not be, what could not be looked for, and that nothing guards', () => {
    const left = [{ pid: 5, ppid: 1, group: 5, session: 5, start: 1, zombie: false }];
    const text = processesText({ running: [], ended: { found: 2, left }, unguarded: 'ENOENT' });
    assert.match(text, /no server process of yours runs now\n.*had left: 2 processes\n.*ended: pid 5\n.*ENOENT\n$/);
    assert.match(processesText({ running: [], ended: undefined, unguarded: undefined }), /could not be found out\n$/);
  });
});
