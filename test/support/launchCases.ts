// Random stdio definitions together with what lies on disk around them, and single changes of either: the input of the
// oracle in test/scenarios/launchOracle.test.ts. Pure. A case is plain data, so that a counterexample can be read.
import fc from 'fast-check';

/** What lies on disk; each field is one link or file of launchLane.ts. */
export interface Disk {
  /** bin/tool, which PATH finds. */
  readonly tool: Program;
  /** first/tool, in an earlier folder of PATH. */
  readonly earlier: Program | 'absent';
  /** work/run: through bin/tool, or to a program itself. */
  readonly run: 'tool' | Program;
  /** work/here, a folder's link. */
  readonly here: Folder;
  /** Contents of work/.env and work/other.env. */
  readonly env: string;
  readonly other: string;
  /** work/more.env, a link. */
  readonly more: '.env' | 'other.env';
  /** work/.npmrc, which the launcher npx reads; empty: there is none. */
  readonly npmrc: string;
}

export type Program = 'program-1' | 'program-2';
export type Folder = 'sub' | 'sub2';

export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly cwd?: string;
  /** Keys that change nothing of what runs. */
  readonly idle: Readonly<Record<string, unknown>>;
}

export interface LaunchCase {
  readonly scope: 'project' | 'user';
  readonly disk: Disk;
  readonly entry: Entry;
}

/** One thing that another hand may do to a case; `apply` may find nothing to do. */
export interface Change {
  readonly kind: ChangeKind;
  readonly text: string;
  readonly at: number;
}

export type ChangeKind = keyof typeof changes;

/** What no launch may differ by: the same case, written otherwise. */
export const idleKinds: readonly ChangeKind[] = ['nothing', 'idle keys', 'order of env', 'spelling of a place'];

export function changed({ kind, text, at }: Change, before: LaunchCase): LaunchCase {
  return changes[kind](before, text, at);
}

/** Paths are written as in a definition; LANE stands for the folder of launchLane.ts. */
const commands = [
  ...['npx', 'npx', '../bin/npx'],
  'tool',
  './run',
  '${workspaceFolder}/run',
  'LANE/work/run',
  './here/run',
  '../bin/tool',
  '../bin/program-1',
  'LANE/bin/program-2',
  '${env:TOOL}',
];
const folders = ['.', 'sub', './sub2', 'here', '${workspaceFolder}/sub', '${userHome}', 'LANE/work/sub2', '${env:DIR}'];
const envFiles = ['.env', './.env', 'other.env', 'more.env', 'LANE/work/.env', '${env:FILE}'];
const atoms = [
  ...['a', 'b', 'ab', ' ', '-', '=', '"', "'", '\\', '\n', '\t', 'é', '\u{1F600}', '\u202E', '*', '~', '#', '\u0001'],
  ...['$', '$A', '$(touch made)', '`touch made`', '$${env:A}', '%PATH%', 'LANE/work', '-c', '--'],
  ...['${env:A}', '${env:B}', '${env:NONE:-\u2039none\u203A}', '${input:i}', '${secret:s}'],
  ...['${workspaceFolder}', '${userHome}'],
];
const names = ['A', 'B', 'a', 'MODE', 'X.Y', 'TOKEN'];
const contents = [
  '',
  'A=1\n',
  'A=2\n',
  'B=1\nA=1\n',
  'export A=1\n',
  "A='1'\n",
  'B="x\\ny"\n',
  '# A=1\n',
  'MODE=${env:A}\n',
];

const npmrcs = ['', 'fund=false\n', 'node-options=--require=./evil.cjs\n'];

const program = fc.constantFrom<Program>('program-1', 'program-2');
const text = fc.array(fc.constantFrom(...atoms), { maxLength: 3 }).map((pieces) => pieces.join(''));
const env = fc
  .array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs));
const disk: fc.Arbitrary<Disk> = fc.record({
  tool: program,
  earlier: fc.constantFrom<Program | 'absent'>('absent', 'absent', 'program-1', 'program-2'),
  run: fc.constantFrom<'tool' | Program>('tool', 'program-1', 'program-2'),
  here: fc.constantFrom<Folder>('sub', 'sub2'),
  env: fc.constantFrom(...contents),
  other: fc.constantFrom(...contents),
  more: fc.constantFrom<'.env' | 'other.env'>('.env', 'other.env'),
  npmrc: fc.constantFrom(...npmrcs),
});
const entry: fc.Arbitrary<Entry> = fc.record(
  {
    command: fc.constantFrom(...commands),
    args: fc.array(text, { maxLength: 3 }),
    env,
    envFile: fc.constantFrom(...envFiles),
    cwd: fc.constantFrom(...folders),
    idle: fc.constant({}),
  },
  { requiredKeys: ['command', 'args', 'env', 'idle'] },
);

