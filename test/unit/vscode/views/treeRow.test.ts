import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ErrorCode } from '../../../../src/contract/errorCodes.ts';
import { sentences } from '../../../../src/contract/sentences.ts';
import type { ConnectionState, Problem } from '../../../../src/core/connection/state.ts';
import type { ServerView } from '../../../../src/core/manager/view.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { TreeModel, type TreeNode } from '../../../../src/vscode/views/treeModel.ts';
import { tooltipOf } from '../../../../src/vscode/views/tooltip.ts';
import { type Row, rowOf } from '../../../../src/vscode/views/treeRow.ts';
import {
  demoScope,
  everyState,
  managerView,
  offeredItem,
  offeredTool,
  ready,
  type ServerOptions,
  serverView,
} from '../../../support/managerView.ts';
import { snapshotOf } from '../../../support/snapshotOf.ts';

const hostile = 'x\u202Eevil\u200B [a](command:run) <img src=x onerror=alert(1)> $(flame)';

function draw(id: string, options: ServerOptions = {}) {
  const view = managerView([serverView(id, options)]);
  const model = new TreeModel(() => view);
  const node = model.serverNode(view.servers[0]!.key);
  const at = (nodes: readonly TreeNode[]): readonly Row[] => nodes.map((child) => rowOf(child, model, english));
  return {
    model,
    node,
    row: rowOf(node, model, english),
    children: model.children(node),
    rows: at(model.children(node)),
  };
}

const problem = { code: 'blockedApproval', data: { server: 'a' } } as const;

