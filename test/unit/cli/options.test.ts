import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { UsageError } from '../../../src/cli/host.ts';
import { parseOptions, parseProxyOptions } from '../../../src/cli/options.ts';

const cwd = path.resolve('/home/me/project');

describe('the options of a command', () => {
  it('takes paths from the working directory', () => {
    const options = parsed(['--config-file', 'x/mcp.json', '--workspace', '../other']);
    assert.equal(options.configFile, path.join(cwd, 'x', 'mcp.json'));
    assert.equal(options.workspace, path.resolve('/home/me/other'));
  });

  it('takes the folder of a project file as the workspace, else the working directory', () => {
    assert.equal(parsed(['--config-file', '/a/b/.roundhouse/mcp.json']).workspace, path.resolve('/a/b'));
    assert.equal(parsed(['--config-file', '/a/b/mcp.json']).workspace, cwd);
  });

  it('reaches nothing remote and prints text unless it is told to', () => {
    const plain = parsed(['--config-file', 'f']);
    assert.deepEqual([plain.allowRemote, plain.json], [false, false]);
    const told = parsed(['--config-file', 'f', '--json', '--allow-remote']);
    assert.deepEqual([told.allowRemote, told.json], [true, true]);
  });

  it('keeps arguments that look like JSON or stand for stdin', () => {
    assert.deepEqual(parsed(['srv', 'tool', '{"a":-1}', '--config-file', 'f']).positionals, [
      'srv',
      'tool',
      '{"a":-1}',
    ]);
    assert.deepEqual(parsed(['srv', 'tool', '-', '--config-file', 'f']).positionals, ['srv', 'tool', '-']);
  });

  it('refuses a workspace that is no folder', () => {
    for (const workspace of ['/no/such/folder', import.meta.filename]) {
      assert.throws(
        () => parseOptions(['--config-file', 'f', '--workspace', workspace], { cwd }),
        new UsageError(`--workspace is not a folder: ${path.resolve(workspace)}`),
      );
    }
    assert.notEqual(parseOptions(['--config-file', 'f', '--workspace', import.meta.dirname], { cwd }), 'help');
  });

  it('asks for the working directory only where a path starts from it', () => {
    const gone = {
      get cwd(): string {
        throw new UsageError('gone');
      },
    };
    const [file, workspace] = [path.resolve('/a/mcp.json'), path.resolve('/a')];
    const full = parseOptions(['--config-file', file, '--workspace', workspace], gone, () => true);
    assert.ok(full !== 'help' && full.configFile === file && full.workspace === workspace);
    assert.equal(parseOptions(['--help'], gone), 'help');
    for (const argv of [
      ['--config-file', file],
      ['--config-file', 'f', '--workspace', workspace],
    ]) {
      assert.throws(() => parseOptions(argv, gone, () => true), new UsageError('gone'));
    }
  });

  it('refuses a file or a workspace that is named twice', () => {
    for (const name of ['--config-file', '--workspace']) {
      const argv = ['--config-file', 'f', '--workspace', 'w', name, 'other'];
      assert.throws(() => parseOptions(argv, { cwd }), new UsageError(`${name} is given more than once.`));
    }
  });

  it('says in its own words what is wrong with an option', () => {
    const told = (...argv: string[]): unknown => {
      try {
        return parseOptions(['--config-file', 'f', ...argv], { cwd });
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.equal(told('--force'), 'there is no option --force.');
    assert.equal(told('-x'), 'there is no option -x.');
    assert.equal(told('--json=yes'), '--json takes no value.');
    assert.equal(told('--workspace'), '--workspace needs a value.');
  });

  it('says where the own file is when none is named', () => {
    assert.throws(
      () => parseOptions(['--json'], { cwd }),
      (error) => error instanceof UsageError && error.message.includes('~/.mcp-roundhouse/mcp.json'),
    );
  });

  it('refuses what it does not know, in one line', () => {
    for (const argv of [['--config-file', 'f', '--force'], ['--config-file'], ['--config-file', ''], ['--json=yes']]) {
      assert.throws(
        () => parseOptions(argv, { cwd }),
        (error) => error instanceof UsageError && error.message !== '' && !error.message.includes('\n'),
      );
    }
  });
});

function parsed(argv: readonly string[]) {
  const options = parseOptions(argv, { cwd }, () => true);
  assert.notEqual(options, 'help');
  return options as Exclude<typeof options, 'help'>;
}

describe('the options of proxy', () => {
  const parse = (...argv: string[]): ReturnType<typeof parseProxyOptions> =>
    parseProxyOptions(argv, { cwd }, () => true);

  it('attach it to a window where they name no configuration', () => {
    assert.deepEqual(parse(), { kind: 'attached', workspace: cwd });
    assert.deepEqual(parse('--workspace', '../other'), { kind: 'attached', workspace: path.resolve('/home/me/other') });
    assert.equal(parse('--help'), 'help');
  });

  it('take a file, or the text of one', () => {
    const file = parse('--config-file', 'f', '--allow-remote');
    assert.ok(file !== 'help' && file.kind === 'standAlone');
    assert.deepEqual([file.options.configFile, file.options.configText], [path.join(cwd, 'f'), undefined]);
    assert.equal(file.options.allowRemote, true);
    const text = parse('--config', '{}');
    assert.ok(text !== 'help' && text.kind === 'standAlone');
    assert.deepEqual([text.options.configText, text.options.workspace], ['{}', cwd]);
  });

  it('refuse what makes no sense together', () => {
    for (const [argv, why] of [
      [['--config', '{}', '--config-file', 'f'], /given both/],
      [['--config', '{}', '--config', '{}'], /more than once/],
      [['--allow-remote'], /--allow-remote needs/],
      [['--port', '1'], /for other commands/],
      [['--json'], /for other commands/],
      [['x'], /takes no arguments/],
    ] as const) {
      assert.throws(() => parse(...argv), why);
    }
    assert.throws(() => parseOptions(['--config', '{}'], { cwd }), /--config is for proxy alone/);
  });
});
