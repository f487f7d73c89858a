import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FoundServer } from '../../../../src/core/found/foundView.ts';
import type { TakeOverPreview } from '../../../../src/core/found/previewTakeOver.ts';
import { ShownPreview } from '../../../../src/vscode/found/shownPreview.ts';
import { demoFound } from '../../../support/foundView.ts';

interface Turn {
  readonly chosen: readonly FoundServer[];
  readonly isLast: () => boolean;
  readonly done: (preview: TakeOverPreview) => void;
  readonly failed: (error: Error) => void;
}

const [one, two] = demoFound.servers as [FoundServer, FoundServer];
const previewOf = (): TakeOverPreview => ({ planned: [], files: [], basis: new Map() });

function watched(): { readonly shown: ShownPreview; readonly turns: readonly Turn[] } {
  const turns: Turn[] = [];
  const shown = new ShownPreview(
    (chosen, isLast) =>
      new Promise((done, failed) => {
        turns.push({ chosen, isLast, done, failed });
      }),
  );
  return { shown, turns };
}

describe('ShownPreview', () => {
  it('answers the very preview that was shown, and makes none after the yes', async () => {
    const { shown, turns } = watched();
    const preview = previewOf();
    void shown.update([one]);
    turns[0]?.done(preview);
    assert.equal(await shown.accepted([one]), preview);
    assert.equal(turns.length, 1);
  });

  it('waits for the one of the last choice, whichever is made first', async () => {
    const { shown, turns } = watched();
    const [before, last] = [previewOf(), previewOf()];
    void shown.update([one]);
    void shown.update([one, two]);
    const accepted = shown.accepted([one, two]);
    turns[0]?.done(before);
    assert.deepEqual(
      turns.map(({ isLast }) => isLast()),
      [false, true],
    );
    turns[1]?.done(last);
    assert.equal(await accepted, last);
  });

  it('refuses where it could not be shown, though the one before was', async () => {
    const { shown, turns } = watched();
    void shown.update([one]);
    turns[0]?.done(previewOf());
    const update = shown.update([two]);
    turns[1]?.failed(new Error('no such file'));
    await assert.rejects(update, /no such file/);
    await assert.rejects(shown.accepted([two]), /no such file/);
  });

  it('shows a choice first that was accepted before anybody said that it changed', async () => {
    const { shown, turns } = watched();
    void shown.update([one, two]);
    turns[0]?.done(previewOf());
    const accepted = shown.accepted([two]);
    const [, later] = turns;
    assert.deepEqual(later?.chosen, [two]);
    const preview = previewOf();
    later.done(preview);
    assert.equal(await accepted, preview);
  });
});
