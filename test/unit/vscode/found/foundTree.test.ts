import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseEntry } from '../../../../src/contract/configFile.ts';
import { fateText, shownPath } from '../../../../src/vscode/found/foundText.ts';
import { fateOf } from '../../../../src/core/found/fateOf.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { tooltipOf } from '../../../../src/vscode/views/tooltip.ts';
import { TreeModel, type TreeNode } from '../../../../src/vscode/views/treeModel.ts';
import { rowOf } from '../../../../src/vscode/views/treeRow.ts';
import type { FoundView } from '../../../../src/core/found/foundView.ts';
import { demoFound, fileOf, foundIn, projectFileOf, readingOf } from '../../../support/foundView.ts';
import { managerView, serverView } from '../../../support/managerView.ts';

function modelOf(found: FoundView, servers = [serverView('own')]): TreeModel {
  return new TreeModel(
    () => managerView(servers),
    () => found,
  );
}

/** The rows from a node down, two spaces a level. */
function drawn(model: TreeModel, nodes: readonly TreeNode[], level = 0): readonly string[] {
  return nodes.flatMap((node) => {
    const { label, description = '' } = rowOf(node, model, english);
    return [`${'  '.repeat(level)}${label} (${description})`, ...drawn(model, model.children(node), level + 1)];
  });
}

function nodeOf(model: TreeModel, label: string): TreeNode {
  const all = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
    nodes.flatMap((node) => [node, ...all(model.children(node))]);
  return all(model.roots()).find((node) => rowOf(node, model, english).label === label)!;
}