export const anyCase: fc.Arbitrary<LaunchCase> = fc.record({
  scope: fc.constantFrom<'project' | 'user'>('project', 'project', 'project', 'user'),
  disk,
  entry,
});

type Changer = (before: LaunchCase, text: string, at: number) => LaunchCase;

const onDisk =
  (change: (disk: Disk, text: string, at: number) => Partial<Disk>): Changer =>
  (before, given, at) => ({ ...before, disk: { ...before.disk, ...change(before.disk, given, at) } });
const inEntry =
  (change: (entry: Entry, text: string, at: number) => Partial<Entry>): Changer =>
  (before, given, at) => ({ ...before, entry: { ...before.entry, ...change(before.entry, given, at) } });

const changes = {
  nothing: inEntry(() => ({})),
  'idle keys': inEntry((_, description) => ({
    idle: {
      description,
      autostart: true,
      timeouts: { call: 1_000 },
      toolPolicies: { '*': 'ask' },
      unknown: [description],
    },
  })),
  'order of env': inEntry((now) => ({ env: Object.fromEntries(Object.entries(now.env).reverse()) })),
  'spelling of a place': inEntry(respelt),
  command: inEntry((_, __, at) => ({ command: pick(commands, at) })),
  'an argument': inEntry((now, given, at) => ({
    args: now.args.map((arg, index) => (index === at % now.args.length ? given : arg)),
  })),
  'an argument more': inEntry((now, given, at) => ({ args: now.args.toSpliced(at % (now.args.length + 1), 0, given) })),
  'an argument less': inEntry((now, _, at) => ({ args: now.args.toSpliced(at % (now.args.length || 1), 1) })),
  'two arguments as one': inEntry((now, _, at) => ({ args: joined(now.args, at) })),
  'order of arguments': inEntry((now) => ({ args: now.args.toReversed() })),
  cwd: inEntry((_, __, at) => ({ cwd: pick(folders, at) })),
  'a value of env': inEntry((now, given, at) => {
    const name = Object.keys(now.env)[at % 3];
    return name === undefined ? {} : { env: { ...now.env, [name]: given } };
  }),
  'a variable more': inEntry((now, given, at) => ({ env: { ...now.env, [pick(names, at)]: given } })),
  'a variable less': inEntry((now, _, at) => ({
    env: Object.fromEntries(Object.entries(now.env).filter((__, index) => index !== at % 3)),
  })),
  envFile: inEntry((_, __, at) => ({ envFile: pick(envFiles, at) })),
  'content of .env': onDisk((_, __, at) => ({ env: pick(contents, at) })),
  'content of other.env': onDisk((_, __, at) => ({ other: pick(contents, at) })),
  'content of .npmrc': onDisk((_, __, at) => ({ npmrc: pick(npmrcs, at) })),
  'link of an envFile': onDisk((now) => ({ more: now.more === '.env' ? 'other.env' : '.env' })),
  'link of the command': onDisk((now, _, at) => ({ run: pick(['tool', 'program-1', 'program-2'] as const, at) })),
  'link behind the link': onDisk((now) => ({ tool: other(now.tool) })),
  'link of a folder': onDisk((now) => ({ here: now.here === 'sub' ? 'sub2' : 'sub' })),
  'program earlier in PATH': onDisk((_, __, at) => ({
    earlier: pick(['absent', 'program-1', 'program-2'] as const, at),
  })),
} satisfies Record<string, Changer>;

export const changeKinds = Object.keys(changes) as readonly ChangeKind[];

export const anyChange: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(...changeKinds),
  text,
  at: fc.nat(59),
});

/** The folder of the workspace by its path, where the definition's file names it by variable, and the reverse. */
function respelt(now: Entry): Partial<Entry> {
  const swapped = (from: string): string =>
    from.includes('${workspaceFolder}')
      ? from.replaceAll(/(?<!\$)\$\{workspaceFolder\}/g, 'LANE/work')
      : from.replaceAll(/(?<!\$)LANE\/work/g, () => '${workspaceFolder}');
  return { command: swapped(now.command), args: now.args.map(swapped), ...(now.cwd && { cwd: swapped(now.cwd) }) };
}

function joined(args: readonly string[], at: number): readonly string[] {
  const index = at % (args.length || 1);
  const [first, second] = args.slice(index);
  return second === undefined ? args : args.toSpliced(index, 2, `${first} ${second}`);
}

function other(now: Program): Program {
  return now === 'program-1' ? 'program-2' : 'program-1';
}

function pick<const T extends string>(list: readonly T[], at: number): T {
  return list[at % list.length]!;
}
