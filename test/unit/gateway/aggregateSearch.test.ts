import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AggregateCatalog } from '../../../src/gateway/aggregateCatalog.ts';
import { findTools } from '../../../src/gateway/aggregateSearch.ts';
import { offering } from '../../support/offeringServers.ts';

const tools = new AggregateCatalog(
  [
    offering('github', {
      tools: {
        create_issue: { description: 'Opens a new issue in a repository' },
        listIssues: { description: 'Lists the issues of a repository' },
        get_file_contents: { description: 'Reads a file of a repository' },
      },
    }),
    offering('files', {
      tools: {
        read_file: { description: 'Reads a file from the disk' },
        write_file: { title: 'Save', description: 'Writes text to the disk' },
      },
    }),
    offering('diary', { tools: { remember: { description: 'Keeps a forecast' } } }),
    offering('weather', { tools: { forecast: { description: '天气预报' } } }),
  ],
  'short',
).list('tools');
const found = (query: string, most = 10): string[] => findTools(query, tools, most).map(({ name }) => name);

describe('findTools', () => {
  it('puts first whose name says it', () => {
    assert.equal(found('create an issue')[0], 'github__create_issue');
    assert.equal(found('read file')[0], 'files__read_file');
    assert.deepEqual(found('forecast'), ['weather__forecast', 'diary__remember']);
  });

  it('knows words in any spelling of a name, in titles, and of the server', () => {
    assert.equal(found('LIST issues')[0], 'github__listIssues');
    assert.deepEqual(found('save'), ['files__write_file']);
    assert.deepEqual(found('github').toSorted(), [
      'github__create_issue',
      'github__get_file_contents',
      'github__listIssues',
    ]);
  });

  it('takes the beginning of a word for a part of it', () => {
    assert.equal(found('forec')[0], 'weather__forecast');
    assert.ok(found('issues').includes('github__create_issue'));
  });

  it('finds nothing by words that nothing has, and no more than was asked for', () => {
    assert.deepEqual(found('zebra !! '), []);
    assert.equal(found('file', 1).length, 1);
    assert.deepEqual(found('天气预报'), ['weather__forecast']);
  });

  it('finds the one among ten thousand tools, and reads no query without end', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `tool_${index}`,
        { description: 'does this and that '.repeat(20) },
      ]),
    );
    const list = new AggregateCatalog([offering('many', { tools: many })], 'full').list('tools');
    assert.equal(findTools(`4711 ${'some more words '.repeat(10_000)}`, list, 1)[0]?.name, 'mcp__many__tool_4711');
  });
});
