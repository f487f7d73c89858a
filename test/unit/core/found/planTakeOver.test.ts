import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseEntry } from '../../../../src/contract/configFile.ts';
import { currentConfigVersion } from '../../../../src/contract/configMigrations.ts';
import type { JsonObject } from '../../../../src/contract/json.ts';
import type { InputDefinition, ServerId } from '../../../../src/contract/serverConfig.ts';
import type { ClientFile } from '../../../../src/core/agents/clients.ts';
import { configFingerprint } from '../../../../src/core/config/configFingerprint.ts';
import type { ConfigFile, ConfiguredServer } from '../../../../src/core/config/model.ts';
import { serverKey } from '../../../../src/core/config/serverKey.ts';
import { planTakeOver, type PlannedServer, planWithout } from '../../../../src/core/found/planTakeOver.ts';
import { fileOf, foundIn, projectFileOf, readingOf } from '../../../support/foundView.ts';

const user = { kind: 'user' } as const;
const file = '/home/ada/.mcp-roundhouse/mcp.json';
const key: InputDefinition = { id: 'key', type: 'promptString', description: 'Key of the hub', password: true };

function own(id: string, raw: JsonObject): ConfiguredServer {
  const parsed = parseEntry(raw, currentConfigVersion);
  assert.ok(parsed.ok);
  const { definition } = parsed;
  const fingerprint = configFingerprint(definition, []);
  return { key: serverKey(user, id as ServerId), id: id as ServerId, scope: user, definition, fingerprint, file };
}

interface Here {
  readonly servers?: readonly ConfiguredServer[];
  readonly inputs?: readonly InputDefinition[];
  /** Values by kind and name. */
  readonly kept?: Readonly<Record<string, string>>;
}

async function planned(
  places: readonly (readonly [ClientFile, Readonly<Record<string, JsonObject>>, string?])[],
  { servers = [], inputs = [], kept = {} }: Here = {},
): Promise<readonly PlannedServer[]> {
  const current: ConfigFile = { file, scope: user, exists: true, version: currentConfigVersion, servers, inputs };
  const view = foundIn(places.map(([place, entries, text = '']) => readingOf(place, entries, text)));
  return planTakeOver(view.servers, {
    targets: [{ file, scope: user }],
    current: () => current,
    isFree: (kind, name, _, value) => Promise.resolve([undefined, value].includes(kept[`${kind}:${name}`])),
  });
}

const envOf = ({ entry }: PlannedServer): unknown => entry['env'];
const gitHub = { command: 'hub', env: { T: '${{ secrets.github.GITHUB_TOKEN }}' } };
const asking = (command: string): JsonObject => ({ type: 'stdio', command, env: { K: '${input:key}' } });
const inputsText = (...inputs: readonly InputDefinition[]): string => JSON.stringify({ inputs });

