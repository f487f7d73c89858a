// Connecting Claude Code by its own command, with a program in its place that does what it does (GATE-8).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { shownCommand } from '../../src/core/agents/ownCommand.ts';
import { undoEverything } from '../../src/core/agents/undoEverything.ts';
import { ManagerError } from '../../src/core/errors.ts';
import { type AgentWorld, agentWorld } from '../support/agentWorld.ts';
import { eventually } from '../support/eventually.ts';

// The home directory, its links and modes are those of Unix.
const unix = process.platform === 'win32' ? describe.skip : describe;

unix('connecting Claude Code by its own command', () => {
  let world: AgentWorld;
  beforeEach(async () => (world = await agentWorld()));
  afterEach(() => world.remove());

  async function stateOf(): Promise<string> {
    const { state } = await world.agents.view('claudeCode');
    return state.kind === 'stale' ? `stale ${state.why}` : state.kind;
  }

  async function connect(): Promise<void> {
    await world.agents.connect(await world.agents.planConnect('claudeCode'));
  }

  async function nothingIsNoted(): Promise<void> {
    assert.deepEqual(await world.ledger.records(), []);
  }

  /** Does what the real one does, and writes down its arguments and names of its environment. */
  const claude = `#!/usr/bin/env node
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs');
const file = process.env.HOME + '/.claude.json';
const args = process.argv.slice(2);
appendFileSync(process.env.HOME + '/claude.log', JSON.stringify({ args, cwd: process.cwd(), env: Object.keys(process.env) }) + '\\n');
let config = {};
try { config = JSON.parse(readFileSync(file, 'utf8')); } catch {}
config.mcpServers ??= {};
const [mcp, verb, flag, scope, name, json] = args;
if (mcp !== 'mcp' || flag !== '--scope' || scope !== 'user') process.exit(2);
if (verb === 'add-json') {
if (name in config.mcpServers) { console.error('MCP server ' + name + ' already exists in user config'); process.exit(1); }
config.mcpServers[name] = JSON.parse(json);
} else if (verb === 'remove') {
if (!(name in config.mcpServers)) { console.error('No user-scoped MCP server found'); process.exit(1); }
delete config.mcpServers[name];
} else process.exit(2);
writeFileSync(file, JSON.stringify(config, null, 2));
`;

  it('shows it whole, runs it without a shell, and takes it back by it [GATE-8a]', async () => {
    await world.program('claude', claude);
    const value = { mcpServers: { mine: { type: 'stdio', command: 'm', args: [] } } };
    const before = JSON.stringify(value, null, 2);
    await writeFile(world.fileOf('claudeCode'), before);
    const plan = await world.agents.planConnect('claudeCode');
    const launcher = join(world.home, 'bin', 'mcp-roundhouse');
    const json = JSON.stringify({ type: 'stdio', command: launcher, args: ['proxy'] });
    const program = join(world.userHome, '..', 'programs', 'claude');
    assert.deepEqual(plan.commands?.connect.map(shownCommand), [
      `${program} mcp add-json --scope user roundhouse '${json}'`,
    ]);
    await world.agents.connect(plan);
    assert.equal(await readFile(world.fileOf('claudeCode'), 'utf8'), plan.edit.after.replace(/\n$/, ''));
    assert.equal(await stateOf(), 'connected');
    assert.equal(await world.agents.disconnect('claudeCode'), 'undone');
    assert.equal(await readFile(world.fileOf('claudeCode'), 'utf8'), before);
    const runs = (await readFile(join(world.userHome, 'claude.log'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { args: string[]; cwd: string; env: string[] });
    assert.deepEqual(
      runs.map(({ args }) => args),
      [
        ['mcp', 'add-json', '--scope', 'user', 'roundhouse', json],
        ['mcp', 'remove', '--scope', 'user', 'roundhouse'],
      ],
    );
    assert.equal(runs[0]?.cwd, world.userHome);
    assert.deepEqual(
      runs[0].env.filter((name) => !/^(PATH|HOME|__CF|NODE_|_$)/.test(name)),
      [],
    );
    await nothingIsNoted();
  });

  it('brings its own older entry up to date by it [GATE-8a]', async () => {
    await world.program('claude', claude);
    const older = world.anotherWindow({ moved: true });
    await older.connect(await older.planConnect('claudeCode'));
    assert.equal(await stateOf(), 'stale launcher');
    await connect();
    assert.equal(await stateOf(), 'connected');
    assert.equal(await world.agents.disconnect('claudeCode'), 'undone');
    assert.equal(await stateOf(), 'notConnected');
  });

  it('takes the entry out of the file where the command is gone, or fails [GATE-8a]', async () => {
    for (const later of ['#!/bin/sh\nexit 3\n', undefined]) {
      await world.program('claude', claude);
      await world.place('claudeCode');
      const value = JSON.parse(await readFile(world.fileOf('claudeCode'), 'utf8')) as object;
      await connect();
      if (later === undefined) await unlink(join(world.userHome, '..', 'programs', 'claude'));
      else await world.program('claude', later);
      assert.equal(await world.agents.disconnect('claudeCode'), 'undone');
      assert.deepEqual(JSON.parse(await readFile(world.fileOf('claudeCode'), 'utf8')), value);
    }
  });

  it('says what it said where it fails, and what it did not do where it only seems to succeed [GATE-8a]', async () => {
    await world.place('claudeCode');
    const before = await readFile(world.fileOf('claudeCode'));
    await world.program('claude', '#!/bin/sh\necho "no such option" >&2\nexit 1\n');
    await assert.rejects(connect(), (error: unknown) => {
      assert.ok(isCode('agentCommandFailed')(error));
      assert.equal((error as ManagerError).data['detail'], 'no such option');
      return true;
    });
    await world.program('claude', '#!/bin/sh\nexit 0\n');
    await assert.rejects(connect(), isCode('agentCommandFailed'));
    assert.equal((await readFile(world.fileOf('claudeCode'))).equals(before), true);
    await nothingIsNoted();
  });

  it('notes what it is about to do before it runs it, and what it left where it failed after that [GATE-8a]', async () => {
    const list = join(world.home, 'agents', 'edits.json');
    await world.program(
      'claude',
      `${claude}\nwriteFileSync(process.env.HOME + '/seen', readFileSync('${list}'));\nprocess.exit(3);`,
    );
    await assert.rejects(connect(), isCode('agentCommandFailed'));
    const seen = JSON.parse(await readFile(join(world.userHome, 'seen'), 'utf8')) as { edits: { client: string }[] };
    assert.deepEqual(
      seen.edits.map(({ client }) => client),
      ['claudeCode'],
    );
    assert.equal(await stateOf(), 'connected');
    assert.equal((await world.ledger.records()).length, 1);
    assert.equal(await undoEverything({ home: world.home }), 0);
    assert.equal(await stateOf(), 'notConnected');
  });

  it('ends with all it started where the person cancels [GATE-8a]', async () => {
    await world.program('claude', `#!/bin/sh\necho $$ > "$HOME/pid"\nsleep 300 &\necho $! >> "$HOME/pid"\nwait\n`);
    const plan = await world.agents.planConnect('claudeCode');
    const controller = new AbortController();
    const connecting = world.agents.connect(plan, { signal: controller.signal });
    const pids = await eventually(async () => {
      const lines = (await readFile(join(world.userHome, 'pid'), 'utf8')).trim().split('\n');
      return lines.length === 2 && lines.map(Number);
    });
    controller.abort(new ManagerError('cancelled'));
    await assert.rejects(connecting, isCode('cancelled'));
    await eventually(() => pids.every((pid) => !isAlive(pid)));
    await nothingIsNoted();
  });

  it('does not run it where the file changed after it was shown [GATE-8a]', async () => {
    await world.program('claude', claude);
    await world.place('claudeCode');
    const plan = await world.agents.planConnect('claudeCode');
    await writeFile(world.fileOf('claudeCode'), '{}');
    await assert.rejects(world.agents.connect(plan), isCode('agentFileChanged'));
    await assert.rejects(readFile(join(world.userHome, 'claude.log')));
  });
});

/** A zombie of another parent counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ManagerError && error.code === code;
}
