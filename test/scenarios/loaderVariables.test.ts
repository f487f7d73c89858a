import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readConfigText } from '../../src/core/config/readConfigText.ts';
import { resolveLaunch } from '../../src/core/trust/resolveLaunch.ts';
import { AttackedPerson } from '../support/attackedWindow.ts';
import { eventually } from '../support/eventually.ts';
import { fixtureCommand, type FixtureLog, fixtureLog } from '../support/fixtureServer.ts';
import { loaderNames } from '../support/loaderNames.ts';

/** Names that a listed one stands for. */
const names = loaderNames.flatMap((name) => {
  if (!name.endsWith('*')) return [name];
  const stem = name.slice(0, -1);
  return name.startsWith('GIT_') ? [stem, `${stem}_COUNT`] : [`${stem}PRELOAD`, `${stem}x`];
});

describe('a project that sets what can change the code that is loaded', () => {
  let person: AttackedPerson;
  let log: FixtureLog;
  beforeEach(async () => {
    person = await AttackedPerson.make();
    log = fixtureLog();
  });
  afterEach(async () => {
    await person.leave();
    log.dispose();
  });

  it('is refused by the name of the variable, in env and envFile, whatever the person would say, and theirs serves [TRUST-5a, TRUST-5b, TRUST-5d]', async () => {
    const server = fixtureCommand('small-legacy', undefined, log);
    const entries: Record<string, object> = {};
    for (const [index, name] of names.entries()) {
      const quoted = index % 2 === 0 ? `export ${name}="./evil"` : `${name} = ./evil # why not`;
      await writeFile(join(person.work, `${index}.env`), `OTHER=1\n${quoted}\n`);
      entries[`env-${index}`] = { ...server, env: { OTHER: '1', [name]: './evil' }, autostart: true };
      entries[`file-${index}`] = { ...server, envFile: `${index}.env`, autostart: true };
    }
    await person.write(person.projectFile, entries);
    await person.write(person.userFile, { 'file-0': { ...server, args: [...server.args, '--mine'] } });
    person.answer = () => 'once';
    const window = await person.open();
    await window.manager.review();
    for (const [index, name] of names.entries()) {
      for (const [id, field] of [
        [`env-${index}`, `env.${name}`],
        [`file-${index}`, `envFile.${name}`],
      ] as const) {
        await assert.rejects(window.manager.start(window.key(id)), { code: 'blockedPolicy' }, name);
        const { state } = window.manager.view().servers.find(({ key }) => key === window.key(id))!;
        assert.ok(state.kind === 'blocked' && state.by === 'policy', `${name}: ${state.kind}`);
        assert.equal(state.problem.data['field'], field);
      }
    }
    await window.manager.start(window.key('file-0', 'user'));
    await window.until('user file-0: standIn ready');
    await eventually(() => log.events('start').length > 0);
    const started = log.events('start').map(({ argv }) => (argv as string[]).includes('--mine'));
    assert.deepEqual(started, [true]);
  });

  it('is refused in any case of the letters on Windows, and where npm reads them so [TRUST-5c]', async () => {
    const cases = (name: string): string[] => [
      name,
      name.toLowerCase(),
      name.toUpperCase(),
      name.replace(/[A-Z]/g, (letter, at: number) => (at % 2 === 0 ? letter : letter.toLowerCase())),
    ];
    const scope = { kind: 'project', folder: person.work, name: 'work' } as const;
    const refused = async (name: string, platform: NodeJS.Platform, where: 'env' | 'envFile'): Promise<boolean> => {
      await writeFile(join(person.work, 'x.env'), `${name}=./evil\n`);
      const entry = where === 'env' ? { env: { [name]: './evil' } } : { envFile: 'x.env' };
      const text = JSON.stringify({ version: 3, mcpServers: { demo: { command: process.execPath, ...entry } } });
      const reading = readConfigText(text, { file: person.projectFile, scope });
      assert.ok(reading.kind === 'config');
      const personalValues = { input: () => Promise.resolve(''), secret: () => Promise.resolve('') };
      const context = { home: person.home, env: process.env, personalValues, platform };
      const code = await resolveLaunch(reading.servers[0]!, context).then(
        () => 'none',
        (error: unknown) => (error as { code: string }).code,
      );
      assert.ok(['none', 'blockedPolicy'].includes(code), code);
      return code === 'blockedPolicy';
    };
    for (const name of names) {
      for (const spelled of cases(name)) {
        for (const where of ['env', 'envFile'] as const) {
          assert.ok(await refused(spelled, 'win32', where), `${spelled} in ${where} on Windows`);
          // Elsewhere another case is another variable, which no loader reads.
          const same = name.startsWith('npm_config_') || loaderNames.some((listed) => standsFor(listed, spelled));
          assert.equal(await refused(spelled, 'linux', where), same, `${spelled} in ${where} on Linux`);
        }
      }
    }
  });
});

function standsFor(listed: string, name: string): boolean {
  return listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : name === listed;
}
