import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseTemplate, type TemplatePart } from '../../../src/contract/variables.ts';

function parts(text: string): readonly TemplatePart[] {
  const parsed = parseTemplate(text);
  assert.ok(parsed.ok, `refused: ${JSON.stringify(parsed)}`);
  return parsed.parts;
}

function literal(text: string): string {
  const [part, ...others] = parts(text);
  assert.equal(others.length, 0);
  return part === undefined ? '' : part.kind === 'text' ? part.text : assert.fail('a variable was seen');
}

describe('parseTemplate', () => {
  it('knows six variables', () => {
    const text = '${workspaceFolder}${userHome}${env:A_1}${env:A:-b c}${input:x-y.z}${secret:s}';
    assert.deepEqual(
      parts(text).map(({ kind }) => kind),
      ['workspaceFolder', 'userHome', 'env', 'env', 'input', 'secret'],
    );
    assert.deepEqual(parts('${env:A:-b c}')[0], { kind: 'env', name: 'A', fallback: 'b c', source: '${env:A:-b c}' });
    assert.deepEqual(parts('${env:A:-}')[0], { kind: 'env', name: 'A', fallback: '', source: '${env:A:-}' });
    assert.deepEqual(parts('${env:ProgramFiles(x86)}')[0]?.kind, 'env');
  });

  it('keeps the text between variables', () => {
    assert.deepEqual(parts('a${userHome}b'), [
      { kind: 'text', text: 'a' },
      { kind: 'userHome', source: '${userHome}' },
      { kind: 'text', text: 'b' },
    ]);
  });

  it('takes every dollar that opens no brace as text', () => {
    for (const text of ['$', '$$', '$HOME', '$(touch f)', '`touch f`', '%PATH%', '{a}', '$ {a}', 'a}$']) {
      assert.equal(literal(text), text);
    }
  });

  it('reads two dollars before a brace as a literal opening', () => {
    assert.equal(literal('$${env:A}'), '${env:A}');
    assert.equal(literal('$$${env:A}'), '$${env:A}');
    assert.equal(literal('$${$${'), '${${');
    assert.deepEqual(parts('$${a}${userHome}').length, 2);
  });

  it('refuses and names what it does not know', () => {
    for (const variable of [
      '${cmd: touch f}',
      '${command:x}',
      '${HOME}',
      '${}',
      '${env:}',
      '${env:A:=b}',
      '${ENV:A}',
      '${ workspaceFolder}',
      '${workspaceFolder:x}',
      '${input:}',
      '${input:a b}',
      '${secret:../x}',
    ]) {
      assert.deepEqual(parseTemplate(`x${variable}y`), { ok: false, variable });
    }
  });

  it('refuses a variable inside of a default, and says so', () => {
    const variable = '${env:A:-${env:B}';
    assert.deepEqual(parseTemplate(`x${variable}}y`), { ok: false, variable, fault: 'nested' });
  });

  it('refuses an opening that is never closed', () => {
    assert.deepEqual(parseTemplate('a${env:A'), { ok: false, variable: '${env:A', fault: 'unclosed' });
    const swallowed = { ok: false, variable: '${env:A/${env:B}', fault: 'unclosed' };
    assert.deepEqual(parseTemplate('${env:A/${env:B}'), swallowed);
    assert.equal(parseTemplate(`\${${'x'.repeat(10_000)}`).ok, false);
  });
});
