import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { expandTemplate, templateVariables } from '../../../../src/core/discovery/uriTemplate.ts';

describe('URI templates', () => {
  // RFC 6570, section 3.2, with var = value, hello = Hello World!, path = /foo/bar, x = 1024, y = 768, empty = "".
  const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768', empty: '' };
  const expected: Record<string, string> = {
    '{var}': 'value',
    '{hello}': 'Hello%20World%21',
    '{var:3}': 'val',
    '{+path}/here': '/foo/bar/here',
    '{+hello}': 'Hello%20World!',
    '{#path,x}here': '#/foo/bar,1024here',
    'X{.x,y}': 'X.1024.768',
    '{/var,x}/here': '/value/1024/here',
    '{;x,y,empty}': ';x=1024;y=768;empty',
    '{?x,y,undef}': '?x=1024&y=768',
    '?fixed=yes{&x,empty}': '?fixed=yes&x=1024&empty=',
    '{undef}!': '!',
    '{?undef}': '',
    '{x*}': '1024',
    '{bad expression}{}': '{bad expression}{}',
  };
  for (const [template, uri] of Object.entries(expected)) {
    it(`expands ${template} to ${uri}`, () => assert.equal(expandTemplate(template, values), uri));
  }

  it('names its variables once each', () => {
    assert.deepEqual(templateVariables('db://{table}/{?id,page*,table:2}'), ['table', 'id', 'page']);
  });

  it('encodes text beyond ASCII as UTF-8 and takes no value from a prototype', () => {
    assert.equal(expandTemplate('{a}{constructor}', { a: 'ü😀' }), '%C3%BC%F0%9F%98%80');
  });
});
