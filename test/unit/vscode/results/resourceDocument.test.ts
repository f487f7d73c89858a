import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { documentOf } from '../../../../src/vscode/results/resourceDocument.ts';
import { english } from '../../../../src/vscode/translate.ts';

function nameFor(uri: string, mimeType?: string): string {
  return documentOf({ uri, text: 'x', ...(mimeType === undefined ? {} : { mimeType }) }, uri, english).name;
}

describe('a resource as a document', () => {
  it('has the ending of its type, or keeps its own', () => {
    assert.equal(nameFor('demo://notes', 'text/markdown; charset=utf-8'), 'notes.md');
    assert.equal(nameFor('file:///a.py', 'text/plain'), 'a.py');
    assert.equal(nameFor('file:///src/a.ts', 'text/plain'), 'a.ts');
    assert.equal(nameFor('demo://x'), 'x.txt');
  });

  it('has no ending whose language support fetches what the text names: a $schema, a DTD', () => {
    assert.equal(nameFor('demo://data', 'application/json'), 'data.jsonl');
    assert.equal(nameFor('file:///tsconfig.json', 'text/plain'), 'tsconfig.jsonl');
    assert.equal(nameFor('file:///a.svg', 'image/svg+xml'), 'a.svg.txt');
    const loud = [
      'jsonc',
      'code-workspace',
      'webmanifest',
      'code-snippets',
      'yaml',
      'yml',
      'xml',
      'toml',
      'ipynb',
      'har',
    ];
    for (const ending of loud) assert.equal(nameFor(`file:///a.${ending}`), `a.${ending}.txt`);
  });

  it('never lets a URI lead out of its folder', () => {
    for (const uri of [
      'x://../../etc/passwd',
      'x://a/..',
      'x://a/%2e%2e%2f',
      'x:///',
      '..\\..\\a',
      'x://a/\u202Eb?c#d',
    ]) {
      const name = nameFor(uri);
      assert.doesNotMatch(name, /[\\/\u202E?#]|^\./, uri);
      assert.ok(name.length > 0 && name.length < 100);
    }
  });

  it('gives a bitmap its bytes and its ending', () => {
    const { name, content } = documentOf({ uri: 'x://pic.bin', mimeType: 'image/png', blob: 'iVBORw==' }, '', english);
    assert.equal(name, 'pic.bin.png');
    assert.deepEqual([...(content as Uint8Array)], [0x89, 0x50, 0x4e, 0x47]);
  });

  it('summarises other bytes', () => {
    const { name, content } = documentOf({ uri: 'x://a', mimeType: 'application/zip', blob: 'AAAA' }, '', english);
    assert.equal(name, 'a.txt');
    assert.match(content as string, /application\/zip/);
    assert.match(content as string, /3 bytes/);
  });
});