describe('planTakeOver', () => {
  it('gives a secret another name where a value is kept under it, or a server of ours names it [GATE-9b]', async () => {
    const found = [fileOf('continue'), { hub: gitHub }] as const;
    const [free] = await planned([found]);
    assert.deepEqual(envOf(free!), { T: '${secret:github.GITHUB_TOKEN}' });
    const [kept] = await planned([found], { kept: { 'secret:github.GITHUB_TOKEN': 'mine' } });
    assert.deepEqual(envOf(kept!), { T: '${secret:github.GITHUB_TOKEN-2}' });
    assert.deepEqual(kept!.secrets, []);
    const mine = own('mine', { command: 'm', env: { T: '${secret:github.GITHUB_TOKEN}' } });
    const [named] = await planned([found], { servers: [mine] });
    assert.deepEqual(envOf(named!), { T: '${secret:github.GITHUB_TOKEN-2}' });
  });

  it('shares a secret between entries of one file, and never between two', async () => {
    const other = { command: 'other', env: { T: '${{ secrets.github.GITHUB_TOKEN }}' } };
    const project = {
      command: 'theirs',
      env: { T: '${{ secrets.github.GITHUB_TOKEN }}', L: '${secret:github.GITHUB_TOKEN}' },
    };
    const elsewhere = { ...fileOf('continue'), path: '/home/ada/.continue/more.yaml' };
    const plan = await planned([
      [fileOf('continue'), { hub: gitHub, other }],
      [elsewhere, { theirs: project }],
    ]);
    assert.deepEqual(plan.map(envOf), [
      { T: '${secret:github.GITHUB_TOKEN}' },
      { T: '${secret:github.GITHUB_TOKEN}' },
      { T: '${secret:github.GITHUB_TOKEN-2}', L: '$${secret:github.GITHUB_TOKEN}' },
    ]);
  });

  it('puts no value under a name that another found entry asks for', async () => {
    const claims = { command: 'claims', env: { T: '${{ secrets.hub.API_TOKEN }}' } };
    const hub = { command: 'hub', env: { API_TOKEN: 'k9-geheim-0815' } };
    for (const entries of [
      { claims, hub },
      { hub, claims },
    ]) {
      const plan = await planned([[fileOf('continue'), entries]]);
      const names = plan.map((server) => Object.values(envOf(server) as object)[0] as string);
      assert.equal(new Set(names).size, 2, names.join(' '));
      assert.equal(plan.flatMap(({ secrets }) => secrets)[0]?.value, 'k9-geheim-0815');
    }
  });

  it('gives a project’s input another id though it is defined as ours is, and the person’s the same one', async () => {
    const mine = { inputs: [key], servers: [] };
    const text = inputsText(key);
    const [theirs] = await planned([[projectFileOf('vscode', '/work/demo'), { a: asking('a') }, text]], mine);
    assert.deepEqual([envOf(theirs!), theirs!.inputs], [{ K: '${input:key-2}' }, [{ ...key, id: 'key-2' }]]);
    const [persons] = await planned([[fileOf('vscode'), { a: asking('a') }, text]], mine);
    assert.deepEqual([envOf(persons!), persons!.inputs], [{ K: '${input:key}' }, []]);
    const [kept] = await planned([[fileOf('vscode'), { a: asking('a') }, text]], { kept: { 'input:key': 'mine' } });
    assert.deepEqual([envOf(kept!), kept!.inputs], [{ K: '${input:key-2}' }, [{ ...key, id: 'key-2' }]]);
  });

  it('changes two inputs at once, so that none gets the id of the other', async () => {
    const two: InputDefinition = { ...key, id: 'key-2' };
    const entry = { type: 'stdio', command: 'a', env: { K: '${input:key}', L: '${input:key-2}' } };
    const inputs = [{ id: 'key', type: 'promptString', description: 'Ours' } as const];
    const [plan] = await planned([[fileOf('vscode'), { a: entry }, inputsText(key, two)]], { inputs });
    assert.deepEqual(envOf(plan!), { K: '${input:key-2}', L: '${input:key-2-2}' });
    assert.deepEqual(
      plan!.inputs.map(({ id }) => id),
      ['key-2', 'key-2-2'],
    );
  });

  it('brings an input along with what is left of the plan, once', async () => {
    const entries = { a: asking('a'), b: asking('b'), c: asking('c') };
    const plan = await planned([[fileOf('vscode'), entries, inputsText(key)]]);
    const idsOf = (servers: readonly PlannedServer[]): unknown =>
      servers.map(({ id, inputs }) => [id, inputs.map((input) => input.id)]);
    assert.deepEqual(idsOf(plan), [
      ['a', ['key']],
      ['b', []],
      ['c', []],
    ]);
    assert.deepEqual(idsOf(planWithout(plan, ({ id }) => id === 'a')), [
      ['b', ['key']],
      ['c', []],
    ]);
    assert.deepEqual(idsOf(planWithout(plan, ({ id }) => id === 'b')), [
      ['a', ['key']],
      ['c', []],
    ]);
  });
});
