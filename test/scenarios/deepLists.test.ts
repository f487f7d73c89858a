import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { openServerWindow, type ServerWindow, userFileIn, writeServers } from '../support/serverWindow.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** Lists one plain tool, and one with a schema that is nested so many times; answers a call of it with as deep an error. */
const server = `
const nested = (times) => '{"type":"object","properties":{"a":'.repeat(times) + '{}' + '}}'.repeat(times);
const deep = nested(Number(process.argv[2]));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (answer) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',' + answer + '}\\n');
  const info = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'deep', version: '1' } };
  if (method === 'initialize') say('"result":' + JSON.stringify(info));
  else if (method === 'tools/list')
    say('"result":{"tools":[{"name":"plain","inputSchema":{"type":"object"}},{"name":"deep","inputSchema":' + deep + '}]}');
  else say('"error":{"code":-32000,"message":"no","data":' + deep + '}');
});
`;

describe('what is nested deep', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function open(times: number): Promise<ServerWindow> {
    const root = await temporaryFolder();
    ends.push(() => root.remove());
    const file = join(root.path, 'server.cjs');
    await writeFile(file, server);
    await writeServers(userFileIn(root.path), { s: { command: process.execPath, args: [file, String(times)] } });
    const window = await openServerWindow(root.path);
    ends.push(() => window.dispose());
    return window;
  }

  for (const times of [40, 400, 500, 1_500]) {
    it(`${times} times costs its own tool alone, and its own call [DISC-2d]`, async () => {
      const window = await open(times);
      const { snapshot } = await window.manager.use(window.key('s'));
      assert.deepEqual(
        snapshot.tools.map(({ name }) => name),
        ['plain'],
      );
      await assert.rejects(window.call('s', 'plain'), { code: times > 250 ? 'invalidResponse' : 'protocolError' });
      assert.equal(window.state('s'), 'ready');
    });
  }
});
