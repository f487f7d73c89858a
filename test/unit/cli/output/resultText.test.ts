import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resultText } from '../../../../src/cli/output/resultText.ts';
import type { JsonValue } from '../../../../src/contract/json.ts';

describe('the text of a result', () => {
  it('prints text whole, one block after the other', () => {
    assert.equal(shown({ type: 'text', text: 'a\nb' }, { type: 'text', text: 'c\n' }), 'a\nb\nc\n');
  });

  it('names images and audio with type and size', () => {
    const data = Buffer.from('hello').toString('base64');
    assert.equal(shown({ type: 'image', mimeType: 'image/png', data }), '[image, image/png, 5 bytes]\n');
    assert.equal(shown({ type: 'audio', data }), '[audio, 5 bytes]\n');
  });

  it('prints embedded text, and names embedded bytes and links', () => {
    assert.equal(shown({ type: 'resource', resource: { uri: 'a:b', text: 'x' } }), '[resource a:b]\nx\n');
    assert.equal(shown({ type: 'resource', resource: { uri: 'a:b', blob: 'AA==' } }), '[resource a:b, 1 bytes]\n');
    assert.equal(shown({ type: 'resource_link', uri: 'a:b', name: 'n' }), '[resource a:b, n]\n');
  });

  it('prints structured content where it is all there is', () => {
    assert.equal(resultText({ structuredContent: { a: 1 } }), '{\n  "a": 1\n}\n');
    assert.equal(resultText({ content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 } }), 'x\n');
  });

  it('shows what it does not know without failing', () => {
    assert.equal(shown({ type: 'hologram', size: 3 }), '[hologram: {"type":"hologram","size":3}]\n');
    assert.equal(shown(null, 7), '[not a content block: null]\n[not a content block: 7]\n');
    assert.equal(resultText({}), '');
  });

  it('shows what has not the form of a result as it came, never as nothing', () => {
    assert.equal(resultText({ content: 'no list' }), '[content is not a list]\n"no list"\n');
    assert.equal(resultText({ content: { type: 'text' } }), '[content is not a list]\n{\n  "type": "text"\n}\n');
    assert.equal(resultText({ toolResult: 7, _meta: {} }), '[no content]\n{\n  "toolResult": 7\n}\n');
    assert.equal(resultText({ content: [], _meta: {} }), '');
  });

  it('ends where nobody reads on, and says so', () => {
    const most = 16 * 1024 * 1024;
    const note = (parts: number): string => `\n[not all of it is printed: --json has all ${parts} parts whole]\n`;
    const text = (character: string, length: number) => ({ type: 'text', text: character.repeat(length) });
    assert.equal(shown(text('x', most)), `${'x'.repeat(most)}\n`);
    assert.ok(shown(text('x', most + 1)) === `${'x'.repeat(most)}${note(1)}`);
    const hidden = shown(text('\u007F', 4_000_000), text('y', 10));
    assert.ok(hidden.length < most + 100 && hidden.endsWith(note(2)));
    assert.ok(shown(text('x', most), text('y', 1)) === `${'x'.repeat(most)}\n${note(2)}`);
  });

  it('lets no escape sequence through', () => {
    const hostile = '\u001B]0;title\u0007\u009B31mred\u202E';

    const live = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/;
    assert.doesNotMatch(shown({ type: 'text', text: hostile }), live);
    assert.doesNotMatch(shown({ type: hostile, uri: hostile }), live);
    assert.doesNotMatch(shown({ type: 'image', mimeType: hostile }), live);
    assert.doesNotMatch(resultText({ structuredContent: { [hostile]: hostile } }), live);
  });
});

function shown(...content: JsonValue[]): string {
  return resultText({ content });
}
