import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rpcCodes } from '../../../src/core/rpcCodes.ts';

describe('rpcCodes', () => {
  it('takes standard numbers, or those that JSON-RPC and MCP leave to implementations', () => {
    const standard = new Set([-32600, -32602, -32603]);
    const foreign = Object.entries(rpcCodes).filter(
      ([, number]) => !standard.has(number) && (number > -32000 || number < -32019),
    );
    assert.deepEqual(foreign, []);
  });

  it("calls what a caller got wrong a caller's fault, and a missing resource as MCP does", () => {
    assert.equal(rpcCodes.argumentsInvalid, -32602);
    assert.equal(rpcCodes.unknownTool, -32602);
    assert.equal(rpcCodes.unknownResource, -32002);
    assert.notEqual(rpcCodes.toolDenied, rpcCodes.internal);
  });
});
