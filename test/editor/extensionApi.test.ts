import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { repository } from '../../scripts/lib/places.mjs';
import { type EditorSession, useEditorSession } from '../support/editorSession.ts';
import type { EditorWindow } from '../support/editorWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, fixtureLog } from '../support/fixtureServer.ts';
import { patience } from '../support/patience.ts';

/** What the example notes of one thing that it saw or did. */
type Noted = Readonly<Record<string, unknown>>;

describe('another extension', () => {
  let session: EditorSession;
  useEditorSession(
    (started) => (session = started),
    () => ({ others: [join(repository, 'fixtures', 'extensions', 'caller')] }),
  );

  it('lists servers, sees their state change, calls tools, is asked about and refused as every caller, and takes a call back [GATE-10a]', async () => {
    const log = fixtureLog();
    await session.writeUserServers({
      demo: {
        ...fixtureCommand('progress', { tools: { library: ['echo', 'add', 'fail', 'big', 'hang'] } }, log),
        toolPolicies: { big: 'deny', fail: 'ask' },
      },
    });
    const { window } = await session.openProject();
    await window.mcp.waitFor(['demo'], ({ description }) => description === 'needs your approval');
    await window.runCommand('Example: List Servers and Tools');
    const before = await noted(({ servers }) => servers !== undefined);
    assert.deepEqual(
      (before['servers'] as Noted[]).map(({ id, state, blockedBy }) => [id, state, blockedBy]),
      [['demo', 'blocked', 'approval']],
    );
    const blocked = await call(window, 'demo/echo {"text":"x"}', 'echo');
    assert.deepEqual([blocked['code'], blocked['outcome']], ['blockedApproval', 'notSent']);
    assert.equal(log.events('start').length, 0);

    await window.approve();
    await noted(({ kind, server, state }) => kind === 'changed' && server === 'demo' && state === 'ready');
    const echoed = await call(window, 'demo/echo {"text":"from an extension"}', 'echo');
    assert.deepEqual(echoed['content'], [{ type: 'text', text: 'from an extension' }]);
    const wrong = await call(window, 'demo/add {"a":"x"}', 'add');
    assert.deepEqual([wrong['code'], wrong['outcome'], log.runs('add')], ['argumentsInvalid', 'notSent', 0]);
    const denied = await call(window, 'demo/big {"bytes":10}', 'big');
    assert.deepEqual([denied['name'], denied['code'], denied['outcome']], ['RoundhouseError', 'toolDenied', 'notSent']);

    const asked = call(window, 'demo/fail {}', 'fail');
    const question = await window.quickInput.waitFor(/Call fail on “demo”/);
    await window.screenshot('call-question-extension');
    assert.match(JSON.stringify(question), /the extension that calls itself “roundhouse-fixtures\.caller”/);
    await window.quickInput.pick(/Call fail/, 'Deny');
    assert.deepEqual([(await asked)['code'], log.runs('fail'), log.runs('big')], ['toolNotConfirmed', 0, 0]);

    const hanging = call(window, 'demo/hang {}', 'hang');
    await eventually(() => log.runs('hang') === 1, patience, 'the call');
    await window.notifications.press(/Calling hang/, 'Cancel');
    assert.deepEqual([(await hanging)['code'], (await hanging)['outcome']], ['cancelled', 'unknown']);
    await eventually(() => log.asked('notifications/cancelled') === 1, patience, 'the cancellation');
    log.dispose();
  });

  it('is given what an agent is: a launcher that works, which the command copies too [GATE-5a, GATE-6a]', async () => {
    const launcher = join(session.home, '.mcp-roundhouse', 'bin', 'mcp-roundhouse');
    const { agent } = await noted((event) => event['agent'] !== undefined);
    assert.deepEqual(agent, { type: 'stdio', command: launcher, args: ['proxy'] });
    // The editor's own program runs it: there is no node on this PATH.
    const { stdout, stderr, status } = spawnSync(launcher, ['--version'], {
      encoding: 'utf8',
      env: { PATH: '/nowhere' },
    });
    assert.deepEqual([stderr, status], ['', 0]);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);

    const window = session.windows[0]!;
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.runCommand('MCP Roundhouse: Copy Agent Configuration');
    await window.notifications.waitFor(/agent configuration is on the clipboard/);
    const copied = JSON.parse(await window.page.evaluate(() => navigator.clipboard.readText())) as unknown;
    assert.deepEqual(copied, { mcpServers: { roundhouse: agent } });
  });

  /** Has the example call a tool; answers what it noted of this call. */
  async function call(window: EditorWindow, text: string, tool: string): Promise<Noted> {
    const before = events().length;
    await window.runCommand('Example: Call a Tool');
    await window.quickInput.enter('Call a tool', text);
    return await noted((event) => event['tool'] === tool, before);
  }

  async function noted(fits: (event: Noted) => boolean, after = 0): Promise<Noted> {
    return await eventually(() => events().slice(after).find(fits), patience, 'what the example notes');
  }

  function events(): readonly Noted[] {
    const logs = join(session.server.userData, 'logs');
    const [file] = readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith(join('roundhouse-fixtures.caller', 'events.jsonl')),
    );
    if (file === undefined) return [];
    const lines = readFileSync(join(logs, file), 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Noted);
  }
});
