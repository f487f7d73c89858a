// The guards of CFG-11 and of what a file may say at all (CFG-5, CFG-6).

const variables = { file: 'src/contract/variables.ts', test: 'test/unit/contract/variables.test.ts' };
const template = { file: 'src/core/trust/template.ts', test: 'test/unit/core/trust/resolveLaunch.test.ts' };
const file = { file: 'src/contract/configFile.ts', test: 'test/unit/contract/configFile.test.ts' };
const url = { file: 'src/contract/urlRule.ts', test: 'test/unit/contract/urlRule.test.ts' };

/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const config = [
  {
    ...variables,
    clauses: ['CFG-11e'],
    guard: 'what the grammar does not know is refused',
    text: 'if (part === undefined) return refused(text.slice(start, end === -1 ? undefined : end + 1));',
    becomes:
      'if (part === undefined) {\n      literal += text.slice(at, start + 2);\n      at = start + 2;\n      continue;\n    }',
    title: 'refuses and names what it does not know',
  },
  {
    ...variables,
    clauses: ['CFG-11e'],
    guard: 'a default holds no variable',
    text: "return fallback.includes('${') ? undefined : {",
    becomes: 'return {',
    title: 'refuses a variable inside of a default, and says so',
  },
  {
    ...template,
    clauses: ['CFG-11e'],
    guard: 'a value is not searched for variables again',
    text: 'return value ?? this.#unset(field, part.source);',
    becomes:
      "return value?.includes('${') ? (this.bind(field, value).early ?? '') : (value ?? this.#unset(field, part.source));",
    title: 'expands once: a value that looks like a variable stays as it is',
  },
  {
    ...template,
    clauses: ['CFG-11f'],
    guard: 'a variable that is not set is a failure, not an empty text',
    text: 'return value ?? this.#unset(field, part.source);',
    becomes: "return value ?? '';",
    title: 'names server, field and variable where a value is missing',
  },
  {
    ...template,
    clauses: ['CFG-11h'],
    guard: 'inputs and secrets have no value before approval',
    text: "case 'input':\n      case 'secret':\n        return '';",
    becomes: "case 'input':\n      case 'secret':\n        void this.#ask(field, part);\n        return '';",
    test: 'test/unit/core/trust/launchFingerprint.test.ts',
    title: 'binds what comes from the person by name, not by value',
  },
  {
    ...template,
    clauses: ['CFG-11h', 'CFG-11f'],
    guard: 'a value that nobody gave is a failure',
    text: "if (value === undefined) throw this.#error('blockedInput', field, part.source);",
    becomes: "if (value === undefined) return '';",
    title: 'names server, field and variable where a value is missing',
  },
  {
    ...template,
    clauses: ['CFG-11d'],
    guard: 'a finished value is checked again',
    file: 'src/core/trust/resolveLaunch.ts',
    text: 'if (pattern.test(value)) return value;',
    becomes: 'if (value.length >= 0) return value;',
    title: 'checks finished values again, and no value is in the error',
  },
  {
    ...template,
    clauses: ['CFG-11d', 'CONN-13a'],
    guard: 'a finished URL is checked again',
    file: 'src/core/trust/resolveLaunch.ts',
    text: 'assertUrl(prepared.server, prepared.url, url);',
    becomes: '',
    title: 'checks finished values again, and no value is in the error',
  },
  {
    clauses: ['CFG-11b'],
    guard: 'nothing of an envFile expands',
    file: 'src/core/trust/envFile.ts',
    text: "variables[name] = single ?? (double === undefined ? (plain ?? '').trim() : unescape(double));",
    becomes:
      "variables[name] = (single ?? (double === undefined ? (plain ?? '').trim() : unescape(double))).replaceAll(/\\$\\w+/g, '');",
    test: 'test/unit/core/trust/envFile.test.ts',
    title: 'expands nothing',
  },
  {
    clauses: ['CFG-11a'],
    guard: 'a line of an envFile that is not understood refuses it',
    file: 'src/core/trust/envFile.ts',
    text: "if (match === null || reserved.has(match[1] ?? '')) return { ok: false, line: lineAt(at) };",
    becomes: "if (match === null || reserved.has(match[1] ?? '')) return { ok: true, variables };",
    test: 'test/unit/core/trust/envFile.test.ts',
    title: 'refuses anything else and names the line',
  },
  {
    clauses: ['CFG-5a', 'CFG-5b'],
    guard: 'a fault refuses the whole file',
    file: 'src/contract/configFile.ts',
    text: '  if (faults.length > 0) return { ok: false, faults };\n  return { ok: true, file:',
    becomes: '  return { ok: true, file:',
    test: 'test/unit/contract/configFile.test.ts',
    title: 'never gives servers beside a fault',
  },
  {
    ...file,
    clauses: ['CFG-6a', 'CFG-6b'],
    guard: 'an id is of a fixed alphabet, and no name of a prototype',
    text: '/^(?!.*__)(?!(?:constructor|prototype)$)[A-Za-z0-9_-]{1,32}$/',
    becomes: '/^[A-Za-z0-9_-]{1,32}$/',
    title: 'takes 1 to 32 characters of ASCII letters, digits, underscore and hyphen',
  },
  {
    ...file,
    clauses: ['CFG-6b'],
    guard: 'env and headers hold no name of a prototype',
    text: 'const reserved = names.filter((name) => reservedKeys.includes(name));',
    becomes: 'const reserved = names.filter((name) => reservedKeys.length === 0);',
    title: 'finds a prototype key although the schema passes over it',
  },
  {
    ...url,
    clauses: ['CFG-6e', 'CONN-13a'],
    guard: 'http is for this machine',
    text: 'urlReasons.cleartext;',
    becomes: 'undefined;',
    title: 'refuses "http://example.com/"',
  },
  {
    ...url,
    clauses: ['CFG-6e', 'CONN-13a'],
    guard: 'a URL carries no user name or password',
    text: "if (url.username !== '' || url.password !== '' || authority(text).includes('@')) return urlReasons.userInfo;",
    becomes: '',
    title: 'refuses "https://a@example.com/"',
  },
  {
    clauses: ['CFG-4b'],
    guard: 'a file that is not UTF-8 is refused',
    file: 'src/core/config/configDisk.ts',
    text: "new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })",
    becomes: "new TextDecoder('utf-8', { ignoreBOM: true })",
    test: 'test/scenarios/configStore.test.ts',
    title: 'that is broken',
  },
];
