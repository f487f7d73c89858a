import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ServerId } from '../../../../src/contract/serverConfig.ts';
import {
  editorRefusal,
  type EditorRefusal,
  type EditorSettings,
  editorSource,
  identityOfDefinition,
  type ServerIdentity,
  type SettingValues,
} from '../../../../src/core/policy/editorSettings.ts';
import { configuredServer } from '../../../support/configuredServer.ts';

const name = 'demo' as ServerId;
const local: ServerIdentity = { name, command: ['npx', '-y', '@scope/server'] };
const remote: ServerIdentity = { name, url: 'https://a.example/mcp' };

/** As the editor gives a setting that the person has set. */
const set = (value: unknown, managed?: unknown): SettingValues => ({
  effective: value,
  managed,
  others: [value],
});
/** As it gives one that the organisation has set, whatever the person has. */
const policy = (value: unknown, own?: unknown): SettingValues => ({
  effective: value,
  managed: value,
  others: own === undefined ? [] : [own],
});
const unset = (initial?: unknown): SettingValues => ({ effective: initial, managed: initial, others: [] });

type Case = readonly [what: string, server: ServerIdentity, settings: EditorSettings, why?: EditorRefusal['why']];
const access = 'chat.mcp.access';
const denied = 'chat.mcp.deniedServers';
const allowed = 'chat.mcp.allowedServers';
const only = 'chat.mcp.allowManagedServersOnly';

const tables: Readonly<Record<string, readonly Case[]>> = {
  [access]: [
    ['an editor without the setting', local, {}],
    ['all', local, { access: unset('all') }],
    ['none of the person', local, { access: set('none', 'all') }, 'off'],
    ['none of the organisation', remote, { access: policy('none') }, 'off'],
    [
      'none of the person that a workspace lifts',
      local,
      { access: { effective: 'all', managed: 'all', others: ['none', 'all'] } },
      'off',
    ],
    ['none of a workspace', local, { access: { effective: 'none', managed: 'all', others: ['none'] } }, 'off'],
    ['the registry alone', local, { access: policy('registry', 'all') }, 'registry'],
    ['a word that is none', local, { access: set('some', 'all') }, 'unclear'],
    ['null', local, { access: set(null, 'all') }, 'unclear'],
    ['a list', local, { access: set(['all'], 'all') }, 'unclear'],
  ],
  'chat.mcp.enabled': [
    ['true', local, { enabled: unset(true) }],
    ['false', local, { enabled: policy(false) }, 'off'],
    ['another value', local, { enabled: set('no', true) }, 'unclear'],
  ],
  [denied]: [
    ['nothing', local, { denied: unset(null) }],
    ['an empty list', local, { denied: set([]) }],
    ['its name', local, { denied: set([{ serverName: 'demo' }]) }, 'denied'],
    ['its name in other capitals', local, { denied: set([{ serverName: 'Demo' }]) }],
    ['its command', local, { denied: set([{ serverCommand: ['npx', '-y', '@scope/server'] }]) }, 'denied'],
    ['the beginning of its command', local, { denied: set([{ serverCommand: ['npx', '-y'] }]) }],
    ['its command with more', local, { denied: set([{ serverCommand: ['npx', '-y', '@scope/server', '/'] }]) }],
    ['its URL', remote, { denied: set([{ serverUrl: 'https://*.example/*' }]) }, 'denied'],
    ['another URL', remote, { denied: set([{ serverUrl: 'https://b.example/*' }]) }],
    ['a URL, for a command', local, { denied: set([{ serverUrl: 'https://*/*' }]) }],
    ['it, by the organisation alone', local, { denied: policy([{ serverName: 'demo' }], []) }, 'denied'],
    ['it, by the person, beside the organisation', local, { denied: policy([], [{ serverName: 'demo' }]) }, 'denied'],
    [
      'it, though it is allowed too',
      local,
      { denied: set([{ serverName: 'demo' }]), allowed: set([{ serverName: 'demo' }]) },
      'denied',
    ],
    ['text', local, { denied: set('demo') }, 'unclear'],
    ['an object', local, { denied: set({ serverName: 'other' }) }, 'unclear'],
    ['an entry that is text', local, { denied: set(['other']) }, 'unclear'],
    ['an entry without a matcher', local, { denied: set([{}]) }, 'unclear'],
    ['an entry with an empty name', local, { denied: set([{ serverName: '' }]) }, 'unclear'],
    [
      'an entry with two matchers',
      local,
      { denied: set([{ serverName: 'other', serverUrl: 'https://x/*' }]) },
      'unclear',
    ],
    [
      'an entry with a matcher that is not known',
      local,
      { denied: set([{ serverName: 'other', serverVersion: '1' }]) },
      'unclear',
    ],
    ['an entry whose command is text', local, { denied: set([{ serverCommand: 'npx' }]) }, 'unclear'],
    ['it, beside an entry that is not understood', local, { denied: set([{}, { serverName: 'demo' }]) }, 'denied'],
  ],
  [allowed]: [
    ['nothing', local, { allowed: unset(null) }],
    ['its name', local, { allowed: set([{ serverName: 'demo' }]) }],
    ['its command', local, { allowed: set([{ serverCommand: ['npx', '-y', '@scope/server'] }]) }],
    ['its URL', remote, { allowed: set([{ serverUrl: 'https://a.example/*' }]) }],
    ['an empty list', local, { allowed: set([]) }, 'notAllowed'],
    ['others', local, { allowed: set([{ serverName: 'other' }, { serverUrl: 'https://*/*' }]) }, 'notAllowed'],
    ['another command', local, { allowed: set([{ serverCommand: ['npx'] }]) }, 'notAllowed'],
    ['an entry that is not understood', local, { allowed: set([{ serverName: 'demo', x: 1 }]) }, 'notAllowed'],
    [
      'it by the person, and others by the organisation',
      local,
      { allowed: policy([{ serverName: 'other' }], [{ serverName: 'demo' }]) },
      'notAllowed',
    ],
    ['text', local, { allowed: set('demo') }, 'unclear'],
  ],
  [only]: [
    ['false', local, { managedOnly: unset(false) }],
    ['true, with nothing allowed', local, { managedOnly: policy(true) }, 'notAllowed'],
    [
      'true, with it allowed by the person',
      local,
      { managedOnly: policy(true), allowed: set([{ serverName: 'demo' }], null) },
      'notAllowed',
    ],
    [
      'true, with it allowed by the organisation',
      local,
      { managedOnly: policy(true), allowed: policy([{ serverName: 'demo' }]) },
    ],
    ['true by the person, over the organisation’s false', local, { managedOnly: policy(false, true) }, 'notAllowed'],
    ['a word', local, { managedOnly: set('yes', false) }, 'unclear'],
  ],
};

