import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ConfigScope } from '../../src/contract/serverConfig.ts';
import { projectConfigFile, userConfigFile } from '../../src/core/config/configPaths.ts';
import { ConfigStore } from '../../src/core/config/configStore.ts';
import type { ConfigFile } from '../../src/core/config/model.ts';
import { resolveRoles } from '../../src/core/config/resolveRoles.ts';
import { limits } from '../../src/core/limits.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/configs');
const posix = process.platform !== 'win32';

describe('a configuration file', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let stores: ConfigStore[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) store.dispose();
    await folder.remove();
  });

  function open(file: string, scope: ConfigScope = { kind: 'user' }): ConfigStore {
    const store = new ConfigStore({ file, scope, clock: systemClock({ unref: true }) });
    stores.push(store);
    return store;
  }
  const home = (): string => join(folder.path, 'home');
  const userFile = (): string => userConfigFile(home());
  const text = (file = userFile()): Promise<string> => readFile(file, 'utf8');
  async function put(content: string | Uint8Array, file = userFile()): Promise<void> {
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, content);
  }
  async function project(name: string, content: string): Promise<ConfigScope & { kind: 'project' }> {
    const scope = { kind: 'project', folder: join(folder.path, name), name } as const;
    await put(content, projectConfigFile(scope.folder));
    return scope;
  }
  const ids = (config: ConfigFile): string[] => config.servers.map((server) => server.id);

  describe('that does not exist', () => {
    it('is an empty configuration, and reading makes nothing', async () => {
      const config = await open(userFile()).reload();
      assert.deepEqual([config.exists, config.servers, config.problem], [false, [], undefined]);
      assert.deepEqual(await readdir(folder.path), []);
    });

    it('is made well-formed, 0600 in a 0700 folder, and no draft is left [CFG-1a, CFG-7a, CFG-7b]', async () => {
      const config = await open(userFile()).upsert('a', { command: 'node' });
      assert.deepEqual([config.exists, config.version, ids(config)], [true, 3, ['a']]);
      assert.equal(
        await text(),
        '{\n  "version": 3,\n  "mcpServers": {\n    "a": {\n      "command": "node",\n      "protocol": "legacy"\n    }\n  }\n}\n',
      );
      assert.deepEqual(await readdir(home()), ['mcp.json']);
      if (!posix) return;
      assert.equal((await stat(userFile())).mode & 0o777, 0o600);
      assert.equal((await stat(home())).mode & 0o777, 0o700);
    });

    it('is made with ordinary rights in a project', async function () {
      if (!posix) return this.skip();
      const scope = { kind: 'project', folder: folder.path, name: 'p' } as const;
      const file = projectConfigFile(folder.path);
      await open(file, scope).upsert('a', { command: 'node' });
      // What any program would make here.
      await writeFile(join(folder.path, 'ordinary'), '');
      const ordinary = (await stat(join(folder.path, 'ordinary'))).mode & 0o777;
      assert.equal((await stat(file)).mode & 0o777, ordinary);
      await chmod(file, 0o640);
      await open(file, scope).upsert('b', { command: 'node' });
      assert.equal((await stat(file)).mode & 0o777, 0o640);
    });
  });

  it('gets its rights back when it is written, and is replaced instead of rewritten [CFG-7a, CFG-7b]', async function () {
    if (!posix) return this.skip();
    await put('{"version":3,"mcpServers":{}}');
    await chmod(home(), 0o755);
    await chmod(userFile(), 0o644);
    const before = await stat(userFile());
    await open(userFile()).upsert('a', { command: 'node' });
    const after = await stat(userFile());
    assert.notEqual(after.ino, before.ino);
    assert.deepEqual([after.mode & 0o777, (await stat(home())).mode & 0o777], [0o600, 0o700]);
  });

  for (const version of ['none', '1', '2'] as const) {
    it(`of version ${version} is read without being rewritten, and a change writes version 3 with every meaning unchanged [CFG-2a, CFG-3a, CFG-3b, CFG-3c]`, async () => {
      await mkdir(home());
      await copyFile(join(fixtures, 'good', `version-${version}.json`), userFile());
      const original = await text();
      const store = open(userFile());
      const before = await store.reload();
      assert.equal(before.version, version === 'none' ? undefined : Number(version));
      assert.equal(await text(), original);
      await store.remove('not there');
      assert.equal(await text(), original, 'no change, no write');

      const after = await store.upsert('new', { command: 'node' });
      assert.equal(after.version, 3);
      assert.match(await text(), /"version": ?3/);
      const meanings = (config: ConfigFile) => config.servers.map((server) => [server.id, server.definition]);
      assert.deepEqual(meanings(after).slice(0, -1), meanings(before));
      assert.deepEqual(
        after.servers.map((server) => server.definition.protocol),
        ['legacy', 'legacy', 'legacy'],
      );
    });
  }

  it('says the protocol of what our own entries write [CFG-2b]', async () => {
    const store = open(userFile());
    await store.upsert('stdio', { command: 'node' });
    await store.upsert('remote', { url: 'https://example.com/mcp' });
    await store.upsert('sse', { url: 'https://example.com/sse', transport: 'sse' });
    const written = JSON.parse(await text()) as { mcpServers: Record<string, JsonObject> };
    assert.deepEqual(
      Object.entries(written.mcpServers).map(([id, entry]) => [id, entry['protocol']]),
      [
        ['stdio', 'legacy'],
        ['remote', 'auto'],
        ['sse', 'legacy'],
      ],
    );
  });

  it('keeps comments, order, indentation, line ends, byte order mark and unknown keys through changes [CFG-8a, CFG-8b]', async () => {
    for (const name of ['everything.json', 'everything-bom-crlf.json']) {
      await put(await readFile(join(fixtures, 'good', name)));
      const original = await text();
      const store = open(userFile());
      await store.setEnabled('files', true);
      assert.equal(await text(), original.replace('"enabled": false', '"enabled": true'));
      await store.setEnabled('files', false);
      await store.transform(() => [{ path: ['mcpServers', 'browser', 'toolPolicies', 'click'], value: 'ask' }]);
      await store.upsert('added', { command: 'x' });
      await store.remove('local');
      const lines = original.split(/\r?\n/);
      const changed = new Set((await text()).split(/\r?\n/));
      // One line is gone: that of the removed server; its comment stays. The lines of the edited entry gained a comma.
      const lost = lines.filter((line) => !changed.has(line));
      assert.deepEqual(lost, [
        '            "x-note": "kept by hand"',
        '        "local": { "url": "http://127.0.0.1:8080/sse", "transport": "sse" }, /* end of list */',
      ]);
      assert.ok((await text()).includes('/* end of list */'));
      assert.equal((await text()).startsWith('\uFEFF'), name.includes('bom'));
      assert.equal(/[^\r]\n/.test(await text()), !name.includes('crlf'), 'one kind of line ends');
    }
  });

  describe('that is broken', () => {
    const good = '{ "version": 3, "mcpServers": { "a": { "command": "node" } } }';

    it('keeps its last good reading and shows line and column; mended, it counts again [CFG-4c, CFG-4e, CFG-4f]', async () => {
      await put(good);
      const store = open(userFile());
      const seen: ConfigFile[] = [];
      store.onDidChange((config) => seen.push(config));
      const first = await store.reload();
      await put('{\n  "version": 3,\n  "mcpServers": { "b" }\n}');
      const broken = await store.reload();
      assert.deepEqual(broken.servers, first.servers);
      assert.equal(broken.problem?.code, 'configSyntax');
      assert.deepEqual(broken.problem.position, { line: 3, column: 23 });
      await store.reload();
      await put(good.replace('"a"', '"c"'));
      const mended = await store.reload();
      assert.deepEqual([ids(mended), mended.problem], [['c'], undefined]);
      assert.deepEqual(
        seen.map((config) => [ids(config), config.problem?.code]),
        [
          [['a'], undefined],
          [['a'], 'configSyntax'],
          [['c'], undefined],
        ],
        'each state is announced once',
      );
    });

    for (const name of [
      ...['truncated', 'empty', 'version-future', 'version-text', 'not-utf8', 'utf-16', 'policy-word', 'id-proto'],
      ...['command-empty', 'id-twice', 'servers-of-another-client', 'persistent-remote', 'protocol-in-version-1'],
      ...['protocol-of-command-in-version-2'],
    ]) {
      it(`like ${name}.json is refused with its bytes unchanged, by reading and by every writer [CFG-1i, CFG-3d, CFG-3e, CFG-4a, CFG-4b, CFG-4c, CFG-4d, CFG-5a, CFG-5b]`, async () => {
        const bytes = await readFile(join(fixtures, 'broken', `${name}.json`));
        const expected = JSON.parse(
          await readFile(join(fixtures, 'broken', `${name}.problem.json`), 'utf8'),
        ) as JsonObject;
        await put(good);
        const store = open(userFile());
        await store.reload();
        await put(bytes);
        const config = await store.reload();
        assert.equal(config.problem?.code, expected['code']);
        assert.deepEqual(ids(config), ['a'], 'the last good reading stays');
        for (const field of ['server', 'field']) {
          if (expected[field] !== undefined) assert.equal(config.problem?.data[field], expected[field]);
        }
        for (const write of [
          () => store.upsert('b', { command: 'x' }),
          () => store.remove('a'),
          () => store.setEnabled('a', false),
          () => store.transform(() => [{ path: ['mcpServers'], value: {} }]),
        ]) {
          await assert.rejects(write(), { name: 'ManagerError', code: expected['code'] });
        }
        assert.deepEqual(await readFile(userFile()), bytes);
        const fresh = await open(userFile()).reload();
        assert.deepEqual(
          [fresh.exists, fresh.problem?.code],
          [true, expected['code']],
          'without a good reading: no servers, but the problem',
        );
      });
    }

    it('leaves the servers of the other files alone [CFG-5c]', async () => {
      const scope = await project('one', good);
      await put(good);
      const [own, shared] = [open(userFile()), open(projectConfigFile(scope.folder), scope)];
      await Promise.all([own.reload(), shared.reload()]);
      await put('{', projectConfigFile(scope.folder));
      await Promise.all([own.reload(), shared.reload()]);
      assert.deepEqual([own.get().problem, ids(own.get())], [undefined, ['a']]);
      await own.upsert('b', { command: 'x' });
      assert.deepEqual(ids(own.get()), ['a', 'b']);
    });

    it('is refused where it is no ordinary file, without waiting for it [CFG-4b]', async function () {
      await mkdir(userFile(), { recursive: true });
      const store = open(userFile());
      assert.equal((await store.reload()).problem?.code, 'configUnreadable');
      await assert.rejects(store.upsert('a', { command: 'x' }), { code: 'configUnreadable' });
      if (!posix) return;
      await rm(userFile(), { recursive: true });
      execFileSync('mkfifo', [userFile()]);
      assert.equal((await store.reload()).problem?.data['detail'], 'it is no file');
      await rm(userFile());
      await symlink(join(home(), 'gone'), userFile());
      assert.equal((await store.reload()).problem?.data['detail'], 'it is a link that leads nowhere');
      await rm(home(), { recursive: true });
      await writeFile(home(), '');
      assert.equal((await store.reload()).problem?.code, 'configUnreadable');
    });

    it('is refused where it is larger than the limit', async () => {
      await put(good);
      await truncate(userFile(), limits.config.fileBytes + 1);
      assert.equal((await open(userFile()).reload()).problem?.data['detail'], 'it is larger than 4 MiB');
    });
  });

  describe('at its boundary', () => {
    const refused: readonly (readonly [string, string, JsonObject, string])[] = [
      ['CFG-6a', 'x'.repeat(33), { command: 'x' }, 'the entry'],
      ['CFG-6a', 'a.b', { command: 'x' }, 'the entry'],
      ['CFG-6b', 'a__b', { command: 'x' }, 'the entry'],
      ['CFG-6c', '__proto__', { command: 'x' }, 'the entry'],
      ['CFG-6c', 'constructor', { command: 'x' }, 'the entry'],
      ['CFG-6c', 'prototype', { command: 'x' }, 'the entry'],
      ['CFG-6d', 'a', { command: '' }, 'command'],
      ['CFG-6d', 'a', { command: ' ' }, 'command'],
      ['CFG-6e', 'a', { url: 'http://example.com/' }, 'url'],
      ['CFG-6e', 'a', { url: 'file:///etc/passwd' }, 'url'],
      ['CFG-6f', 'a', { url: 'https://me:pw@example.com/' }, 'url'],
      ['CFG-6g', 'a', { url: 'https://example.com/', headers: { 'a b': '' } }, 'headers.a b'],
      ['CFG-6g', 'a', { url: 'https://example.com/', headers: { a: 'x\r\ny: z' } }, 'headers.a'],
      ['CFG-6h', 'a', { command: 'x', env: { 'A=B': '' } }, 'env.A=B'],
      ['CFG-6h', 'a', { command: 'x', env: { A: '\0' } }, 'env.A'],
      ['CFG-1g', 'a', { command: 'x', toolPolicies: { t: 'maybe' } }, 'toolPolicies.t'],
      ['CFG-1i', 'a', { url: 'https://example.com/', persistent: true }, 'persistent'],
    ];
    describe('refuses from every caller, and writes nothing of [CFG-1g, CFG-1i, CFG-6a, CFG-6b, CFG-6c, CFG-6d, CFG-6e, CFG-6f, CFG-6g, CFG-6h, CFG-6i]', () => {
      for (const [clause, id, entry, field] of refused) {
        it(`${id} ${JSON.stringify(entry)} (${clause})`, async () => {
          const scope = await project('p', '{"version":3,"mcpServers":{}}');
          for (const [file, where] of [
            [userFile(), { kind: 'user' }],
            [projectConfigFile(scope.folder), scope],
          ] as const) {
            const store = open(file, where);
            await store.upsert('kept', { command: 'x' });
            const before = await text(file);
            for (const write of [
              () => store.upsert(id, entry),
              () => store.transform(() => [{ path: ['mcpServers', id], value: entry }]),
              () =>
                store.transform(() => [{ path: ['mcpServers'], value: { ['kept']: { command: 'x' }, [id]: entry } }]),
              // By its parts: no edit is legal by itself only.
              () =>
                store.transform(() => [
                  { path: ['mcpServers', id], value: {} },
                  ...Object.entries(entry).map(([key, value]) => ({ path: ['mcpServers', id, key], value })),
                ]),
            ]) {
              await assert.rejects(write(), (error: { code?: string; data?: JsonObject }) => {
                assert.deepEqual(
                  [error.code, error.data?.['server'], error.data?.['field']],
                  ['configInvalid', id, field],
                );
                return true;
              });
            }
            assert.equal(await text(file), before);
            assert.deepEqual([ids(store.get()), store.get().problem], [['kept'], undefined]);
          }
        });
      }
    });

    it('takes http on loopback, the longest id, and any legal entry [CFG-6a, CFG-6e]', async () => {
      const store = open(userFile());
      await store.upsert('x'.repeat(32), { url: 'http://127.0.0.1:3000/mcp' });
      await store.upsert('local', { url: 'http://[::1]/', headers: { 'X-A': 'ü' }, protocol: 'legacy' });
      assert.equal(store.get().servers.length, 2);
    });

    it('refuses a change that would make the file too large or take its servers away', async () => {
      const store = open(userFile());
      await store.upsert('a', { command: 'x' });
      await assert.rejects(
        store.transform(() => [{ path: ['mcpServers'], value: undefined }]),
        { code: 'configStructure' },
      );
      const description = 'x'.repeat(limits.config.fileBytes);
      await assert.rejects(store.upsert('b', { command: 'x', description }), { code: 'configWriteFailed' });
      await assert.rejects(store.setEnabled('none', true), { code: 'unknownServer' });
      assert.deepEqual(ids(await store.reload()), ['a']);
    });
  });

  describe('of a project', () => {
    const good = '{ "mcpServers": { "a": { "command": "node" } } }';

    it('is refused where a link leads out of the folder, and not written through it [TRUST-9a]', async function () {
      if (!posix) return this.skip();
      const scope = { kind: 'project', folder: join(folder.path, 'p'), name: 'p' } as const;
      const file = projectConfigFile(scope.folder);
      const outside = join(folder.path, 'outside');
      await put(good, join(outside, 'mcp.json'));
      await mkdir(join(scope.folder, '.roundhouse'), { recursive: true });
      const store = open(file, scope);

      await symlink(join(outside, 'mcp.json'), file);
      const byFile = await store.reload();
      assert.deepEqual([byFile.problem?.code, byFile.servers], ['configSymlinkOutside', []]);
      await assert.rejects(store.upsert('b', { command: 'x' }), { code: 'configSymlinkOutside' });

      await rm(join(scope.folder, '.roundhouse'), { recursive: true });
      await symlink(outside, join(scope.folder, '.roundhouse'));
      assert.equal((await store.reload()).problem?.code, 'configSymlinkOutside');
      await rm(join(outside, 'mcp.json'));
      assert.equal(
        (await store.reload()).problem?.code,
        'configSymlinkOutside',
        'where a file would be made counts too',
      );
      await assert.rejects(store.upsert('b', { command: 'x' }), { code: 'configSymlinkOutside' });
      assert.deepEqual(await readdir(outside), []);
    });

    it('may be a link inside the folder, and the folder may be reached by a link; writing keeps both', async function () {
      if (!posix) return this.skip();
      const real = join(folder.path, 'real');
      await put(good, join(real, 'config', 'servers.json'));
      await mkdir(join(real, '.roundhouse'));
      await symlink('../config/servers.json', projectConfigFile(real));
      await symlink(real, join(folder.path, 'link'));
      const scope = { kind: 'project', folder: join(folder.path, 'link'), name: 'l' } as const;
      const store = open(projectConfigFile(scope.folder), scope);
      await store.upsert('b', { command: 'x' });
      assert.deepEqual(ids(store.get()), ['a', 'b']);
      assert.match(await text(join(real, 'config', 'servers.json')), /"b"/);
      assert.ok((await stat(projectConfigFile(real))).isFile());
    });

    it('stands over the file of the user, and each folder has one of its own [CFG-9a, CFG-9b, CFG-9c, CFG-9e, CFG-9f, CFG-9g]', async () => {
      await put('{ "mcpServers": { "a": { "command": "mine" }, "only": { "command": "x" } } }');
      const one = await project('one', '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "x" } } }');
      const two = await project('two', '{ "mcpServers": { "a": { "command": "y" }, "b": { "command": "x" } } }');
      const all = [open(userFile()), ...[one, two].map((scope) => open(projectConfigFile(scope.folder), scope))];
      const files = await Promise.all(all.map((store) => store.reload()));
      const roles = (mayServe: boolean) => Object.fromEntries(resolveRoles({ files }, () => mayServe));
      const [first, second] = [`project:${one.folder}`, `project:${two.folder}`];
      assert.deepEqual(roles(true), {
        ...{ 'user:a': 'overridden', [`${first}:a`]: 'serving', [`${second}:a`]: 'conflict' },
        ...{ 'user:only': 'serving', [`${first}:b`]: 'serving', [`${second}:b`]: 'shared' },
      });
      assert.deepEqual([roles(false)['user:a'], roles(false)[`${first}:a`]], ['standIn', 'waiting']);
    });
  });

  it('has what dead writers left behind tidied up, and nothing else [CFG-7b]', async () => {
    await put('{ "mcpServers": {} }');
    const old = new Date(Date.now() - 2 * limits.config.leftOver);
    const gone = ['.mcp.json.12.0123456789abcdef.tmp', 'mcp.json.lock.0abc-x.tmp', 'mcp.json.lock.claim-0123'];
    const kept = ['.mcp.json.swp', 'mcp.json.bak', 'mcp.json.lock.0def-y.tmp', 'notes.tmp'];
    for (const name of [...gone, ...kept]) await writeFile(join(home(), name), '');
    for (const name of gone.slice(1)) await utimes(join(home(), name), old, old);
    await open(userFile()).upsert('a', { command: 'x' });
    assert.deepEqual((await readdir(home())).sort(), [...kept, 'mcp.json'].sort());
  });

  it('reports a folder that cannot be made', async () => {
    await writeFile(home(), 'a file where the folder should be');
    await assert.rejects(open(userFile()).upsert('a', { command: 'x' }), {
      code: 'configWriteFailed',
      data: { file: userFile(), detail: 'something on its path is no folder' },
    });
  });

  it('reads anew what another program put there before it writes [CFG-7e]', async () => {
    const store = open(userFile());
    await store.upsert('a', { command: 'x' });
    await writeFile(`${userFile()}.new`, '{ "version": 3, "mcpServers": { "theirs": { "command": "y" } } }');
    await rename(`${userFile()}.new`, userFile());
    await store.upsert('b', { command: 'x' });
    assert.deepEqual(ids(store.get()), ['theirs', 'b']);
  });
});