describe('found servers in the tree', () => {
  it('stand below ours by client and file, each once, with what keeps one from being taken over', () => {
    const model = modelOf(demoFound);
    const [own, found] = model.roots();
    assert.equal(own?.kind, 'server');
    assert.deepEqual(drawn(model, [found!]), [
      'Found Servers (3 to take over, 1 cannot be)',
      '  In Several Clients (1 to take over)',
      '    files (Cursor, Codex · npx files)',
      '  Cursor (/home/ada/.cursor/mcp.json)',
      '    hub (hub)',
      '  Codex (/home/ada/.codex/config.toml)',
      '    docs (https://docs.example)',
      '  Zed (/home/ada/.config/zed/settings.json)',
      '    odd (cannot be taken over: its client runs a part of it itself (settings))',
      '  Gemini CLI (/home/ada/.gemini/settings.json)',
      '    Cannot be read (line 4, column 2)',
    ]);
  });

  it('are not there where nothing was found', () => {
    assert.deepEqual(
      modelOf(foundIn([]))
        .roots()
        .map(({ kind }) => kind),
      ['server'],
    );
    assert.deepEqual(modelOf(foundIn([readingOf(fileOf('cursor'), {})])).roots().length, 1);
  });

  it('are open to see where there is nothing else, and out of the way where there is', () => {
    const bare = modelOf(demoFound, []);
    assert.equal(rowOf(bare.roots()[0]!, bare, english).collapsible, 'expanded');
    const model = modelOf(demoFound);
    assert.equal(rowOf(nodeOf(model, 'Found Servers'), model, english).collapsible, 'collapsed');
  });

  it('know where they stand: every node leads back to its parent', () => {
    const model = modelOf(demoFound);
    const check = (parent: TreeNode): void => {
      for (const child of model.children(parent)) {
        assert.equal(model.parent(child)?.id, parent.id);
        check(child);
      }
    };
    check(nodeOf(model, 'Found Servers'));
  });

  it('have ids of their own, also where one name stands in two files', () => {
    const model = modelOf(
      foundIn([
        readingOf(fileOf('cursor'), { same: { command: 'a' } }),
        readingOf(fileOf('codex'), { same: { command: 'b' } }),
      ]),
    );
    const root = nodeOf(model, 'Found Servers');
    const ids = model.children(root).flatMap((group) => model.children(group).map(({ id }) => id));
    assert.equal(new Set(ids).size, 2);
  });

  it('offer what can be done with them by their flags', () => {
    const model = modelOf(demoFound);
    const flags = (label: string): string => rowOf(nodeOf(model, label), model, english).flags;
    assert.equal(flags('Found Servers'), 'found+takeable');
    assert.equal(flags('In Several Clients'), 'foundGroup+takeable');
    assert.equal(flags('Cursor'), 'foundGroup+openable+takeable');
    assert.equal(flags('hub'), 'foundServer+openable+takeable');
    assert.equal(flags('odd'), 'foundServer+openable');
    assert.equal(flags('Cannot be read'), 'foundProblem+openable');
  });

  it('say so where one is ours already, secrets or not, and are then not offered', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const view = serverView('mine');
    const written = parseEntry({ command: 'hub', env: { TOKEN: '${secret:mine.TOKEN}' } }, 3);
    assert.ok(written.ok);
    const mine = { ...view.server, definition: written.definition };
    const entry = { command: 'hub', env: { TOKEN: secret } };
    const model = modelOf(foundIn([readingOf(fileOf('cursor'), { hub: entry })], [mine]), [view]);
    const row = rowOf(nodeOf(model, 'hub'), model, english);
    assert.equal(row.description, 'yours already · hub');
    assert.equal(row.flags, 'foundServer+openable');
    assert.equal(rowOf(nodeOf(model, 'Found Servers'), model, english).description, 'in other clients’ files');
  });

  it('show no secret and nothing live, whatever a file says', () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const found = foundIn([
      readingOf(fileOf('cursor'), {
        '[x](command:a) $(zap) \u202e': {
          command: 'hub',
          args: ['--token', secret],
          env: { API_KEY: 'plain-looking-value-77' },
        },
        far: { url: `https://x.example/mcp?token=${secret}`, headers: { Authorization: `Bearer ${secret}` } },
      }),
    ]);
    const model = modelOf(found);
    const all = (nodes: readonly TreeNode[]): readonly string[] =>
      nodes.flatMap((node) => [
        JSON.stringify(rowOf(node, model, english)),
        tooltipOf(node, model, english) ?? '',
        ...all(model.children(node)),
      ]);
    const text = all(model.roots()).join('\n');
    assert.ok(!text.includes(secret), text);
    assert.ok(!text.includes('plain-looking-value-77'));
    assert.doesNotMatch(text, /[^\\]\]\(command|\$\(zap|\u202e/);
  });

  it('tell where they stand and what taking them over does there, before it is done', () => {
    const model = modelOf(demoFound);
    const tooltip = tooltipOf(nodeOf(model, 'files'), model, english)!.replace(/&#(\d+);/g, (_, code: string) =>
      String.fromCodePoint(Number(code)),
    );
    assert.match(tooltip, /Cursor: \/home\/ada\/\.cursor\/mcp\.json, line 2/);
    assert.match(tooltip, /Cursor: taken out of/);
    assert.match(tooltip, /Codex: switched off in/);
  });

  it('of a team’s file, of one that others read, and of one that is only read stay there', () => {
    const place = { name: 'x', position: { line: 1, column: 1 }, raw: {}, off: false };
    const fates = [projectFileOf('cursor', '/work/demo'), fileOf('visualStudio'), fileOf('continue')].map((file) =>
      fateText({ ...place, file }, fateOf({ ...place, file }), english),
    );
    assert.match(fates[0]!, /stays in \/work\/demo\/\.cursor\/mcp\.json, which your team shares/);
    assert.match(fates[1]!, /stays in \/home\/ada\/\.mcp\.json, which other programs read too/);
    assert.match(fates[2]!, /stays in .*config\.yaml, which cannot be edited safely/);
  });

  it('name a file of the person by its place in their home', () => {
    assert.equal(shownPath({ path: '/home/ada/.cursor/mcp.json' }, '/home/ada'), '~/.cursor/mcp.json');
    assert.equal(shownPath({ path: '/home/adam/x' }, '/home/ada'), '/home/adam/x');
  });
});
