import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createMark } from '../../../../src/core/transport/ownerMark.ts';
import { describeExit } from '../../../../src/core/transport/processExit.ts';
import { refusedArgument } from '../../../../src/core/transport/spawnServer.ts';
import { transportError, transportErrorCode } from '../../../../src/core/transport/transportError.ts';

describe('refusedArgument', () => {
  it('refuses what cmd.exe would expand in the arguments of a batch file', () => {
    for (const arg of ['100%', 'wow!', 'two\nlines']) {
      assert.match(refusedArgument('C:\\bin\\npx.CMD', ['-y', arg], 'win32') ?? '', /argument 2 .*npx\.CMD/);
    }
  });

  it('shows no argument, which may be a secret', () => {
    assert.ok(!refusedArgument('C:\\bin\\npx.cmd', ['canary%'], 'win32')!.includes('canary'));
  });

  it('takes everything for a program, and everywhere but on Windows', () => {
    assert.equal(refusedArgument('C:\\bin\\node.exe', ['100%'], 'win32'), undefined);
    assert.equal(refusedArgument('/bin/x.cmd', ['100%'], 'linux'), undefined);
    assert.equal(refusedArgument('C:\\bin\\npx.cmd', ['plain & <odd> "args"'], 'win32'), undefined);
  });
});

describe('A mark', () => {
  it('names its owner, and differs every time', () => {
    const owner = { pid: 42, start: 123_456 };
    assert.match(createMark(owner), /^42\.123456\.[0-9a-f-]{36}$/);
    assert.notEqual(createMark(owner), createMark(owner));
  });
});

describe('describeExit', () => {
  it('names the code or the signal', () => {
    assert.equal(describeExit({ code: 7, signal: null }), 'code 7');
    assert.equal(describeExit({ code: null, signal: 'SIGKILL' }), 'signal SIGKILL');
  });
});

describe('transportErrorCode', () => {
  it('knows our own errors again, after a way over JSON too', () => {
    const error = JSON.parse(JSON.stringify(transportError('frameTooLarge', 'x'))) as { code: number; data?: unknown };
    assert.equal(transportErrorCode(error), 'frameTooLarge');
  });

  it('takes no error of a server for one of ours', () => {
    const { code } = transportError('frameTooLarge', 'x');
    assert.equal(transportErrorCode({ code }), undefined);
    assert.equal(transportErrorCode({ code, data: { transport: 'frameTooLarge' } }), undefined);
  });
});
