import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createMark } from '../../../../src/core/transport/ownerMark.ts';
import { describeExit } from '../../../../src/core/transport/processExit.ts';
import { batchRefusal } from '../../../../src/core/transport/spawnServer.ts';
import { transportError, transportErrorCode } from '../../../../src/core/transport/transportError.ts';

describe('what a batch file is not started with', () => {
  it('is an argument that cmd.exe would expand, or that would end its quotes', () => {
    for (const arg of ['100%', 'wow!', 'two\nlines', 'a"&calc&"b', '"', 'end\\\\']) {
      assert.match(batchRefusal('C:\\bin\\npx.CMD', ['-y', arg], 'win32') ?? '', /argument 2 .*npx\.CMD/);
      assert.match(batchRefusal(inProject, [arg], 'win32') ?? '', /argument 1 .*x\.cmd/);
    }
  });

  it('is a path that cmd.exe, or the batch file, would not read literally', () => {
    for (const folder of ['a%PATH%', 'a&calc', 'wow!', 'a^b']) {
      const refused = batchRefusal(`C:\\${folder}\\npx.cmd`, ['-y'], 'win32') ?? '';
      assert.match(refused, /the path of the batch file npx\.cmd .*rename/);
    }
    assert.equal(batchRefusal('C:\\Program Files (x86)\\nodejs\\npx.cmd', ['-y'], 'win32'), undefined);
    assert.equal(batchRefusal('C:\\a&b%c\\node.exe', ['-y'], 'win32'), undefined);
  });

  it('is told without the argument, which may be a secret', () => {
    assert.ok(!batchRefusal('C:\\bin\\npx.cmd', ['canary%'], 'win32')!.includes('canary'));
  });

  it('is nothing for a program, and nothing anywhere but on Windows', () => {
    assert.equal(batchRefusal('C:\\bin\\node.exe', ['100%"'], 'win32'), undefined);
    assert.equal(batchRefusal('/bin/x.cmd', ['100%"'], 'linux'), undefined);
  });

  it('is nothing that stays a letter as often as cmd.exe reads it', () => {
    const plain = ['plain & <odd>', 'https://a.example/?b=1&c=2', 'pkg@^1.2.3', 'a|b', '(x86)', 'end\\', 'a b', ''];
    for (const file of ['C:\\bin\\npx.cmd', inProject]) {
      assert.equal(batchRefusal(file, plain, 'win32'), undefined);
      assert.deepEqual(readTwice(plain, file), { active: '', args: plain });
    }
    const attack = readTwice(['a"&calc&"b'], 'C:\\bin\\npx.cmd');
    assert.equal(attack.active, '&&', 'the model sees what is refused');
  });

  it('is whatever would not stay a letter, in any argument', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('ab "\\&|<>^()%!,;=\n')), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), fc.constantFrom('C:\\bin\\npx.cmd', inProject), (args, file) => {
        if (batchRefusal(file, args, 'win32') !== undefined) return;
        assert.deepEqual(readTwice(args, file), { active: '', args });
      }),
      { numRuns: 10_000, seed: 20261130 },
    );
  });
});

/** How cross-spawn quotes: what it is meant to protect is the subject here. */
const escape = createRequire(import.meta.url)('cross-spawn/lib/util/escape.js') as {
  argument(arg: string, twice: boolean): string;
};
const inProject = 'C:\\p\\node_modules\\.bin\\x.cmd';

/** What cmd.exe obeys, and what the program is given, where a batch file hands `%*` on to one. */
function readTwice(
  args: readonly string[],
  file: string,
): { readonly active: string; readonly args: readonly string[] } {
  const twice = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file);
  const line = args.map((arg) => escape.argument(arg, twice)).join(' ');
  const first = read(line);
  const second = read(first.text);
  return { active: first.active + second.active, args: programArguments(second.text) };
}

/** One reading by cmd.exe: a caret outside of quotes makes the next character a letter, and is gone. */
function read(line: string): { readonly text: string; readonly active: string } {
  let [text, active, quoted] = ['', '', false];
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '^' && !quoted) {
      at += 1;
      text += line.charAt(at);
      continue;
    }
    if (character === '"') quoted = !quoted;
    if (/[%!\n]/.test(character) || (!quoted && /[&|<>()]/.test(character))) active += character;
    text += character;
  }
  return { text, active };
}

/** As the C runtime splits a command line. */
function programArguments(line: string): readonly string[] {
  const found: string[] = [];
  for (const [, quoted = ''] of line.matchAll(/"((?:\\[\s\S]|[^"\\])*)"(?: |$)/g)) {
    found.push(
      quoted.replace(/(\\+)("|$)/g, (_, slashes: string, end: string) => slashes.slice(0, slashes.length / 2) + end),
    );
  }
  return found;
}

describe('A mark', () => {
  it('names its owner, and differs every time', () => {
    const owner = { pid: 42, start: 123_456, namespace: 7 };
    assert.match(createMark(owner), /^42\.123456\.7\.[0-9a-f-]{36}$/);
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
