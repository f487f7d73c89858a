import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OfferKind } from '../../../../src/core/discovery/snapshot.ts';
import { ManagerError } from '../../../../src/core/errors.ts';
import { namedItem } from '../../../../src/vscode/commands/namedItem.ts';
import { offeredItem, offeredTool } from '../../../support/managerView.ts';

describe('an item that a command names', () => {
  it('is found by the name of a tool or the address of a resource', () => {
    const items = [{ item: offeredTool('echo') }, { item: offeredItem('x://a', 'a') }];
    const where = { server: 'demo', offers: ['tools', 'resources'] } as const;
    assert.equal(namedItem(items, 'x://a', where), items[1]);
    assert.equal(namedItem(items, 'echo', where), items[0]);
  });

  it('that the server does not have is an error that says what is missing', () => {
    const codes: readonly (readonly [readonly OfferKind[], string])[] = [
      [['tools'], 'unknownTool'],
      [['prompts'], 'unknownPrompt'],
      [['resources', 'resourceTemplates'], 'unknownResource'],
    ];
    for (const [offers, code] of codes) {
      const find = () => namedItem([], 'gone', { server: 'demo', offers });
      assert.throws(find, (error) => error instanceof ManagerError && error.code === code);
    }
  });
});
