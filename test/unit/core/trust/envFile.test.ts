import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseEnvFile } from '../../../../src/core/trust/envFile.ts';
import { processorTime } from '../../../support/processorTime.ts';

function variables(text: string): Record<string, string> {
  const parsed = parseEnvFile(text);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return { ...parsed.variables };
}

describe('parseEnvFile', () => {
  it('reads the common forms', () => {
    const text = [
      '\uFEFF# comment',
      '',
      '  A=1  ',
      'export B = two words # comment',
      "C='as $is \\n # x'",
      'D="a\\tb\\n\\"c\\" \\\\ \\x" # comment',
      'E=',
      'F=a#b',
      'G=#comment',
      'H.i-j=x',
      'K="',
      'two lines"',
      'L=a "quoted" word',
      'A=last wins',
      'M==x',
    ].join('\r\n');
    assert.deepEqual(variables(text), {
      ...{ A: 'last wins', B: 'two words', C: 'as $is \\n # x', D: 'a\tb\n"c" \\ \\x', E: '', F: 'a#b', G: '' },
      ...{ 'H.i-j': 'x', K: '\ntwo lines', L: 'a "quoted" word', M: '=x' },
    });
  });

  it('expands nothing', () => {
    assert.deepEqual(variables('A=1\nB=${A}$A$(id)`id`${env:HOME}'), { A: '1', B: '${A}$A$(id)`id`${env:HOME}' });
  });

  it('refuses anything else and names the line', () => {
    const broken = {
      'A=1\nword': 2,
      'A B=1': 1,
      '=1': 1,
      '1A=1': 1,
      '\n\nA="open': 3,
      "A= 'open": 1,
      'A="x" y': 1,
      'A=1\nB=\0': 2,
      '__proto__=x': 1,
      'constructor=x': 1,
    };
    for (const [text, line] of Object.entries(broken)) assert.deepEqual(parseEnvFile(text), { ok: false, line }, text);
  });

  it('is linear in hostile text', () => {
    const took = processorTime(() => {
      parseEnvFile(`A="${'\\'.repeat(200_000)}`);
      parseEnvFile(`A=${' '.repeat(200_000)}"`);
      parseEnvFile(`A=${' #'.repeat(100_000)}`);
      parseEnvFile(`A='${'\n'.repeat(200_000)}`);
    });
    assert.ok(took < 1_000);
  });
});
