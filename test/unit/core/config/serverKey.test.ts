import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConfigScope, ServerId } from '../../../../src/contract/serverConfig.ts';
import { partsOfKey, serverKey } from '../../../../src/core/config/serverKey.ts';

describe('serverKey', () => {
  it('tells scope and id apart again, whatever the folder is called', () => {
    for (const folder of ['/work/one', 'C:\\work\\one', '/odd:name', '/user:x', '/']) {
      const scope: ConfigScope = { kind: 'project', folder, name: 'one' };
      assert.deepEqual(partsOfKey(serverKey(scope, 'demo' as ServerId)), { id: 'demo', folder });
    }
    assert.deepEqual(partsOfKey(serverKey({ kind: 'user' }, 'demo' as ServerId)), { id: 'demo' });
  });
});
