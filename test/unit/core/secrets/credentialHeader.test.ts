import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isCredentialHeader } from '../../../../src/core/secrets/credentialHeader.ts';

describe('a header of a project', () => {
  it('is refused where it is named like a credential [TRUST-6b]', () => {
    for (const name of [
      ...['Authorization', 'X-Api-Key', 'Cookie', 'DD-APPLICATION-KEY', 'X-App-Key', 'X-Client-Key', 'X-Signing-Key'],
      ...[
        'X-Key',
        'Key',
        'X-API--KEY',
        'X-Authentication',
        'Authentication',
        'X-OAuth',
        'OAuth2',
        'Bearer',
        'X-Bearer',
      ],
      ...['X-Pass', 'X-Signature', 'X-GitHub-Auth2', 'xClientKey', 'x_rapid_key', 'X-Figma-Keys'],
    ]) {
      assert.ok(isCredentialHeader(name), name);
    }
  });

  it('is let pass where it is an ordinary one', () => {
    for (const name of [
      ...['Accept', 'User-Agent', 'X-Team', 'X-Trace-Id', 'X-Key-Id', 'Idempotency-Key', 'X-Cache-Key', 'X-Author'],
      ...['X-Keyboard', 'X-Monkey', 'X-Compass', 'X-Design', 'Content-Language', 'MCP-Protocol-Version'],
    ]) {
      assert.ok(!isCredentialHeader(name), name);
    }
  });
});
