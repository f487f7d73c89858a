// Every bound and deadline of the core in one place. Times are milliseconds, sizes bytes unless a name says otherwise.
// What a person could notice or a peer could exhaust is bounded here, with its clause beside it; the pauses of a loop or
// the steps of a back-off may stand where they are used.

export const limits = {
  /** CONN-6; each may be overridden per server by `timeouts`. */
  timeouts: {
    connectRemote: 30_000,
    connectStdio: 60_000,
    connectInstalling: 600_000,
    list: 15_000,
    call: 600_000,
    callAtMost: 3_600_000,
    request: 30_000,
  },
  /** CONN-2: the era probe of a stdio server, and how long a kept verdict serves. */
  probe: { timeout: 5_000, verdictLifetime: 24 * 3_600_000, verdictsKept: 1_000 },
  /**
   * CONN-8: from the end of stdin to SIGTERM, from SIGTERM to SIGKILL, for the last sweep, for the gateway before its servers
   * (GATE-5), and for all of it together.
   * `toKillAtMost` bounds `timeouts.stop`: the editor waits for us a few seconds only, and nothing may be left behind.
   */
  stop: { toTerminate: 200, toKill: 800, sweep: 1_000, toKillAtMost: 2_500, gateway: 400, deactivate: 4_000 },
  /**
   * KEEP-5, in milliseconds from the death of an owner, less than 5 s in all: to SIGTERM, from there to SIGKILL, for the last
   * sweep. `die`: how long an owner whose pipe broke may take to be gone. `atStart`: how long the first child of an owner
   * waits until what others left is ended. `ledgers`: files that are read; bytes of one; how long one is kept of which
   * nobody here can say whether its owner lives.
   */
  guard: {
    toTerminate: 50,
    toKill: 1_200,
    sweep: 2_000,
    die: 1_000,
    atStart: 3_000,
    ledgers: 200,
    bytes: 256 * 1024,
    foreign: 30 * 24 * 3_600_000,
  },
  /**
   * KEEP-1, KEEP-4, in milliseconds. Of whoever looks for the keeper: `answer`: how long it has to say that it is there;
   * `hung`: how long one that can be found may be silent before it is ended, and `slow`: one that holds the lock and cannot be
   * found, much more than its start and its end take; `look`: between two looks;
   * `start`: for all of it; `killed`: until it is gone. Of the keeper: `turn`: between two looks whether another one serves,
   * and `wait`: for the lock in all; `ownLook`: between two looks at its own file and lock; `idle`: without holds and sessions.
   * `silence`: how long a stream of it may say nothing at all (it comments on it). Bytes of its file and of an answer;
   * its sessions, in all and of one process.
   */
  keeper: {
    answer: 2_000,
    hung: 8_000,
    slow: 25_000,
    look: 40,
    start: 45_000,
    killed: 3_000,
    turn: 250,
    wait: 15_000,
    ownLook: 2_000,
    idle: 60_000,
    silence: 60_000,
    farewell: 2_000,
    descriptor: 16 * 1024,
    reply: 4 * 1024 * 1024,
    sessions: { sessions: 1_024, ownerSessions: 512 },
  },
  /**
   * KEEP-3: from the unasked end of a server to each try to start it again; a life of `stable` makes the next end a first one.
   * `health`: how often a server that nothing was heard of is asked whether it lives, how long it has to answer, and how
   * often in a row it may not.
   */
  supervision: {
    delays: [5_000, 10_000, 20_000, 30_000, 30_000],
    stable: 300_000,
    health: { every: 30_000, answer: 5_000, misses: 3 },
  },
  /** CONN-12: a session that is lost again within this time is not renewed by itself. */
  sessionRenewal: 30_000,
  /** CONN-9, CONN-10 */
  stdio: {
    frame: 64 * 1024 * 1024,
    stderrRing: 256 * 1024,
    stderrLine: 8 * 1024,
    errorLines: 10,
    errorLine: 400,
    noiseSamples: 20,
    noiseLine: 400,
    /** Of the newest such line, in the sentence about a time-out. */
    noiseInError: 160,
    /** How much of both ends of a frame above the limit is kept, to find the call that it answers. */
    frameEdge: 16 * 1024,
    /** Lines of stdout or stderr that are taken in before others get their turn. */
    batch: 100,
    /** Reading stops while answers of ours that the server has not read weigh more; each weighs `perAnswer` besides its text. */
    unreadAnswers: 8 * 1024 * 1024,
    perAnswer: 1_024,
    /** After the end of a process its pipes are read until they were silent this long, though never longer than `drainAtMost`. */
    drainQuiet: 50,
    drainAtMost: 1_000,
  },
  /** Bytes from which the size of a request is named where the connection broke after it. */
  largeRequest: 1024 * 1024,
  /**
   * Requests of a server to us at the same time: those that wait for a person or a model, and all of a remote one.
   * Of questions that the wire does not tell apart, in milliseconds: `yieldAfter`: so long others wait for a conversation
   * that has not answered; `contend`: between two looks whether one that is away gives way to a question; `held`: so long a
   * question waits until one conversation is left that it can be of, less than a server waits for its answer;
   * `afterCancel`: so long a request that was cancelled counts as one that may ask still.
   */
  serverRequests: {
    questions: 64,
    open: 256,
    yieldAfter: 10_000,
    held: 30_000,
    contend: 500,
    afterCancel: 3_000,
  },
  /**
   * One message as it arrives, in whatever it comes: what is above is not parsed at all, since parsing it would hold
   * everybody up. `marks`: brackets, commas and colons outside of strings; so many are parsed in one to two seconds where
   * every key is another one, and in a quarter of that in an ordinary list of tools. `depth`: of a list, whose items are
   * then judged one by one; everything else is held to `answer.depth`.
   */
  json: { depth: 4_000, marks: 3_000_000 },
  /** What a server says of itself, in UTF-16 units. */
  serverInfo: { name: 256, version: 256, instructions: 64 * 1024 },
  /** Text of a server in an error, in UTF-16 units, and levels of nesting in a result. */
  answer: { errorText: 4_096, depth: 500 },
  /** Commands of the system that list or end processes (macOS, Windows). */
  processTable: { command: 5_000, output: 16 * 1024 * 1024 },
  /** CONN-7: the login shell is asked for PATH. */
  loginShell: { timeout: 5_000, output: 256 * 1024, path: 32 * 1024 },
  /** CONN-6: a launcher without a server process under it after `silentAfter` counts as installing; looked at every `poll`. */
  installing: { silentAfter: 2_000, poll: 1_000, detail: 200 },
  /** TRUST-2: what launchers read: one file, folders from the working one up, and arguments that may name a package. */
  launcherFiles: { bytes: 1024 * 1024, folders: 64, words: 8 },
  /**
   * GATE-9: servers that are shown of the files of other clients; how long one file may take, and how soon after a look the
   * next one is worth it, in milliseconds; take-overs that can be undone; UTF-16 units of a file that a preview shows whole,
   * and of an entry, which is all that one system lets a program be started with.
   */
  found: { servers: 300, file: 5_000, pause: 2_000, records: 200, preview: 256 * 1024, entry: 32 * 1024 },
  /**
   * DISC-1, DISC-2; lengths of text are in UTF-16 units. `total`: all that is kept of one server's lists, and `item`: one
   * item with all its fields, both with `perValue` for each value besides its text, as it is in memory. 10,000 tools of 13 KiB pass.
   */
  discovery: {
    pages: 100,
    items: 10_000,
    item: 4 * 1024 * 1024,
    total: 128 * 1024 * 1024,
    perValue: 32,
    cursor: 64 * 1024,
    name: 256,
    description: 8 * 1024,
    schemaBytes: 256 * 1024,
    schemaDepth: 64,
    /** Of the item as a whole, unknown fields included. */
    itemDepth: 128,
    rejectedKept: 100,
    coalesce: 50,
    refreshPerMinute: 60,
  },
  /** DISC-4, DISC-5: the wait for an acknowledgement, the back-off of listening again, subscribed resources. */
  subscription: {
    acknowledge: 10_000,
    retryFirst: 1_000,
    retryMost: 30_000,
    retries: 5,
    stable: 60_000,
    resources: 256,
  },
  /** DISC-7: suggestions of one completion. */
  completion: { values: 100, value: 1_024 },
  /** DISC-6 */
  mirroredHeaders: { count: 32, value: 2_048, total: 8_192, warnings: 20 },
  /** TOOL-5: towards a model. */
  modelOutput: {
    text: 50_000,
    images: 8,
    imageBase64: 5 * 1024 * 1024,
    blocks: 64,
    /** Of one link, in UTF-16 units: its address, and each other field. */
    linkUri: 2_000,
    linkField: 500,
  },
  /** TOOL-3 */
  schemaCheck: {
    patternTime: 50,
    time: 1_000,
    workerStart: 10_000,
    workerIdle: 30_000,
    workerHeapMiB: 128,
    // The copy to the thread is work here: a value weighs as much as so many characters of text.
    valueSize: 4 * 1024 * 1024,
    perValue: 128,
    errors: 10,
    errorLength: 400,
  },
  /**
   * POL-1: a question about a call that nobody answers for so long is a no. `callAgain`: a caller that may time out is
   * told so after this long; `served`: how long the answer then waits for the call to come again. `open`: questions that
   * wait at the same time, and `kept`: answers that wait for a call.
   */
  confirmation: { answer: 600_000, callAgain: 45_000, served: 300_000, open: 100, kept: 100 },
  /** POL-2: what is kept of one server's definitions on disk, in bytes, and for how many servers. */
  knownTools: { bytes: 4 * 1024 * 1024, servers: 1_000 },
  /**
   * Parts of a result on its page, and UTF-16 units of one as text on a terminal, of a text that is laid out as JSON, and of
   * a part of a kind that we do not know: all of it is given as JSON.
   */
  shownResult: { parts: 500, text: 16 * 1024 * 1024, laidOut: 2_000_000, unknownPart: 100_000 },
  /** The calls kept for display, in memory only; sizes are measured up to `measured`, in UTF-16 units. */
  recentCalls: { kept: 200, measured: 256 * 1024 },
  /**
   * POL-3: one file of the journal, all of them together (but for those in use), and their number; one line; a name in
   * it, in UTF-16 units; how long a call waits for the disk, and how many lines may wait there; how long a file is kept
   * of which nobody here can say whether its process still runs; calls that are read for display.
   */
  journal: {
    file: 1024 * 1024,
    total: 8 * 1024 * 1024,
    files: 64,
    line: 4_096,
    name: 128,
    folder: 1_024,
    write: 5_000,
    waiting: 1_000,
    leftOver: 30 * 24 * 3_600_000,
    shown: 500,
  },
  /**
   * GATE-1, GATE-2. Bytes of one body; how long a head, a whole request and an idle connection may take, and how often that is looked at; sessions, how
   * often they are looked through and how long one may go unused; from the last byte of a silent stream to a comment that
   * keeps it open, and from a request to the first one; bytes that wait for a client that does not read before its stream
   * ends, comments in a row that find it so, and how long an answer waits for it; what a body may hold (see `json`); requests of one session under way at the same time; characters of one page of a list;
   * calls that wait for a client's next request with an answer, and how long they do; questions in a row of one call, and
   * how long others are waited for that come with one. `ownerLook`: from the break of a connection to the look whether the
   * process behind it is gone. `socketLook`: how long a socket that is there may leave open whether anybody listens.
   * `farewell`: how long answers may take to go out at the end. `ownerSessions`: of the sessions, those of one process that
   * said they are its own. `connections`: at the port, and at the socket, whoever is behind them. `away`: how long a
   * call keeps others' questions from being told apart while its client has one of its own.
   */
  gateway: {
    body: 10 * 1024 * 1024,
    head: 10_000,
    request: 60_000,
    idleConnection: 65_000,
    look: 5_000,
    sessions: 64,
    ownerSessions: 16,
    connections: 1_024,
    reap: 60_000,
    unused: 12 * 3_600_000,
    ownerLook: 250,
    socketLook: 1_000,
    farewell: 250,
    keepAlive: 15_000,
    unread: 8 * 1024 * 1024,
    unreadComments: 4,
    unreadFor: 60_000,
    json: { depth: 200, marks: 1_000_000 },
    underWay: 1_000,
    pendingCalls: 64,
    pendingAnswer: 600_000,
    away: 5_000,
    rounds: 16,
    gather: 100,
    listPage: 8 * 1024 * 1024,
  },
  /**
   * GATE-4, TOOL-5. How long a first list waits where nothing is known of any server yet; how long changes of lists are
   * gathered before they are announced; older lists whose cursors still go on. `results`: those that were cut towards a
   * model and are kept whole: their number, all of them together and one page of one in UTF-16 units, parts of a page, and
   * how long they are kept. `page`: what tools of ours list at once, and `text` of what they answer in UTF-16 units, with
   * so much of each description. `found`: tools that a search answers.
   */
  aggregate: {
    firstList: 3_000,
    coalesce: 100,
    olderLists: 4,
    results: { count: 64, size: 16 * 1024 * 1024, page: 40_000, parts: 48, kept: 3_600_000 },
    page: { usual: 20, most: 100 },
    text: 50_000,
    description: 300,
    found: { usual: 10, most: 50 },
    query: 1_000,
  },
  /**
   * GATE-5, of a proxy that is attached to a window, in milliseconds. `window`: how long a request waits for one after the
   * last went away, and `near`: how long of it only one as near as that is taken. `look`: between two looks while somebody
   * waits, `idleLook`: while nobody does, `nearer`: for a nearer one. `avoid`: how long a window is left alone that did not
   * answer, `hello`: how long it has for a handshake, `silence`: how long a connection may say nothing at all (the gateway
   * comments on it). `again`: until a cancellation that changed nothing is said again. `lastAnswers`: how long what is under
   * way may still be answered when stdin has ended, `farewell`: how long sessions have to end.
   * `subscriptions`: of an agent's, those that the next window is told.
   * `frame`: bytes of one line; `unread`: bytes that may wait for an agent that does not read before it is not heard.
   */
  proxy: {
    window: 10_000,
    near: 3_000,
    look: 100,
    idleLook: 1_000,
    nearer: 3_000,
    avoid: 1_000,
    hello: 5_000,
    silence: 60_000,
    again: 100,
    lastAnswers: 250,
    farewell: 1_000,
    subscriptions: 1_000,
    frame: 64 * 1024 * 1024,
    unread: 8 * 1024 * 1024,
  },
  /** GATE-5: descriptors of windows that are read, and bytes of one. */
  windows: { files: 200, bytes: 64 * 1024 },
  /**
   * GATE-5: the copied command line. Bytes of its list, and of the mark of a process that uses it; programs of editors that
   * the launcher tries; how long the launcher has named another build before an old one may go, and a mark has its name;
   * how often a process renews its mark, and how long one counts of which nobody here can say whether its process lives.
   */
  launcher: {
    list: 64 * 1024,
    mark: 4_096,
    runtimes: 8,
    settle: 60_000,
    renewMark: 12 * 3_600_000,
    foreignMark: 3 * 24 * 3_600_000,
  },
  /** POL-2: what one review shows, in UTF-16 units, and how many lines that differ are told apart. */
  toolReview: { shown: 1024 * 1024, edits: 2_000 },
  /** TOOL-4: what a failed tool said, as far as a person has to read it. */
  toolFailureText: 2_000,
  /** CFG-7 */
  config: {
    fileBytes: 4 * 1024 * 1024,
    depth: 64,
    servers: 500,
    /** Values in one list or object of a file. */
    items: 10_000,
    envFileBytes: 256 * 1024,
    /** Secrets that are marked in the text of one file. */
    foundSecrets: 100,
    lockWait: 10_000,
    /** Between two tries for the lock of the one who is next. */
    lockRetry: 3,
    lockBytes: 4_096,
    /** How long one holder keeps a lock before anyone asks whether it still lives. */
    lockSuspicion: 100,
    /** Drafts and claims of locks older than this are left-overs of processes that died. */
    leftOver: 60_000,
    /** A reader or a rename that another program's open handle disturbs (Windows). */
    busyWait: 2_000,
    busyRetry: 25,
    /** From a change on disk to reading it; editors write in several steps. */
    settle: 100,
    /** Where the system reports no changes (network folders, exhausted watches). */
    poll: 3_000,
  },
  /**
   * GATE-8, GATE-9: files of other clients, in bytes, and of two formats in UTF-16 units. `backups`: copies that are
   * kept; `command`: how long a client's own command may take, and `output`: bytes it may print.
   */
  agents: {
    fileBytes: 16 * 1024 * 1024,
    tomlLength: 256 * 1024,
    yamlLength: 128 * 1024,
    entries: 500,
    backups: 20,
    command: 20_000,
    output: 64 * 1024,
    detect: 5_000,
    write: 15_000,
    uninstall: 4_000,
  },
  /** UI-2: a test ends after this long without a sign of life, and in any case after the ceiling. */
  diagnosis: { idle: 30_000, ceiling: 120_000, issues: 20 },
  /** DISC-8: what is kept of all servers' lists in one file, in bytes; more would make the editor's start slow. */
  keptLists: { bytes: 4 * 1024 * 1024 },
  /** Log rings of one server: all lines together, and one line, in UTF-16 units. */
  log: { ring: 512 * 1024, line: 8 * 1024 },
  /**
   * Remote answers. `body`: one JSON body or one event of a stream; `refusalBody`: the body of a refused request, cut;
   * `excerpt`, `location`: what a sentence repeats of it, and of where it redirects to, in UTF-16 units;
   * `reconnects`: of a resumable stream; `keepAlive`: until TCP probes a silent connection;
   * `reopen`: until a stream that was given up is opened anew; `farewell`: how long the DELETE of a session may take (CONN-8).
   */
  http: {
    redirects: 5,
    errorBody: 4_096,
    excerpt: 200,
    location: 200,
    refusalBody: 64 * 1024,
    headers: 32 * 1024,
    body: 64 * 1024 * 1024,
    reconnects: 8,
    keepAlive: 30_000,
    reopen: 60_000,
    farewell: 2_000,
  },
} as const;
