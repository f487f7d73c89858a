// The guards of a window's gateway: when it serves at all, who can reach its socket, and when what clients have there ends.

const lazy = { file: 'src/vscode/gateway/lazyGateway.ts', test: 'test/scenarios/lazyGateway.test.ts' };
const socket = { file: 'src/gateway/socketFile.ts', test: 'test/scenarios/windowGateway.test.ts' };
const server = { file: 'src/gateway/gateway.ts', test: 'test/scenarios/gatewayOwners.test.ts' };
const surfaces = { file: 'src/vscode/gateway/windowSurfaces.ts', test: 'test/scenarios/windowGateway.test.ts' };

/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const window = [
  {
    ...lazy,
    clauses: ['TRUST-1c'],
    guard: 'a window in Restricted Mode serves no agent',
    text: 'vscode.workspace.isTrusted && settings',
    becomes: 'settings',
    title: 'is not before the workspace is trusted, and at once when it is',
  },
  {
    ...lazy,
    clauses: ['TRUST-1c'],
    guard: 'a window in Restricted Mode says so to agents that work in its folders',
    text: '!this.#ended && !vscode.workspace.isTrusted',
    becomes: 'false',
    title: 'is announced as restricted before anything is read, whatever the person set, until it ends',
  },
  {
    file: 'src/gateway/chooseWindow.ts',
    test: 'test/unit/gateway/chooseWindow.test.ts',
    clauses: ['TRUST-1c'],
    guard: 'no other window serves an agent whose own is in Restricted Mode',
    text: "window.kind === 'serving' || distance < Number.POSITIVE_INFINITY",
    becomes: "window.kind === 'serving'",
    title: 'is none but the one in Restricted Mode where that is the nearest, and any other where it is not',
  },
  {
    file: 'src/cli/proxy/windowSeeker.ts',
    test: 'test/unit/cli/proxy/windowSeeker.test.ts',
    clauses: ['TRUST-1c'],
    guard: 'an agent leaves its window where a nearer one in Restricted Mode opens',
    text: "if (nearer.kind === 'restricted') {",
    becomes: 'if (nearer.folders.length === 0) {',
    title: 'leaves its window at once where a nearer one in Restricted Mode opens, whatever is under way',
  },
  {
    ...lazy,
    clauses: ['TRUST-8a'],
    guard: 'a window serves agents as the person set it',
    text: ' && settings.gatewayEnabled()',
    becomes: '',
    title: 'is as the person set it, whatever a workspace says, with a new token each time',
  },
  {
    ...socket,
    clauses: ['GATE-1b'],
    guard: 'the socket of a window is the person’s alone',
    text: 'await chmod(path, 0o600);',
    becomes: 'await chmod(path, 0o660);',
    title: 'listens on a socket of the person’s alone as well as on its port',
  },
  {
    ...socket,
    clauses: ['GATE-1b'],
    guard: 'the socket of a window takes no living one’s place',
    text: ' || (await isListenedTo(path, clock))',
    becomes: '',
    title: 'leaves a socket that another process listens on, and serves on its port alone',
  },
  {
    ...server,
    clauses: ['GATE-1f', 'GATE-2i'],
    guard: 'a session knows the process that a window’s client named',
    text: 'readOwner(header(request, ownerHeader))',
    becomes: 'undefined',
    title: 'ends with it at the next look, though somebody else holds its connection',
  },
  {
    ...server,
    clauses: ['GATE-1f'],
    guard: 'a window looks at the owner of a session whose connection broke',
    text: 'this.#sessions.suspect(session);',
    becomes: '',
    title: 'ends soon after a client that is killed in the middle of a call',
  },
  {
    ...surfaces,
    clauses: ['GATE-1f'],
    guard: 'a window ends the sessions of a server that was removed',
    text: 'this.#deps.onGone(surface);',
    becomes: '',
    title: 'ends what clients have at a server that is removed, and nothing at the others',
  },
];
