import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FoundServer } from '../../../../src/core/found/foundView.ts';
import type { TakeOverPreview } from '../../../../src/core/found/previewTakeOver.ts';
import type { MemoryFiles } from '../../../../src/vscode/adapters/memoryFiles.ts';
import { english } from '../../../../src/vscode/translate.ts';
import { anything, stubEditor } from '../../../support/editorStub.ts';
import { demoFound } from '../../../support/foundView.ts';

const { TakeOverComparison } = await import('../../../../src/vscode/found/takeOverComparison.ts');

const servers = demoFound.servers.slice(0, 2);
const preview = (chosen: readonly FoundServer[]): Promise<TakeOverPreview> =>
  Promise.resolve({
    planned: [],
    files: chosen.map(({ name }) => ({ file: `/home/me/${name}.json`, before: 'old', after: 'new' })),
    basis: new Map(),
  });

describe('the comparison of a take-over', () => {
  it('opens once, with every file as it is, and then shows the change of what is chosen alone', async () => {
    const texts = new Map<string, string>();
    const opened: unknown[] = [];
    stubEditor({
      l10n: { t: english },
      commands: { executeCommand: (name: string) => Promise.resolve(opened.push([name, Object.fromEntries(texts)])) },
      Uri: { file: (path: string) => ({ path }), from: ({ path, query }: Uri) => ({ path, query }) },
      window: anything(),
    });
    const documents = {
      putAt: ({ path, query }: Uri, text: string) => texts.set(`${query} ${path}`, text),
    } as unknown as MemoryFiles;
    const comparison = new TakeOverComparison({ documents, preview });
    await comparison.prepare(servers);
    assert.deepEqual([...new Set(texts.values())], ['old']);
    await comparison.update(servers.slice(0, 1));
    const changed = [...texts].flatMap(([name, text]) => (text === 'new' ? [name] : []));
    assert.deepEqual(changed, [`take-over-after /home/me/${servers[0]?.name ?? ''}.json`]);
    assert.equal(opened.length, 1);
  });
});

interface Uri {
  readonly path: string;
  readonly query: string;
}
