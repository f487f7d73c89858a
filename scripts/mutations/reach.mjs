// The guards of what a server gets and where requests may lead (CONN-7, CONN-10, CONN-12, CONN-13).

const environment = { file: 'src/core/transport/environment.ts', test: 'test/unit/core/transport/environment.test.ts' };
const rules = { file: 'src/core/transport/urlRules.ts', test: 'test/unit/core/transport/urlRules.test.ts' };
const fetch = { file: 'src/core/transport/remoteFetch.ts', test: 'test/scenarios/remoteFetch.test.ts' };
const command = { file: 'src/core/transport/findCommand.ts', test: 'test/unit/core/transport/findCommand.test.ts' };

/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const reach = [
  {
    ...environment,
    clauses: ['CONN-7b'],
    guard: 'a server inherits named variables only',
    text: '!isPrivate(name) && (names.has(fold(name)) || allowedPrefixes.some((prefix) => fold(name).startsWith(prefix))),',
    becomes: '!isPrivate(name),',
    title: 'passes the names of the allow list and nothing else',
  },
  {
    ...environment,
    clauses: ['CONN-7d'],
    guard: 'what is the editor’s or ours is never inherited',
    text: '!isPrivate(name) && (names',
    becomes: '(names',
    title: 'never inherits what is the editor’s or ours, even when asked to',
  },
  {
    ...command,
    clauses: ['TRUST-2b'],
    guard: 'no program is taken from the working folder by way of PATH',
    text: '.filter((folder, index, all) => path.isAbsolute(folder) && all.indexOf(folder) === index);',
    becomes: '.filter((folder, index, all) => all.indexOf(folder) === index);',
    title: 'never looks into the working directory by way of PATH',
  },
  {
    ...rules,
    clauses: ['CONN-13b'],
    guard: 'a URL of a server leads into no private network',
    text: "if (range === 'public' || range === home) return undefined;",
    becomes: "if (range !== 'loopback' || range === home) return undefined;",
    title: 'allow loopback and private ranges only from there',
  },
  {
    ...rules,
    clauses: ['CONN-13b'],
    guard: 'a URL of a server leads to this machine only from there',
    text: "if (range === 'public' || range === home) return undefined;",
    becomes: "if (range !== 'private' || range === home) return undefined;",
    title: 'allow loopback and private ranges only from there',
  },
  {
    ...fetch,
    clauses: ['CONN-12f'],
    guard: 'configured headers go to the server’s own origin',
    text: 'if (url.origin === own.origin) addMissing(headers, configured);',
    becomes: 'addMissing(headers, configured);',
    title: 'sends configured headers to its own origin only',
  },
  {
    clauses: ['CONN-10b'],
    guard: 'what a server writes on stderr is redacted',
    file: 'src/core/transport/stdioTransport.ts',
    text: '      redactor,\n      onLine:',
    becomes: '      redactor: launchRedactor({ ...launch, env: {}, args: [], secrets: [] }),\n      onLine:',
    test: 'test/scenarios/launchAttacks.test.ts',
    title: 'shows no secret that it passed as an argument',
  },
];
