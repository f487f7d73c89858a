// Servers in the files of other clients, on a real disk: found, taken over and given back (GATE-9).
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import { clients } from '../../src/core/agents/clients.ts';
import { EditLedger } from '../../src/core/agents/editLedger.ts';
import { homeFolder, projectConfigFile, userConfigFile } from '../../src/core/config/configPaths.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import { FoundServers } from '../../src/core/found/foundServers.ts';
import type { FoundServer, FoundView } from '../../src/core/found/foundView.ts';
import { planTakeOver, type PlannedServer, type TakeOverTarget } from '../../src/core/found/planTakeOver.ts';
import { checkBasis, previewTakeOver } from '../../src/core/found/previewTakeOver.ts';
import { takeOver, type TakeOverPorts, undoTakeOver } from '../../src/core/found/takeOver.ts';
import { TakeOverLog, type TakeOverRecord } from '../../src/core/found/takeOverLog.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const canary = 'c4nary-Wert-0815-geheim';

const cursorText = `{
  // What I use.
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@scope/files", "/srv"] },
    "hub": {
      "command": "hub-server",
      "env": { "HUB_TOKEN": "${canary}" }, // secret
    },
    "roundhouse": { "command": "/x/.mcp-roundhouse/bin/mcp-roundhouse", "args": ["proxy"] }
  }
}
`;
const codexText = `model = "o5" # mine

[mcp_servers.files]
command = "npx"
args = ["-y", "@scope/files", "/srv"]

[mcp_servers.docs] # the docs
command = "docs-server"
tool_timeout_sec = 45

[tui]
theme = "dark"
`;

