import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { describe, it } from 'mocha';
import { isUsableNode, usableNodePattern, usableNodeScript } from '../../../../src/core/launcher/nodeRule.ts';

const versions = {
  'v18.20.8': false,
  'v20.0.0': false,
  'v20.9.0': false,
  'v20.18.3': false,
  'v20.19.0': true,
  'v20.20.2': true,
  'v20.100.0': true,
  'v21.0.0': true,
  'v22.12.0': true,
  'v24.1.0': true,
  'v30.0.0': true,
  'v100.0.1': true,
  'v2.0.0': false,
  'v9.9.9': false,
};

describe('the rule of what runs the command line', () => {
  for (const [version, usable] of Object.entries(versions)) {
    it(`${usable ? 'takes' : 'does not take'} Node ${version}, in each of its three languages`, () => {
      assert.equal(isUsableNode(version), usable, 'TypeScript');
      assert.equal(inShell(version), usable, 'sh');
      assert.equal(inItself(version.slice(1)), usable, 'the program itself');
    });
  }

  it('takes nothing that is no version of Node', () => {
    for (const text of ['', '1.101.0', 'v20', 'v20.19', 'Electron v37.2.1', 'vv20.19.0']) {
      assert.equal(isUsableNode(text), false, text);
    }
  });

  it('is written so that a batch file holds it in quotation marks', () => {
    assert.doesNotMatch(usableNodeScript, /[%!"^\r\n]/);
  });

  /** As `case` matches: `*` anything, `[a-b]` one of them, the rest itself. The launcher's scenarios have the real sh. */
  function inShell(version: string): boolean {
    return usableNodePattern.split('|').some((pattern) => {
      const source = pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*');
      return new RegExp(`^${source}$`).test(version);
    });
  }

  function inItself(node: string): boolean {
    const ends: number[] = [];
    runInNewContext(usableNodeScript, { process: { versions: { node }, exit: (code: number) => ends.push(code) } });
    return ends[0] === 0;
  }
});
