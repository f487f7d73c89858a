// What a person sees of a choice while they make it, and the only thing that may then be done (GATE-9): the preview of the
// last choice, once it is on the screen. One that could not be made, or shown, is nothing that anybody agreed to. Pure.
import type { FoundServer } from '../../core/found/foundView.ts';
import type { TakeOverPreview } from '../../core/found/previewTakeOver.ts';

/** Makes the preview and puts it on the screen, unless it is not the last one any more by then. */
export type ShowPreview = (chosen: readonly FoundServer[], isLast: () => boolean) => Promise<TakeOverPreview>;

export class ShownPreview {
  readonly #show: ShowPreview;
  #last: { readonly ids: string; readonly preview: Promise<TakeOverPreview> } | undefined;

  constructor(show: ShowPreview) {
    this.#show = show;
  }

  /** Fails where it cannot be made or shown. */
  update(chosen: readonly FoundServer[]): Promise<TakeOverPreview> {
    const preview = this.#show(chosen, () => this.#last?.preview === preview);
    this.#last = { ids: idsOf(chosen), preview };
    return preview;
  }

  /** The preview of exactly this choice, as it was shown; waits until it is. Throws what kept it from being shown. */
  accepted(chosen: readonly FoundServer[]): Promise<TakeOverPreview> {
    return this.#last?.ids === idsOf(chosen) ? this.#last.preview : this.update(chosen);
  }
}

function idsOf(chosen: readonly FoundServer[]): string {
  return JSON.stringify(chosen.map(({ id }) => id));
}
