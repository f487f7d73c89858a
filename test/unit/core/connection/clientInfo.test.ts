import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'mocha';
import { clientInfo } from '../../../../src/core/connection/clientInfo.ts';

it('servers are told the name and the version of the package', () => {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  const { name, version } = JSON.parse(text) as { name: string; version: string };
  assert.deepEqual([clientInfo.name, clientInfo.version], [name, version]);
});
