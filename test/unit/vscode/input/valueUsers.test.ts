import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConfigScope, ServerDefinition, ServerId } from '../../../../src/contract/serverConfig.ts';
import { secretOf } from '../../../../src/vscode/adapters/storedValue.ts';
import { valueUsers } from '../../../../src/vscode/input/valueUsers.ts';
import { demoScope, userScope } from '../../../support/managerView.ts';

const server = (id: string, scope: ConfigScope, definition: object) => ({
  id: id as ServerId,
  scope,
  definition: definition as ServerDefinition,
});
const servers = [
  server('hub', demoScope, { command: 'x', args: ['--key=${secret:key}'], env: { TOKEN: 'a ${secret:key}', B: '' } }),
  server('web', demoScope, { url: 'https://a.example/', headers: { 'X-Key': '${secret:key}' } }),
  server('own', userScope, { command: 'x', args: [], env: { TOKEN: '${secret:key}', OTHER: '${secret:keys}' } }),
];

describe('who wants a value', () => {
  it('names each server of the same file and each of its fields', () => {
    assert.equal(valueUsers(secretOf('key', demoScope), servers), 'hub (args, TOKEN), web (X-Key)');
    assert.equal(valueUsers(secretOf('key', userScope), servers), 'own (TOKEN)');
    assert.equal(valueUsers(secretOf('none', userScope), servers), '');
  });

  it('tells an input from a secret of the same name', () => {
    assert.equal(valueUsers({ ...secretOf('key', demoScope), kind: 'input' }, servers), '');
  });

  it('names the one server that a bound value is for', () => {
    const target = { server: 'docs', place: 'https://a.example/', hash: '' };
    assert.equal(
      valueUsers({ ...secretOf('Authorization', demoScope), kind: 'header', target }, []),
      'docs (Authorization)',
    );
  });
});
