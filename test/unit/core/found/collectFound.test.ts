import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { agentEntry } from '../../../../src/core/launcher/agentEntry.ts';
import { fileOf, foundIn, readingOf } from '../../../support/foundView.ts';

describe('collectFound', () => {
  it('leaves out what starts us, by what it starts and never by its name', () => {
    const us = { ...agentEntry('/home/ada/.mcp-roundhouse', 'linux') };
    const { servers } = foundIn([
      readingOf(fileOf('cursor'), {
        roundhouse: { command: 'somebody-else', args: ['proxy'] },
        gateway: { ...us, env: { A: 'b' } },
        beside: { command: '/home/ada/.mcp-roundhouse/bin-of-mine/server' },
      }),
      readingOf(fileOf('codex'), { roundhouse: us }),
    ]);
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['roundhouse', 'beside'],
    );
  });

  it('has a row without its target for an entry that is too long to be one', () => {
    const env = { TEXT: 'a'.repeat(32 * 1024), A_TOKEN: 'k9-geheim-0815' };
    const [row] = foundIn([readingOf(fileOf('cursor'), { long: { command: 'x', env } })]).servers;
    assert.deepEqual(row?.conversion, {
      ...{ kind: 'unusable', reason: 'refused', off: false },
      detail: 'it is longer than 32768 characters',
    });
    assert.equal(row.shown, undefined);
  });
});