describe('editorRefusal', () => {
  for (const [setting, cases] of Object.entries(tables)) {
    describe(setting, () => {
      for (const [what, server, settings, why] of cases) {
        it(`${why === undefined ? 'lets a server run' : `refuses a server (${why})`}: ${what}`, () => {
          const refusal = editorRefusal(server, settings);
          assert.equal(refusal?.why, why);
          // Under "managed servers only" the list that decides is the organisation's.
          if (refusal !== undefined) assert.equal(refusal.setting, setting);
        });
      }
    });
  }

  it('judges by its name alone what still holds variables, and leaves the rest to where they have values', () => {
    const open = identityOfDefinition(name, configuredServer('demo', { url: 'https://${env:HOST}/mcp' }).definition);
    assert.deepEqual(open, { name, open: 'url' });
    assert.equal(editorRefusal(open, { denied: set([{ serverName: 'demo' }]) })?.why, 'denied');
    assert.equal(editorRefusal(open, { denied: set([{ serverUrl: 'https://*/*' }]) }), undefined);
    assert.equal(editorRefusal(open, { allowed: set([{ serverUrl: 'https://a.example/*' }]) }), undefined);
    assert.equal(editorRefusal(open, { allowed: set([{ serverCommand: ['x'] }]) })?.why, 'notAllowed');
    assert.equal(editorRefusal(open, { allowed: set([{ serverUrl: '' }]) })?.why, 'notAllowed');
    const command = identityOfDefinition(name, configuredServer('demo', { args: ['${workspaceFolder}'] }).definition);
    assert.deepEqual(command, { name, open: 'command' });
    assert.equal(editorRefusal(command, { allowed: set([{ serverCommand: ['x', '/w'] }]) }), undefined);
  });

  it('takes a doubled dollar sign for the letters that it stands for', () => {
    const { definition } = configuredServer('demo', { args: ['$${x}'] });
    assert.equal(identityOfDefinition(name, definition).command?.[1], '${x}');
  });
});

describe('editorSource', () => {
  const words = (value: unknown, ...tools: readonly string[]): unknown => {
    const source = editorSource(name, { unasked: set(value) });
    return source === undefined ? undefined : tools.map((tool) => source.wordOf(tool));
  };

  it('asks before calls of the tools that may not go out unasked, of this server only', () => {
    const value = { 'demo/drop': false, 'Demo/Wipe': false, 'demo/read': true, 'other/list': false, fetch: false };
    assert.deepEqual(words(value, 'drop', 'wipe', 'read', 'list', 'fetch'), [
      'ask',
      'ask',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('says nothing where nothing is set, and asks where it does not understand', () => {
    assert.equal(words({}), undefined);
    assert.equal(editorSource(name, {}), undefined);
    assert.deepEqual(words({ 'demo/drop': 'no' }, 'drop'), ['ask']);
    assert.deepEqual(words('demo/drop', 'anything'), ['ask']);
    assert.deepEqual(words(null, 'anything'), ['ask']);
  });

  it('takes no word back that another place says', () => {
    const unasked = { effective: { 'demo/drop': true }, managed: {}, others: [{ 'demo/drop': false }] };
    assert.equal(editorSource(name, { unasked })?.wordOf('drop'), 'ask');
  });
});

it('lets nothing run under a denial that can deny nothing', () => {
  for (const serverUrl of ['evil.example', '*', 'https//evil.example/*']) {
    for (const server of [local, remote]) {
      assert.deepEqual(editorRefusal(server, { denied: policy([{ serverUrl }]) }), { setting: denied, why: 'unclear' });
    }
    // Among those allowed it is nothing but useless.
    assert.equal(editorRefusal(local, { allowed: policy([{ serverUrl }, { serverName: 'demo' }]) }), undefined);
  }
});
