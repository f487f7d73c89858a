// What a result page asks for. Every message is checked and an odd one is dropped; a page may only point at what it
// was shown. What fails is told to the person.
import { type FromResultPage, fromResultPage, type ResultView } from '../../contract/pageMessages.ts';

/** What the editor does for a page. */
export interface ResultDoors {
  send(): void;
  openAsJson(): PromiseLike<void>;
  copy(text: string): PromiseLike<void>;
  read(uri: string): void;
  report(error: unknown): void;
}

export async function receiveFromPage(message: unknown, shown: ResultView, doors: ResultDoors): Promise<void> {
  const parsed = fromResultPage.safeParse(message);
  if (!parsed.success) return;
  try {
    await answer(parsed.data, shown, doors);
  } catch (error) {
    doors.report(error);
  }
}

async function answer(message: FromResultPage, shown: ResultView, doors: ResultDoors): Promise<void> {
  switch (message.type) {
    case 'ready':
      doors.send();
      return;
    case 'openAsJson':
      await doors.openAsJson();
      return;
    case 'copy': {
      const text = message.block === 'structured' ? shown.structured : textOf(shown, message.block);
      if (text !== undefined) await doors.copy(text);
      return;
    }
    case 'read': {
      const block = shown.blocks[message.block];
      if (block?.kind === 'link') doors.read(block.uri);
      return;
    }
  }
}

function textOf(view: ResultView, position: number): string | undefined {
  const block = view.blocks[position];
  return block !== undefined && 'text' in block ? block.text : undefined;
}
