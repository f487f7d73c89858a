import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FoundServer } from '../../../../src/core/found/foundView.ts';
import type { TakeOverPreview } from '../../../../src/core/found/previewTakeOver.ts';
import type { TakeOverComparison } from '../../../../src/vscode/found/takeOverComparison.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { stubEditor } from '../../../support/editorStub.ts';
import { FakePick } from '../../../support/fakePick.ts';
import { demoFound } from '../../../support/foundView.ts';
import { settled } from '../../../support/settled.ts';

const { chooseFound } = await import('../../../../src/vscode/found/chooseFound.ts');

const servers = demoFound.servers.slice(0, 3);
const preview: TakeOverPreview = { planned: [], files: [], basis: new Map() };

let pick: FakePick;
/** The choices that were shown, and those that were accepted; by names. */
let shown: string[];
let accepted: string[];

describe('the choice of found servers', () => {
  beforeEach(() => {
    pick = new FakePick();
    [shown, accepted] = [[], []];
    stubEditor({ l10n: { t: english }, window: { createQuickPick: () => pick } });
  });

  const names = (chosen: readonly FoundServer[]): string => chosen.map(({ name }) => name).join(' ');
  const comparison = {
    prepare: (all: readonly FoundServer[]) => Promise.resolve(void shown.push(`files of ${names(all)}`)),
    update: (chosen: readonly FoundServer[]) => Promise.resolve(void shown.push(names(chosen))),
    accepted: (chosen: readonly FoundServer[]) => {
      accepted.push(names(chosen));
      return Promise.resolve(preview);
    },
    close: () => Promise.resolve(),
  } as unknown as TakeOverComparison;

  it('opens the changes before the list, of every file that may change, and then shows those of the choice alone', async () => {
    void chooseFound(servers, servers.slice(0, 1), comparison);
    await settled();
    assert.deepEqual(shown, [`files of ${names(servers)}`, servers[0]?.name]);
    assert.deepEqual([pick.visible, pick.title], [true, `Take Over Servers (1): ${servers[0]?.name ?? ''}`]);
  });

  it('does nothing by OK while none is chosen, and says so', async () => {
    const answer = chooseFound(servers, [], comparison);
    await settled();
    assert.equal(pick.title, 'Take Over Servers: none is chosen');
    pick.type('no such server');
    pick.enter();
    pick.deliver();
    assert.deepEqual([pick.visible, accepted], [true, []]);
    pick.hide();
    assert.equal(await answer, undefined);
  });

  it('brings all that is chosen into sight before it takes OK for a yes', async () => {
    const answer = chooseFound(servers, [], comparison);
    await settled();
    pick.type('hub');
    pick.enter();
    pick.deliver();
    assert.deepEqual([accepted, pick.value], [[], '']);
    assert.equal(pick.title, 'Take Over Servers (1): hub – OK again to take over');
    pick.choose('hub');
    assert.equal(await answer, preview);
    assert.deepEqual(accepted, ['hub']);
  });
});
