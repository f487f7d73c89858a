import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { defaultInherit } from '../../../src/core/transport/environment.ts';
import {
  commandId,
  commandNames,
  contextKeys,
  schemes,
  settingIds,
  viewId,
} from '../../../src/vscode/contributions.ts';
import { english } from '../../../src/vscode/translate.ts';
import { TreeModel, type TreeNode } from '../../../src/vscode/views/treeModel.ts';
import { type Row, rowOf } from '../../../src/vscode/views/treeRow.ts';
import {
  demoScope,
  everyState,
  managerView,
  offeredItem,
  offeredTool,
  serverView,
  userScope,
} from '../../support/managerView.ts';
import { demoFound } from '../../support/foundView.ts';
import { snapshotOf } from '../../support/snapshotOf.ts';

interface Menu {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

interface Setting {
  readonly scope: string;
  readonly default: unknown;
}

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly views: { readonly explorer: readonly { readonly id: string }[] };
    readonly viewsWelcome: readonly { readonly when: string; readonly contents: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly jsonValidation: readonly { readonly url: string }[];
  };
}

const root = new URL('../../../', import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const manifest = read('package.json') as Manifest;
const { contributes } = manifest;
const titles = read('package.nls.json') as Record<string, string>;
const ids = commandNames.map(commandId) as readonly string[];

describe('what package.json contributes', () => {
  it('is the commands that the code registers, each with a title in title case', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...ids].sort());
    for (const { title, category } of contributes.commands) {
      const words = titles[title.slice(1, -1)]!;
      assert.match(words, /^[A-Z]/, words);
      assert.doesNotMatch(words, /\b(?!at|and|the|for|with|of|to|a|in|by)[a-z]+\b/, words);
      assert.equal(category, 'MCP Roundhouse');
    }
  });

  it('registers each command in one file of its own', () => {
    const files = readdirSync(new URL('src/vscode/commands/', root))
      .map((file) => readFileSync(new URL(`src/vscode/commands/${file}`, root), 'utf8'))
      .flatMap((source) => [...source.matchAll(/^ {2}name: '([\w.]+)',$/gm)].map((match) => match[1]!));
    assert.deepEqual(files.sort(), [...commandNames].sort());
  });

  it('puts only known commands into menus', () => {
    for (const [menu, entries] of Object.entries(contributes.menus)) {
      for (const { command } of entries) assert.ok(ids.includes(command), `${command} in ${menu}`);
    }
  });

  it('uses only flags that rows carry in the menus of the tree', () => {
    const known = new Set(everyRow().flatMap(({ flags }) => flags.split('+')));
    const whens = contributes.menus['view/item/context']!.map(({ when }) => when ?? '');
    const patterns = whens.flatMap((when) => [...when.matchAll(/viewItem =~ \/(.*?)\//g)].map((match) => match[1]!));
    assert.ok(patterns.length >= whens.length);
    for (const pattern of patterns) {
      for (const flag of pattern.replaceAll('\\b', ' ').match(/\w+/g) ?? []) assert.ok(known.has(flag), flag);
    }
  });

  it('names the view, the context keys and the scheme as the code does', () => {
    assert.deepEqual(
      contributes.views.explorer.map(({ id }) => id),
      [viewId],
    );
    const text = JSON.stringify(contributes);
    for (const name of [...Object.values(contextKeys), schemes.arguments]) assert.ok(text.includes(name), name);
  });

  it('lets no workspace decide a setting: each is application or machine scope and restricted', () => {
    const settings = Object.assign({}, ...contributes.configuration.map(({ properties }) => properties)) as Record<
      string,
      Setting
    >;
    assert.deepEqual(Object.keys(settings).sort(), Object.values(settingIds).sort());
    for (const [id, { scope }] of Object.entries(settings)) {
      assert.ok(['application', 'machine'].includes(scope), id);
      assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(id), id);
    }
    assert.equal(settings[settingIds.remoteEnabled]!.default, false);
    assert.deepEqual(settings[settingIds.inheritedEnvironment]!.default, defaultInherit);
  });

  it('welcomes people without servers and in Restricted Mode, with a way on', () => {
    const texts = contributes.viewsWelcome.map(({ contents }) => titles[contents.slice(1, -1)]!);
    assert.ok(texts.some((text) => text.includes('command:workbench.trust.manage')));
    assert.ok(texts.some((text) => text.includes('command:roundhouse.server.add')));
    for (const text of texts) {
      for (const match of text.matchAll(/command:(roundhouse\.[\w.]+)/g)) assert.ok(ids.includes(match[1]!), match[1]);
    }
  });

  it('points at files that exist', () => {
    for (const { url } of contributes.jsonValidation) assert.ok(existsSync(new URL(url, root)), url);
  });
});

/** The rows of a tree with a server in every state, each with one of everything that it can offer. */
function everyRow(): readonly Row[] {
  const snapshot = snapshotOf({
    tools: [offeredTool('tool'), offeredTool('denied'), offeredTool('changed')],
    resources: [offeredItem('resource')],
    resourceTemplates: [offeredItem('template')],
    prompts: [offeredItem('prompt')],
  });
  const changed = new Map([['changed', 'new' as const]]);
  const servers = everyState.flatMap((state, at) =>
    [userScope, demoScope].map((scope) =>
      serverView(`${scope.kind}${at}`, { scope, state, snapshot, policies: { project: { denied: 'deny' }, changed } }),
    ),
  );
  const view = managerView(servers, [{ code: 'configSyntax', file: '/f', data: {} }]);
  const model = new TreeModel(
    () => view,
    () => demoFound,
  );
  const below = (nodes: readonly TreeNode[]): Row[] =>
    nodes.flatMap((node) => [rowOf(node, model, english), ...below(model.children(node))]);
  return below(model.roots());
}
