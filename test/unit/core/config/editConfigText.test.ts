import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonValue } from '../../../../src/contract/json.ts';
import { editConfigText, emptyConfigText, withCurrentVersion } from '../../../../src/core/config/editConfigText.ts';
import { readConfigText } from '../../../../src/core/config/readConfigText.ts';

const set = (text: string, path: string[], value: JsonValue | undefined): string =>
  editConfigText(text, [{ path, value }]);

describe('editConfigText', () => {
  it('changes one word and nothing else', () => {
    const text = '{\r\n\t// first\r\n\t"a": { "enabled" : true , },\r\n\t"b": 1 // last\r\n}';
    assert.equal(set(text, ['a', 'enabled'], false), text.replace('true', 'false'));
  });

  it('returns the very text when nothing changes', () => {
    const text = '{ "a": {"y":[1, 2], "x": {}} }';
    assert.equal(set(text, ['a'], { x: {}, y: [1, 2] }), text);
    assert.equal(set(text, ['b'], undefined), text);
    assert.equal(set(text, ['b', 'c'], undefined), text);
  });

  it('adds a property in the indentation and line ends of the file', () => {
    const text = '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n';
    assert.equal(
      set(text, ['mcpServers', 'b'], { command: 'x' }),
      '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {},\r\n\t\t"b": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  it('leaves the comment of the last property with it when another one follows', () => {
    assert.equal(set('{\n  "a": 1 // about a\n}', ['b'], 2), '{\n  "a": 1, // about a\n  "b": 2\n}');
    assert.equal(set('{\n  "a": 1, // about a\n}', ['b'], 2), '{\n  "a": 1, // about a\n  "b": 2,\n}');
  });

  it('adds to an object that holds nothing but a comment', () => {
    assert.equal(set('{\n  // none yet\n}', ['a'], 1), '{\n  // none yet\n  "a": 1\n}');
    assert.equal(set('{ // none yet\n}', ['a'], 1), '{ // none yet\n  "a": 1\n}');
  });

  it('keeps a file of one line on one line', () => {
    assert.equal(set('{"a":{"x":1}}', ['a', 'y'], [1, { z: 2 }]), '{"a":{"x":1, "y": [1, { "z": 2 }]}}');
    assert.equal(set('{"a":{}}', ['a', 'b'], { c: 1 }), '{"a":{"b": { "c": 1 }}}');
    assert.equal(withCurrentVersion('{"mcpServers":{}}'), '{"version": 3, "mcpServers":{}}');
  });

  it('writes the version as the first property of a file without one', () => {
    assert.equal(
      withCurrentVersion('{\n  // ours\n  "mcpServers": {}\n}\n'),
      '{\n  "version": 3,\n  // ours\n  "mcpServers": {}\n}\n',
    );
  });

  it('removes a property with its line and comma, and no comment around it', () => {
    const text = '{\n  "a": 1, // about a\n  // above b\n  "b": 2,\n  "c": 3\n}';
    assert.equal(set(text, ['b'], undefined), '{\n  "a": 1, // about a\n  // above b\n  "c": 3\n}');
    assert.equal(set(text, ['c'], undefined), '{\n  "a": 1, // about a\n  // above b\n  "b": 2\n}');
  });

  it('makes the objects on the way to a new value', () => {
    assert.equal(
      set('{\n  "a": {}\n}', ['a', 'b', 'c'], true),
      '{\n  "a": {\n    "b": {\n      "c": true\n    }\n  }\n}',
    );
  });

  it('starts a new file that reads well', () => {
    const reading = readConfigText(emptyConfigText, { file: 'f', scope: { kind: 'user' } });
    assert.ok(reading.kind === 'config' && reading.version === 3 && reading.servers.length === 0);
  });
});
