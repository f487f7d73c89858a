// A server whose names, descriptions and lines hold markup, escape sequences and what nobody can see: wherever they are
// shown, they are inert and visible.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { openCanaryWindow } from '../support/canaryWindow.ts';
import { type CommandLine, commandLine } from '../support/commandLine.ts';
import { fixtureCommand } from '../support/fixtureServer.ts';
import { Sinks } from '../support/sinks.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** Controls but line ends, format and tag characters, separators, lone halves. */
const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const server = fixtureCommand('hostile-text', {
  process: {
    stderr: ['\u001b[31mred\u001b[0m \u202eesrever \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007'],
  },
  stdio: { noise: { before: ['\u001b[2J zero\u200bwidth'] } },
  rules: [
    { on: 'tools/call:echo', error: { code: -32000, message: '[x](command:workbench.action.quit) \u202e\u001b[2J' } },
    {
      on: 'tools/call:log',
      result: { content: [{ type: 'text', text: 'a\u202eb\u001b[2Jc \udb40\udc41' }], isError: true },
    },
  ],
});

describe('the words of a hostile server', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let cli: CommandLine;
  before(async () => {
    folder = await temporaryFolder();
    cli = commandLine();
  });
  after(async () => {
    await cli.dispose();
    await folder.remove();
  });

  it('are inert and visible on a terminal, as text and as JSON', async () => {
    cli.configure({ hostile: server });
    const sinks = new Sinks();
    const commands = [
      ...[['list'], ['list', '--json'], ['doctor'], ['doctor', '--json']],
      ...['echo', 'log', 'no\u202esuch'].flatMap((tool) => [
        ['call', 'hostile', tool],
        ['call', 'hostile', tool, '--json'],
      ]),
    ];
    for (const argv of commands) {
      const { out, err } = await cli.run(argv);
      sinks.add('terminal', `${out}\n${err}`);
    }
    assert.equal(sinks.count('terminal'), commands.length);
    assert.deepEqual(sinks.matches(hidden, 'terminal'), []);
    assert.ok(sinks.matches(/zero\[U\+200B\]width/, 'terminal').length > 0);
  });

  it('are inert and visible in rows, tooltips, messages, reports and logs [UI-1h]', async () => {
    const sinks = new Sinks();
    const lent = { input: '', secret: '', header: '' };
    const window = await openCanaryWindow({
      root: folder.path,
      user: { hostile: server },
      project: {},
      lent,
      env: {},
      sinks,
    });
    try {
      await window.use('hostile');
      await window.diagnose('hostile');
      await window.lookAround();
    } finally {
      await window.dispose();
    }
    const shown = ['row', 'tooltip', 'words of an error', 'diagnosis', 'log of a server'] as const;
    for (const place of shown) assert.ok(sinks.count(place) > 0, place);
    assert.deepEqual(sinks.matches(hidden, ...shown), []);
    // Markdown of theirs is text in ours; a label is text, but for icons.
    assert.deepEqual(sinks.matches(/\]\(|<[a-z/!]|\$\(|!\[/i, 'tooltip'), []);
    assert.deepEqual(sinks.matches(/\]\(|\$\(/, 'row', 'words of an error'), []);
    assert.ok(sinks.matches(/zero(?:\[U\+200B\]|<U\+200B>|&#60;U&#43;200B&#62;)width/, 'row').length > 0);
  });
});