describe('a row of the tree', () => {
  it('tells every state apart by words and by icon', () => {
    const rows = everyState.map((state) => draw('a', { state }).row);
    assert.equal(new Set(rows.map(({ description }) => description)).size, everyState.length);
    assert.ok(rows.every(({ icon }) => icon !== undefined));
    const looks = rows.map(({ icon }) => `${icon!.id} ${icon!.color ?? ''}`);
    // "Refused" and "defined twice" share the warning sign: both are errors of the file.
    assert.equal(new Set(looks).size, everyState.length - 1);
  });

  it('shows count and host of a ready remote server', () => {
    const snapshot = snapshotOf({ tools: [offeredTool('t')] });
    const { row } = draw('a', { state: ready, snapshot, url: 'https://mcp.example.com/path' });
    assert.equal(row.description, '1 tool · mcp.example.com');
    assert.equal(row.spoken, 'a, 1 tool · mcp.example.com');
  });

  it('carries the flags that decide which actions are offered', () => {
    assert.equal(draw('a', { state: ready }).row.flags, 'server+ready+user+stdio+enabled+running');
    assert.equal(draw('a', { scope: demoScope }).row.flags, 'server+stopped+project+stdio+enabled+startable');
    const blocked: ConnectionState = { kind: 'blocked', by: 'approval', problem };
    assert.equal(
      draw('a', { state: blocked, scope: demoScope }).row.flags,
      'server+blocked+project+stdio+enabled+approval',
    );
    assert.equal(draw('a', { state: { kind: 'disabled' }, enabled: false }).row.flags, 'server+disabled+user+stdio');
    assert.ok(!draw('a', { role: 'overridden' }).row.flags.includes('startable'));
  });

  it('gives the reason of a blocked server, and the remedy in its tooltip and by a click', () => {
    const state: ConnectionState = { kind: 'blocked', by: 'approval', problem };
    const { rows, children, model } = draw('a', { state });
    assert.equal(rows[0]!.label, 'Review and approve it.');
    assert.equal(
      rows[0]!.spoken,
      'Server "a" waits for your approval of its exact command or URL. Review and approve it.',
    );
    assert.equal(rows[0]!.command, 'server.approve');
    assert.match(tooltipOf(children[0]!, model, english)!, /Review and approve it/);
  });

  it('tells who has not decided from who said no, and a changed launch from a new one', () => {
    const state = (by: 'approval' | 'refused', answer?: string): ConnectionState => {
      const data = { server: 'a', ...(answer === undefined ? {} : { answer }) };
      return { kind: 'blocked', by, problem: { code: 'blockedApproval', data } };
    };
    for (const [shown, words, reason] of [
      [state('approval'), 'needs your approval', /waits for your approval/],
      [state('approval', 'outdated'), 'changed, needs your approval', /no longer what you approved/],
      [state('refused', 'refused'), 'not approved', /^You chose not to run/],
    ] as const) {
      const { row, rows } = draw('a', { state: shown });
      assert.equal(row.description, words);
      assert.match(rows[0]!.spoken, reason);
      assert.equal(rows[0]!.command, 'server.approve');
      assert.match(row.flags, /\b(approval|refused)\b/);
    }
  });

  it('asks nothing about a definition in whose place another one is used', () => {
    const state: ConnectionState = { kind: 'blocked', by: 'approval', problem };
    const { row, rows } = draw('a', { state, role: 'overridden' });
    assert.equal(row.description, 'the project’s definition is used');
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['The project defines a server of this id, which is used instead.'],
    );
  });

  it('says why a failed process ended, with its last lines escaped', () => {
    const failed: ConnectionState = {
      kind: 'failed',
      problem: { code: 'exitedAtStart', data: { server: 'a', exit: 'code 1' }, stderr: ['![x](http://evil/)'] },
    };
    const { row, rows, children, model } = draw('a', { state: failed });
    assert.equal(row.description, 'ended at its start, code 1');
    assert.equal(row.spoken, 'a, failed: ended at its start, code 1');
    assert.match(rows[0]!.label, /^Read what it printed last/);
    assert.match(rows[0]!.spoken, /ended before it was ready \(code 1\)\. Read what/);
    const tooltip = tooltipOf(children[0]!, model, english)!;
    assert.match(tooltip, /evil/);
    assert.doesNotMatch(tooltip, /!\[|\]\(/);
  });

  it('gives the reason in few words, whatever a server put into it, and never without saying that it failed', () => {
    const long = '\u202E[x](command:run) '.repeat(1_000);
    const data = { server: 'a', detail: long, exit: long, method: long, status: long, variable: long };
    for (const code of Object.keys(sentences) as ErrorCode[]) {
      const { row } = draw('a', { state: { kind: 'failed', problem: { code, data } } });
      assert.ok(row.description!.length > 0 && row.description!.length < 120, code);
      assert.doesNotMatch(row.description!, /\u202E|\]\(/, code);
      assert.match(row.spoken, /^a, failed/, code);
    }
  });

  it('says of a refused server which field or setting it is, and then what to change', () => {
    const refused = (problem: Problem) => draw('a', { state: { kind: 'blocked', by: 'policy', problem } });
    const detail = 'env sets NODE_OPTIONS; leave it out';
    const entry = refused({ code: 'blockedPolicy', data: { server: 'a', field: 'env.NODE_OPTIONS', detail } });
    assert.equal(entry.row.description, 'refused: env.NODE_OPTIONS');
    assert.deepEqual([entry.rows[0]!.label, entry.rows[0]!.command], [detail, 'server.edit']);
    const setting = refused({ code: 'blockedEditor', data: { server: 'a', setting: 'chat.mcp.access', why: 'off' } });
    assert.equal(setting.row.description, 'refused by chat.mcp.access');
    assert.match(setting.rows[0]!.spoken, /chat\.mcp\.access turns MCP servers off.*Ask whoever/);
  });

  it('says below a server that is defined twice where the other definition is', () => {
    const problem = { code: 'blockedConflict', data: { server: 'a', other: '/b/mcp.json' } } as const;
    const { row, rows } = draw('a', { state: { kind: 'blocked', by: 'conflict', problem } });
    assert.equal(row.description, 'defined twice');
    assert.match(rows[0]!.label, /defined differently in \/b\/mcp\.json/);
  });

  it('names the value that is missing, without calling that an error', () => {
    const problem = { code: 'variableUnset', data: { server: 'a', field: 'env.A', variable: '${env:A}' } } as const;
    const { row, rows } = draw('a', { state: { kind: 'blocked', by: 'input', problem } });
    assert.equal(row.description, 'needs ${env:A}');
    assert.equal(rows[0]!.icon!.id, 'info');
  });

  it('leads from a remote server that is off to the question that turns remote servers on', () => {
    const problem = { code: 'blockedRemoteOff', data: { server: 'a' } } as const;
    const { row, rows } = draw('a', { state: { kind: 'blocked', by: 'remoteOff', problem }, url: 'https://x.example' });
    assert.match(row.flags, /\bremoteOff\b/);
    assert.equal(rows[0]!.command, 'remote.turnOn');
  });

  it('shows of a URL and of arguments nothing that may be secret', () => {
    const { node, model, row } = draw('a', { url: 'https://mcp.example.com/canary?key=canary' });
    const tooltip = tooltipOf(node, model, english)!;
    assert.match(tooltip, /- URL: \S+example\S+com\n/);
    assert.doesNotMatch(`${tooltip} ${JSON.stringify(row)}`, /canary/);
  });

  it('tells which keys of a definition do nothing yet', () => {
    const view = serverView('a');
    const definition = { ...view.server.definition, persistent: true, isolation: 'session' } as const;
    const drawn = (more: object) =>
      draw('a', { server: { ...view.server, definition: { ...definition, ...more } } } as ServerOptions);
    const { row, rows } = drawn({});
    assert.equal(row.collapsible, 'collapsed');
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['persistent, isolation: kept in the file, though this version does not act on it yet.'],
    );
    const plain = drawn({ persistent: false, isolation: 'shared' });
    assert.deepEqual([plain.row.collapsible, plain.rows], ['none', []]);
  });

  it('tells which keys of an entry nothing acts on', () => {
    const { server } = serverView('a');
    const { rows } = draw('a', { server: { ...server, outOfPlace: ['headers', 'timeouts.conect'] } } as ServerOptions);
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['headers, timeouts.conect: nothing acts on it in this entry; check its name.'],
    );
  });

  it('tells which rules name no tool of the whole list', () => {
    const policies = {
      personFile: { '*': 'ask', t: 'deny' },
      personEntry: { delte: 'deny' },
      project: { 'a\u202Eb': 'ask', delte: 'ask' },
    } as const;
    const drawn = (more: object) => {
      const { row, rows } = draw('a', {
        ...{ state: ready, policies },
        snapshot: snapshotOf({ tools: [offeredTool('t')], ...more }),
      });
      return { row, notes: rows.filter(({ label }) => label.includes('No such tool')) };
    };
    const { row, notes } = drawn({});
    assert.equal(notes.length, 1);
    const [{ label, icon, command }] = notes as [Row];
    assert.match(label, /^No such tool, so its rule has no effect: delte, a.*b$/);
    assert.doesNotMatch(label, /\u202E/);
    assert.deepEqual([icon!.id, command], ['warning', 'server.edit']);
    assert.deepEqual([row.icon!.id, row.spoken], ['warning', 'a, 2 rules name no tool · 1 tool']);
    const unknown = drawn({ incomplete: [{ kind: 'tools', reason: 'pageFailed', detail: '' }] });
    assert.deepEqual([unknown.row.icon!.id, unknown.notes], ['pass-filled', []]);
  });

  it('shows incomplete lists, unusable items and noise as notes', () => {
    const snapshot = snapshotOf({
      tools: [offeredTool('t')],
      incomplete: [{ kind: 'tools', reason: 'repeatedCursor', detail: '' }],
      issueCount: 5,
      repairedCount: 3,
    });
    const { rows } = draw('a', { state: ready, snapshot, noiseCount: 3 });
    assert.deepEqual(
      rows.map(({ label }) => label),
      [
        'The list of tools is incomplete: the server repeats a page.',
        '2 items of its lists are unusable or doubled and left out.',
        '3 items of its lists had faults; they are offered without them.',
        'It printed 3 lines that are no protocol messages.',
        'Tools',
      ],
    );
    assert.equal(rows[4]!.description, '1, incomplete');
  });

  it('makes hidden characters of a tool visible in its row', () => {
    const snapshot = snapshotOf({ tools: [offeredTool(hostile, { description: hostile })] });
    const { children, model } = draw('a', { state: ready, snapshot });
    const [item] = model.children(children[0]!);
    const row = rowOf(item!, model, english);
    for (const text of [row.label, row.description!, row.spoken]) {
      assert.match(text, /[<[]U\+202E[>\]]/);
      assert.doesNotMatch(text, /[\u202E\u200B]/);
    }
  });

  it('leaves nothing live in a tool’s tooltip', () => {
    const snapshot = snapshotOf({ tools: [offeredTool(hostile, { description: hostile, title: hostile })] });
    const { children, model } = draw('a', { state: ready, snapshot });
    const [item] = model.children(children[0]!);
    assert.doesNotMatch(tooltipOf(item!, model, english)!, /command:|<img|\]\(|\$\(/);
  });

  it('keeps a long description out of the row and in the tooltip', () => {
    const description = `${'long '.repeat(100)}end`;
    const snapshot = snapshotOf({ tools: [offeredTool('t', { description })] });
    const { children, model } = draw('a', { state: ready, snapshot });
    const [item] = model.children(children[0]!);
    assert.ok(rowOf(item!, model, english).description!.length <= 100);
    assert.match(tooltipOf(item!, model, english)!, /end$/m);
  });

  it('stays small whatever a server or a file wrote, and tells names apart by what is hidden in them', () => {
    const long = '\u202E'.repeat(1_000_000);
    const tools = [offeredTool('read1\uFE0F', { title: long }), offeredTool('read1', { description: long })];
    const resources = [offeredItem(`x:${long}`, 'r')];
    const failed: ConnectionState = {
      kind: 'failed',
      problem: { code: 'configSyntax', data: { file: '/f', detail: long } },
    };
    const { children, model } = draw('a', { state: ready, snapshot: snapshotOf({ tools, resources }) });
    const items = children.flatMap((group) => model.children(group));
    const other = draw('b', { state: failed });
    for (const node of items) assert.ok(tooltipOf(node, model, english)!.length < 100_000);
    for (const node of other.children) assert.ok(tooltipOf(node, other.model, english)!.length < 20_000);
    assert.deepEqual(
      items.map((node) => rowOf(node, model, english).label),
      ['read1<U+FE0F>', 'read1', 'r'],
    );
  });

  it('says what holds for each tool and which rule says so, in its row and its tooltip', () => {
    const snapshot = snapshotOf({ tools: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => offeredTool(name)) });
    const { children, model } = draw('s', {
      state: ready,
      snapshot,
      policies: {
        personEntry: { a: 'deny', b: 'ask' },
        personFile: { f: 'allow' },
        project: { e: 'ask', '*': 'allow' },
        changed: new Map([['c', 'new']]),
        granted: new Set(['e']),
      },
    });
    const [group] = children.filter(({ kind }) => kind === 'group');
    const nodes = model.children(group!);
    assert.deepEqual(
      nodes.map((node) => rowOf(node, model, english)).map(({ flags, description }) => [flags, description]),
      [
        ['tool+denied', 'denied · your rule'],
        ['tool+callable', 'asks · your rule'],
        ['tool+callable+changed', 'asks · new'],
        ['tool+callable', undefined],
        ['tool+callable', 'allowed for this window'],
        ['tool+callable', undefined],
      ],
    );
    assert.deepEqual(
      nodes.map((node) => tooltipOf(node, model, english)!.split('\n').at(-1)),
      [
        'Never runs: your rule.',
        'Asks before each call: your rule.',
        'Asks before each call: it is new since you knew the server.',
        'Runs without asking: the project’s rule for all tools.',
        'Runs without asking: you allowed it for this window.',
        'Runs without asking: your rule.',
      ],
    );
    assert.equal(rowOf(group!, model, english).description, '6 · 1 denied · 2 set to ask');
  });

  it('says of a server what holds for its tools, and leads to what changed in them', () => {
    const snapshot = snapshotOf({ tools: [offeredTool('a'), offeredTool('b')] });
    const changed = new Map([['a', 'definition' as const]]);
    const policies = { personEntry: { '*': 'ask' as const, b: 'deny' as const }, changed };
    const { row, rows, node, model } = draw('s', { state: ready, snapshot, policies });
    assert.match(row.flags, /\+changed$/);
    assert.deepEqual([rows[0]?.label, rows[0]?.command], ['1 tool changed: review it', 'tools.review']);
    const tooltip = tooltipOf(node, model, english)!.replaceAll('&#58;', ':').replaceAll('&#46;', '.');
    assert.match(
      tooltip,
      /Tools: ask before each call &#40;your rule for all tools&#41;&#44; 1 denied&#44; 1 set to ask/,
    );
    assert.doesNotMatch(draw('s', { state: ready, snapshot }).row.flags, /changed/);
  });

  it('opens resources by a click, and never calls a tool by one', () => {
    const snapshot = snapshotOf({ tools: [offeredTool('t')], resources: [offeredItem('file:///a', 'a')] });
    const { children, model } = draw('s', { state: ready, snapshot });
    const rows = children.flatMap((group) => model.children(group)).map((node) => rowOf(node, model, english));
    assert.deepEqual(
      rows.map(({ label, command }) => [label, command]),
      [
        ['t', undefined],
        ['a', 'resource.read'],
      ],
    );
  });

  it('says which definition is used when the project and the person both define an id', () => {
    const roles: readonly [ServerView['role'], RegExp][] = [
      ['standIn', /Your own definition is used, because/],
      ['overridden', /The project defines a server of this id/],
      ['shared', /both share one instance/],
    ];
    for (const [role, words] of roles) assert.match(draw('a', { role }).rows[0]!.label, words);
  });

  it('shows line and column of a broken file', () => {
    const view = managerView(
      [],
      [
        {
          file: '/work/demo/.roundhouse/mcp.json',
          code: 'configSyntax',
          data: { file: 'mcp.json', detail: 'comma expected', line: 3, column: 7 },
          position: { line: 3, column: 7 },
        },
      ],
    );
    const model = new TreeModel(() => view);
    const [node] = model.roots();
    const row = rowOf(node!, model, english);
    assert.equal(row.label, '.roundhouse/mcp.json');
    assert.equal(row.description, 'line 3, column 7');
    assert.match(tooltipOf(node!, model, english)!, /Correct the file/);
  });
});