describe('servers in the files of other clients', () => {
  let place: Awaited<ReturnType<typeof temporaryFolder>>;
  let root: string;
  let home: string;
  let folder: string;
  let found: FoundServers;
  const stores = new Map<string, ConfigStore>();
  const secrets = new Map<string, string>();
  const clock = systemClock();
  const cursorFile = (): string => join(root, '.cursor', 'mcp.json');
  const codexFile = (): string => join(root, '.codex', 'config.toml');

  beforeEach(async () => {
    place = await temporaryFolder();
    root = place.path;
    home = homeFolder(root);
    folder = join(root, 'work');
    await mkdir(folder);
    found = new FoundServers({
      files: () =>
        clients.flatMap((client) => [
          ...client.userFiles({ platform: 'linux', userHome: root, env: {}, editorUserFolder: join(root, 'User') }),
          ...client.projectFiles({ path: folder, name: 'work' }, { platform: 'linux', userHome: root, env: {} }),
        ]),
      own: () => [...stores.values()].flatMap((store) => store.get().servers),
      clock,
    });
  });

  afterEach(async () => {
    found.dispose();
    for (const store of stores.values()) store.dispose();
    stores.clear();
    secrets.clear();
    await place.remove();
  });

  const targets = (): readonly TakeOverTarget[] => [
    { file: userConfigFile(home), scope: { kind: 'user' } },
    { file: projectConfigFile(folder), scope: { kind: 'project', folder, name: 'work' } },
  ];

  function storeOf(file: string): ConfigStore {
    const scope = targets().find((target) => target.file === file)!.scope;
    const store = stores.get(file) ?? new ConfigStore({ file, scope, clock });
    stores.set(file, store);
    return store;
  }

  const secretKey = (name: string, scope: ConfigScope): string => `${scope.kind}:${name}`;

  function ports(changes: Partial<TakeOverPorts> = {}): TakeOverPorts {
    return {
      ledger: new EditLedger({ home }),
      log: new TakeOverLog(home),
      transform: (file, change) => storeOf(file).transform(change),
      keepSecret: (name, scope, value) => {
        secrets.set(secretKey(name, scope), value);
        return Promise.resolve();
      },
      forgetSecret: (name, scope) => {
        secrets.delete(secretKey(name, scope));
        return Promise.resolve();
      },
      now: () => 1,
      ...changes,
    };
  }

  function plan(chosen: readonly FoundServer[]): Promise<readonly PlannedServer[]> {
    return planTakeOver(chosen, {
      targets: targets(),
      current: (file) => storeOf(file).get(),
      isFree: (kind, name, scope, value) =>
        Promise.resolve(kind === 'input' || [undefined, value].includes(secrets.get(secretKey(name, scope)))),
    });
  }

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  async function writeBoth(): Promise<void> {
    await write(cursorFile(), cursorText);
    await write(codexFile(), codexText);
  }

  const named = (view: FoundView, ...names: readonly string[]): readonly FoundServer[] =>
    names.map((name) => view.servers.find((server) => server.name === name)!);

  const signal = new AbortController().signal;

  it('are one row for each launch with all its places, without what is ours and without what cannot be read [GATE-9a]', async () => {
    await writeBoth();
    await write(join(root, '.config', 'zed', 'settings.json'), '{ "context_servers": { "one": { "command": ["] } }');
    await write(join(folder, '.mcp.json'), '{ "mcpServers": { "team": { "command": "team-server" } } }');
    const view = await found.look();
    assert.deepEqual(
      view.servers.map(({ name, places }) => [name, places.map(({ file, position }) => [file.client, position.line])]),
      [
        ['team', [['claudeCode', 1]]],
        [
          'files',
          [
            ['cursor', 4],
            ['codex', 3],
          ],
        ],
        ['hub', [['cursor', 5]]],
        ['docs', [['codex', 7]]],
      ],
    );
    const [problem] = view.problems;
    assert.equal(view.problems.length, 1);
    assert.equal(problem?.file.client, 'zed');
    assert.equal(problem.problem.position?.line, 1);
  });

  it('are read again only where their file changed, and say so once', async () => {
    await writeBoth();
    let told = 0;
    found.onDidChange(() => (told += 1));
    await found.look();
    await found.look();
    assert.equal(told, 1);
    await write(codexFile(), codexText.replace('docs-server', 'other-server'));
    const view = await found.look();
    assert.equal(told, 2);
    const [docs] = named(view, 'docs');
    assert.ok(docs?.conversion.kind === 'entry' && docs.conversion.entry['command'] === 'other-server');
  });

  it('are thought through once for each state of their file', async () => {
    await writeBoth();
    const [before] = named(await found.look(), 'hub');
    await write(codexFile(), codexText.replace('docs-server', 'other-server'));
    const [after] = named(await found.look(), 'hub');
    assert.equal(after?.conversion, before?.conversion);
    await write(cursorFile(), cursorText.replace('hub-server', 'other-hub'));
    const [changed] = named(await found.look(), 'hub');
    assert.ok(changed?.conversion.kind === 'entry' && changed.conversion.entry['command'] === 'other-hub');
  });

  it('of a project are not read through a link that leads out of it', async () => {
    await write(join(root, 'elsewhere.json'), '{ "mcpServers": { "x": { "command": "x" } } }');
    await symlink(join(root, 'elsewhere.json'), join(folder, '.mcp.json'));
    const view = await found.look();
    assert.deepEqual(view.servers, []);
    assert.equal(view.problems[0]?.problem.code, 'configSymlinkOutside');
  });

  it('are taken over with their secrets put by, switched off or taken out where they were, and given back byte by byte [GATE-9b]', async () => {
    await writeBoth();
    await chmod(cursorFile(), 0o640);
    const view = await found.look();
    const planned = await plan(named(view, 'files', 'hub'));
    const preview = await previewTakeOver(planned, () => Promise.resolve(undefined));
    assert.deepEqual(
      preview.files.map(({ file }) => file),
      [userConfigFile(home), cursorFile(), codexFile()],
    );
    assert.ok(!JSON.stringify(preview.files).includes(canary));

    const record = await takeOver(preview.planned, ports(), signal);
    const written = await readFile(userConfigFile(home), 'utf8');
    assert.deepEqual(JSON.parse(written), {
      version: 3,
      mcpServers: {
        files: { command: 'npx', args: ['-y', '@scope/files', '/srv'], protocol: 'legacy' },
        hub: { command: 'hub-server', env: { HUB_TOKEN: '${secret:hub.HUB_TOKEN}' }, protocol: 'legacy' },
      },
    });
    assert.deepEqual([...secrets], [['user:hub.HUB_TOKEN', canary]]);
    const cursor = await readFile(cursorFile(), 'utf8');
    assert.ok(!cursor.includes('"files"') && !cursor.includes(canary) && cursor.includes('"roundhouse"'), cursor);
    assert.equal((await stat(cursorFile())).mode & 0o777, 0o640);
    assert.equal(await readFile(codexFile(), 'utf8'), codexText.replace('"/srv"]\n', '"/srv"]\nenabled = false\n'));
    // What is left is ours already, and says so.
    const [left] = named(await found.look(), 'files');
    assert.equal(left?.ours, 'user:files');
    assert.deepEqual(
      left.places.map(({ file, off }) => [file.client, off]),
      [['codex', true]],
    );

    const undone = await undoTakeOver(record, ports(), { removeChanged: () => assert.fail('nothing changed') });
    assert.deepEqual(
      undone.map(({ ours }) => ours),
      ['removed', 'removed'],
    );
    assert.equal(await readFile(cursorFile(), 'utf8'), cursorText);
    assert.equal(await readFile(codexFile(), 'utf8'), codexText);
    assert.deepEqual(JSON.parse(await readFile(userConfigFile(home), 'utf8')), { version: 3, mcpServers: {} });
    assert.deepEqual([...secrets], []);
    assert.deepEqual(await new TakeOverLog(home).records(), []);
    assert.deepEqual(await new EditLedger({ home }).records(), []);
  });

  it('get another name where theirs is taken, and inputs that ask for something else do too', async () => {
    const input = { id: 'key', type: 'promptString', description: 'Theirs', password: true };
    const server = { type: 'stdio', command: 'other', env: { KEY: '${input:key}' } };
    await write(join(root, 'User', 'mcp.json'), JSON.stringify({ inputs: [input], servers: { 'my files!': server } }));
    const own = storeOf(userConfigFile(home));
    await own.transform(() => [
      { path: ['inputs'], value: [{ id: 'key', type: 'promptString', description: 'Ours' }] },
      { path: ['mcpServers', 'my-files'], value: { command: 'a', env: { KEY: '${input:key}' } } },
    ]);
    const before = await readFile(userConfigFile(home), 'utf8');
    const planned = await plan((await found.look()).servers);
    assert.deepEqual(
      planned.map(({ id }) => id),
      ['my-files-2'],
    );
    const record = await takeOver(planned, ports(), signal);
    const file = JSON.parse(await readFile(userConfigFile(home), 'utf8')) as {
      inputs: { id: string }[];
      mcpServers: Record<string, { env: { KEY: string } }>;
    };
    assert.deepEqual(
      file.inputs.map(({ id }) => id),
      ['key', 'key-2'],
    );
    assert.equal(file.mcpServers['my-files-2']?.env.KEY, '${input:key-2}');
    await undoTakeOver(record, ports(), { removeChanged: () => Promise.resolve(false) });
    assert.deepEqual(JSON.parse(await readFile(userConfigFile(home), 'utf8')), JSON.parse(before));
  });

  it('of a team stay in its file, and what belongs to one folder alone is kept with it', async () => {
    const text = '{ "mcpServers": { "team": { "command": "team-server" } } }';
    await write(join(folder, '.mcp.json'), text);
    const planned = await plan((await found.look()).servers);
    assert.deepEqual(
      planned.map(({ target, originals }) => [target.file, originals.map(({ fate }) => fate)]),
      [[projectConfigFile(folder), [{ kind: 'stays', why: 'team' }]]],
    );
    await takeOver(planned, ports(), signal);
    assert.equal(await readFile(join(folder, '.mcp.json'), 'utf8'), text);
    assert.match(await readFile(projectConfigFile(folder), 'utf8'), /team-server/);
  });

  it('with a credential in a header go to the person’s own file, never to a project’s', async () => {
    const remote = { type: 'http', url: 'https://x.example/mcp', headers: { Authorization: `Bearer ${canary}` } };
    await write(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { far: remote } }));
    const [planned] = await plan((await found.look()).servers);
    assert.equal(planned?.target.file, userConfigFile(home));
    assert.ok(!JSON.stringify(planned.entry).includes(canary));
    assert.deepEqual(
      planned.secrets.map(({ value }) => value),
      [canary],
    );
  });

  it('that changed since they were shown are not touched, and nothing is left of the attempt', async () => {
    await writeBoth();
    const planned = await plan(named(await found.look(), 'hub', 'files'));
    const changed = codexText.replace('"/srv"', '"/elsewhere"');
    await write(codexFile(), changed);
    await assert.rejects(takeOver(planned, ports(), signal), { code: 'agentFileChanged' });
    assert.equal(await readFile(cursorFile(), 'utf8'), cursorText);
    assert.equal(await readFile(codexFile(), 'utf8'), changed);
    assert.deepEqual(JSON.parse(await readFile(userConfigFile(home), 'utf8')), { version: 3, mcpServers: {} });
    assert.deepEqual([...secrets], []);
    assert.deepEqual(await new TakeOverLog(home).records(), []);
  });

  it('are not written into a file of ours that is not what was shown', async () => {
    await writeBoth();
    const own = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
    const { basis } = await previewTakeOver(await plan(named(await found.look(), 'hub')), own);
    assert.deepEqual([...basis], [[userConfigFile(home), undefined]]);
    await checkBasis(basis, own);
    await storeOf(userConfigFile(home)).upsert('another', { command: 'mine' });
    await assert.rejects(checkBasis(basis, own), { code: 'agentFileChanged' });
    const anew = await previewTakeOver(await plan(named(await found.look(), 'hub')), own);
    await checkBasis(anew.basis, own);
  });

  it('are not written over what somebody wrote here meanwhile under the same name', async () => {
    await writeBoth();
    const planned = await plan(named(await found.look(), 'hub'));
    await storeOf(userConfigFile(home)).upsert('hub', { command: 'mine' });
    const before = await readFile(userConfigFile(home), 'utf8');
    await assert.rejects(takeOver(planned, ports(), signal), { code: 'agentFileChanged' });
    assert.equal(await readFile(userConfigFile(home), 'utf8'), before);
    assert.equal(await readFile(cursorFile(), 'utf8'), cursorText);
    assert.deepEqual([...secrets], []);
  });

  it('that another window took over meanwhile stay as it wrote them, with their secret', async () => {
    await writeBoth();
    const planned = await plan(named(await found.look(), 'hub'));
    await storeOf(userConfigFile(home)).upsert('hub', planned[0]!.entry);
    const before = await readFile(userConfigFile(home), 'utf8');
    await assert.rejects(takeOver(planned, ports(), signal), { code: 'agentFileChanged' });
    assert.equal(await readFile(userConfigFile(home), 'utf8'), before);
    assert.equal(secrets.get('user:hub.HUB_TOKEN'), canary);
  });

  it('leave nothing where a secret cannot be stored or the attempt is ended', async () => {
    await writeBoth();
    const planned = await plan(named(await found.look(), 'hub'));
    const keepSecret = (): Promise<void> => Promise.reject(new Error('no keyring'));
    await assert.rejects(takeOver(planned, ports({ keepSecret }), signal), /no keyring/);
    const ended = new AbortController();
    const keepAndEnd: TakeOverPorts['keepSecret'] = async (name, scope, value) => {
      await ports().keepSecret(name, scope, value);
      ended.abort();
    };
    await assert.rejects(takeOver(planned, ports({ keepSecret: keepAndEnd }), ended.signal), { name: 'AbortError' });
    assert.equal(await readFile(cursorFile(), 'utf8'), cursorText);
    assert.deepEqual([...secrets], []);
    assert.deepEqual(await new TakeOverLog(home).records(), []);
  });

  it('that were changed here since are taken out only where the person says so', async () => {
    await writeBoth();
    const record = await takeOver(await plan(named(await found.look(), 'hub')), ports(), signal);
    await storeOf(userConfigFile(home)).transform(() => [{ path: ['mcpServers', 'hub', 'args'], value: ['mine'] }]);
    const [undone] = await undoTakeOver(record, ports(), { removeChanged: () => Promise.resolve(false) });
    assert.equal(undone?.ours, 'kept');
    assert.equal(await readFile(cursorFile(), 'utf8'), cursorText);
    assert.match(await readFile(userConfigFile(home), 'utf8'), /"mine"/);
    assert.equal(secrets.get('user:hub.HUB_TOKEN'), canary);
  });

  it('stay here where their original was changed meanwhile, until the person says otherwise or it can be put back [GATE-9b]', async () => {
    await writeBoth();
    const record = await takeOver(await plan(named(await found.look(), 'hub')), ports(), signal);
    const taken = await readFile(cursorFile(), 'utf8');
    await write(cursorFile(), taken.replace('"mcpServers": {', '"mcpServers": { "hub": { "command": "other" },'));
    const asked: string[] = [];
    const answering = (answer: boolean) => ({
      removeChanged: ({ id }: { id: string }, doubt: string): Promise<boolean> => {
        asked.push(`${id} ${doubt}`);
        return Promise.resolve(answer);
      },
    });
    for (const time of ['first', 'second']) {
      const [undone] = await undoTakeOver(record, ports(), answering(false));
      assert.deepEqual([undone?.ours, undone?.originals[0]?.outcome], ['kept', 'changedSince'], time);
      assert.match(await readFile(userConfigFile(home), 'utf8'), /hub-server/);
      assert.equal(secrets.get('user:hub.HUB_TOKEN'), canary);
      assert.equal((await readdir(join(home, 'agents', 'backups'))).length, 1);
    }
    const [left] = await new TakeOverLog(home).records();
    await write(cursorFile(), taken);
    const [undone] = await undoTakeOver(left!, ports(), { removeChanged: () => assert.fail('nothing changed') });
    assert.deepEqual([undone?.ours, undone?.originals[0]?.outcome], ['removed', 'undone']);
    assert.equal(await readFile(cursorFile(), 'utf8'), cursorText);
    assert.deepEqual(asked, ['hub originalChanged', 'hub originalChanged']);
    assert.deepEqual(await new TakeOverLog(home).records(), []);

    const again = await takeOver(await plan(named(await found.look(), 'hub')), ports(), signal);
    await write(cursorFile(), taken.replace('"mcpServers": {', '"mcpServers": { "hub": { "command": "other" },'));
    assert.equal((await undoTakeOver(again, ports(), answering(true)))[0]?.ours, 'removed');
    assert.deepEqual(JSON.parse(await readFile(userConfigFile(home), 'utf8')), { version: 3, mcpServers: {} });
    // Nothing of the original is lost all the same.
    const [edit] = await new EditLedger({ home }).records();
    assert.equal(edit?.before?.text.includes(canary), true);
  });

  it('are switched on again where somebody changed something else of them meanwhile [GATE-9b]', async () => {
    await writeBoth();
    const record = await takeOver(await plan(named(await found.look(), 'docs')), ports(), signal);
    const change = (text: string): string => text.replace('"docs-server"', '"docs-server-2"');
    await write(codexFile(), change(await readFile(codexFile(), 'utf8')));
    const [undone] = await undoTakeOver(record, ports(), { removeChanged: () => assert.fail('it is back') });
    assert.equal(undone?.ours, 'removed');
    assert.equal(await readFile(codexFile(), 'utf8'), change(codexText));
  });

  it('come back with their file where that is gone meanwhile, for the person alone [GATE-9b]', async () => {
    await writeBoth();
    const record = await takeOver(await plan(named(await found.look(), 'hub')), ports(), signal);
    await rm(dirname(cursorFile()), { recursive: true });
    const [undone] = await undoTakeOver(record, ports(), { removeChanged: () => assert.fail('it is back') });
    assert.deepEqual([undone?.ours, undone?.originals[0]?.outcome], ['removed', 'undone']);
    assert.match(await readFile(cursorFile(), 'utf8'), new RegExp(`"HUB_TOKEN": "${canary}"`));
    assert.equal((await stat(cursorFile())).mode & 0o777, 0o600);
  });

  it('of one name that were taken over twice are both given back, and neither is lost [GATE-9b]', async () => {
    const text = (key: string): string =>
      `{ "mcpServers": { "hub": { "command": "${key}", "env": { "K": "${key}" } } } }`;
    const takeAway = async (key: string): Promise<TakeOverRecord> => {
      await write(cursorFile(), text(key));
      return takeOver(await plan(named(await found.look(), 'hub')), ports(), signal);
    };
    const first = await takeAway('first-key');
    const second = await takeAway('second-key');
    assert.equal((await readdir(join(home, 'agents', 'backups'))).length, 2);
    await undoTakeOver(second, ports(), { removeChanged: () => assert.fail('it is back') });
    assert.equal(await readFile(cursorFile(), 'utf8'), text('second-key'));
    // The place of the first one is taken by now.
    const keep = { removeChanged: () => Promise.resolve(false) };
    assert.equal((await undoTakeOver(first, ports(), keep))[0]?.ours, 'kept');
    assert.equal(await readFile(cursorFile(), 'utf8'), text('second-key'));
    await write(cursorFile(), '{ "mcpServers": {} }');
    assert.equal((await undoTakeOver(first, ports(), keep))[0]?.ours, 'removed');
    assert.match(await readFile(cursorFile(), 'utf8'), /"first-key"/);
    assert.deepEqual(await new EditLedger({ home }).records(), []);
  });

  it('can be given back after a crash between the two files', async () => {
    await writeBoth();
    const planned = await plan(named(await found.look(), 'files'));
    let edits = 0;
    const ledger = new EditLedger({ home });
    const dies: Pick<EditLedger, 'apply' | 'records' | 'undo'> = {
      apply: async (edit, options) => {
        edits += 1;
        if (edits === 2) throw new Error('the window is gone');
        return ledger.apply(edit, options);
      },
      records: () => Promise.reject(new Error('the window is gone')),
      undo: () => Promise.reject(new Error('the window is gone')),
    };
    await assert.rejects(takeOver(planned, ports({ ledger: dies }), signal), /gone/);
    assert.notEqual(await readFile(cursorFile(), 'utf8'), cursorText);
    const [left] = await new TakeOverLog(home).records();
    assert.ok(left !== undefined);
    await undoTakeOver(left, ports(), { removeChanged: () => Promise.resolve(false) });
    assert.equal(await readFile(cursorFile(), 'utf8'), cursorText);
    assert.equal(await readFile(codexFile(), 'utf8'), codexText);
    assert.deepEqual(JSON.parse(await readFile(userConfigFile(home), 'utf8')), { version: 3, mcpServers: {} });
  });

  it('are gone from the rows with their file', async () => {
    await writeBoth();
    await found.look();
    await Promise.all([unlink(cursorFile()), unlink(codexFile())]);
    assert.deepEqual((await found.look()).servers, []);
  });
});
