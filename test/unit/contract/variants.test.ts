import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ErrorCode } from '../../../src/contract/errorCodes.ts';
import { fillIn, sentences } from '../../../src/contract/sentences.ts';
import { remedyOf, sentencesOf } from '../../../src/contract/sentencesOf.ts';
import { variants } from '../../../src/contract/variants.ts';

/** What is wrong, the sentence a person reads of it, and what it tells them to do. */
const table: readonly (readonly [
  code: ErrorCode,
  data: Record<string, string | boolean>,
  text: RegExp,
  remedy: RegExp,
])[] = [
  ['commandNotFound', { command: 'npx -y @scope/x', path: '/bin' }, /Looked in: \/bin\.$/, /into args/],
  ['commandNotFound', { command: 'python3 /x/srv.py', path: '/bin' }, /not found/, /into args.*its path, check/],
  ['commandNotFound', { command: '/usr/bin/python3 srv.py', path: '/usr/bin' }, /not found/, /into args/],
  ['commandNotFound', { command: 'https://x.example/mcp', path: '/bin' }, /not found/, /into url/],
  ['commandNotFound', { command: '~/bin/srv', path: '/w/~/bin' }, /not found/, /^Write \$\{userHome\} in place of ~/],
  ['commandNotFound', { command: '~/my bin/srv', path: '/w/~/my bin' }, /not found/, /\$\{userHome\}/],
  ['commandNotFound', { command: 'npx', path: '' }, /PATH is empty\.$/, /PATH in env/],
  ['commandNotFound', { command: 'npx', path: '/bin' }, /Looked in: \/bin\.$/, /^Install it/],
  ['commandNotFound', { command: ' npx ', path: '/bin' }, /not found/, /^Install it/],
  [
    'argumentsInvalid',
    { tool: 't', server: 's', of: 'caller', caller: 'a.b' },
    /"a\.b" as its caller/,
    /publisher\.name/,
  ],
  ['argumentsInvalid', { tool: 't', server: 's', of: 'shape' }, /no JSON object/, /^Correct the arguments/],
  [
    'argumentsInvalid',
    { tool: 't', server: 's', detail: 'd' },
    /do not fit its schema: d\.$/,
    /^Correct the arguments/,
  ],
  ['connectTimeout', { seconds: '30', remote: true }, /not ready after 30 s\.$/, /^Check the URL and the network/],
  ['connectTimeout', { seconds: '30' }, /not ready/, /log/],
  [
    'urlForbidden',
    { server: 's', field: 'url', url: '${env:U}', detail: 'd' },
    /^url of server "s" is \$\{env:U\}/,
    /variables/,
  ],
  ['urlForbidden', { server: 's', url: 'u', endpoint: true, detail: 'd' }, /^Server "s".*origin, u,/, /gives out/],
  ['urlForbidden', { server: 's', url: 'u', detail: 'd' }, /^The URL u of server "s" is not allowed: d\.$/, /https/],
  ['urlForbidden', { url: 'u', detail: 'd' }, /^The URL u is not allowed: d\.$/, /https/],
  ['envFileUnreadable', { path: 'p', detail: 'd', fault: 'line' }, /p.*d\.$/, /NAME=value/],
  ['envFileUnreadable', { path: 'p', detail: 'd', fault: 'size' }, /p.*d\.$/, /of this server alone/],
  ['envFileUnreadable', { path: 'p', detail: 'd', fault: 'encoding' }, /p.*d\.$/, /UTF-8/],
  ['envFileUnreadable', { path: 'p', detail: 'd' }, /p.*d\.$/, /rights/],
  [
    'variableUnset',
    { field: 'cwd', variable: '${workspaceFolder}' },
    /open folder for \$\{workspaceFolder\}/,
    /^Open a/,
  ],
  [
    'variableUnset',
    { field: 'cwd', variable: '${env:A}' },
    /uses \$\{env:A\}, which is not set/,
    /system or shell.*:-\.$/,
  ],
  [
    'variableUnknown',
    { field: 'args.0', variable: '${env:A', fault: 'unclosed' },
    /closing brace: \$\{env:A\.$/,
    /Close/,
  ],
  ['variableUnknown', { field: 'args.0', variable: '${env:A:-${env:B}', fault: 'nested' }, /inside of/, /do not nest/],
  ['variableUnknown', { field: 'args.0', variable: '${home}' }, /uses \$\{home\}, which is not a known/, /userHome/],
  ['blockedEditor', { setting: 's.x' }, /not among the servers that s\.x allows/, /manages your editor/],
  ['blockedEditor', { setting: 's.x', why: 'off' }, /s\.x turns MCP servers off/, /manages your editor/],
  [
    'blockedEditor',
    { setting: 's.x', why: 'registry' },
    /s\.x lets only servers of .* registry/,
    /manages your editor/,
  ],
  ['blockedEditor', { setting: 's.x', why: 'denied' }, /s\.x names it/, /manages your editor/],
  ['blockedEditor', { setting: 's.x', why: 'unclear' }, /s\.x holds something/, /^Correct the setting/],
  ['blockedTrust', {}, /^Server "s" does not run until you trust this workspace\.$/, /^Trust the workspace to use it/],
  ['blockedTrust', { uses: 'workspace' }, /^Server "s" uses the folder of this workspace/, /^Trust the workspace/],
  ['blockedTrust', { field: 'cwd' }, /^Server "s" uses the folder of this workspace/, /^Trust the workspace/],
  ['blockedApproval', {}, /waits for your approval/, /^Review and approve it/],
  ['blockedApproval', { answer: 'refused' }, /^You chose not to run server "s"\.$/, /changed your mind/],
  ['blockedApproval', { answer: 'outdated' }, /no longer what you approved\.$/, /difference/],
  ['networkFailed', { detail: 'connect EMFILE 127.0.0.1:1 (EMFILE)' }, /too many files/, /open files/],
  ['networkFailed', { detail: 'Parse Error: Header overflow (HPE_HEADER_OVERFLOW)' }, /headers/, /proxy/],
  ['networkFailed', { detail: 'Parse Error: Expected HTTP/ (HPE_INVALID_CONSTANT)' }, /not HTTP/, /port/],
  ['networkFailed', { detail: 'aborted (ECONNRESET)' }, /broke off/, /Try again/],
  ['networkFailed', { detail: 'connect ECONNREFUSED 127.0.0.1:1' }, /cannot be reached/, /network/],
  ['windowClosed', { during: 'tools/call' }, /tools\/call may have run/, /before you repeat/],
  ['windowClosed', { why: 'restricted' }, /in Restricted Mode/, /^Trust the folder/],
  ['windowClosed', {}, /No VS Code window/, /Open a folder/],
  [
    'protocolError',
    { method: 'initialize', number: '1', detail: 'no' },
    /initialize with error 1: no\.$/,
    /^(?!.*arguments)/,
  ],
  ['protocolError', { method: 'tools/call', number: '1', detail: 'no' }, /tools\/call/, /arguments/],
];

describe('what is said of a failure with several causes', () => {
  for (const [code, data, text, remedy] of table) {
    it(`fits the cause: ${code} ${JSON.stringify(data)}`, () => {
      const said = { server: 's', ...data };
      const known = code === 'urlForbidden' ? data : said;
      const sentence = sentencesOf(code, known).map((template) => fillIn(template, known));
      assert.match(sentence.join(' '), text);
      assert.match(fillIn(remedyOf(code, known), known), remedy);
      assert.doesNotMatch(sentence.join(' '), /\?/);
    });
  }

  it('is proven for every variant', () => {
    for (const variant of variants) {
      const proven = table.some(
        ([code, data]) =>
          code === variant.code &&
          (variant.remedy === undefined
            ? sentencesOf(code, data).includes(variant.text ?? '')
            : remedyOf(code, data) === variant.remedy),
      );
      assert.ok(proven, JSON.stringify(variant));
    }
  });

  it('stays the sentence of the code for all others', () => {
    const varied = new Set(variants.map(({ code }) => code));
    for (const code of Object.keys(sentences) as ErrorCode[]) {
      if (varied.has(code)) continue;
      assert.equal(remedyOf(code, {}), sentences[code].remedy);
      assert.equal(sentencesOf(code, {})[0], sentences[code].text);
    }
  });

  it('hints at the framing of another protocol only where it was seen', () => {
    const hint = (noiseSample: string): boolean =>
      sentencesOf('connectTimeout', { noiseLines: 1, noiseSample }).some((text) => text.includes('Content-Length'));
    assert.deepEqual(['Content-Length: 52', '}content-length: 9', 'Length: 5', 'hello'].map(hint), [
      true,
      true,
      false,
      false,
    ]);
  });
});
