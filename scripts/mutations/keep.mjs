// The guards of processes that a dead owner left: all of them are ended, and never another one (KEEP-5).

const dead = { file: 'src/core/guard/deadOwners.ts', test: 'test/unit/core/guard/deadOwners.test.ts' };
const tree = { file: 'src/core/guard/ownedTree.ts', test: 'test/unit/core/guard/ownedTree.test.ts' };
const select = { file: 'src/core/transport/selectTree.ts', test: 'test/unit/core/guard/ownedTree.test.ts' };

/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const keep = [
  {
    ...dead,
    clauses: ['KEEP-5b'],
    guard: 'an owner whose pid is another program’s by now is dead',
    text: '(table.knowsOwnStart && now.start !== owner.start)',
    becomes: 'false',
    title: 'is dead without a process, as a zombie, and where another process has its pid',
  },
  {
    ...dead,
    clauses: ['KEEP-5b'],
    guard: 'an owner that the list does not show may live',
    text: 'return !exists(owner.pid);',
    becomes: 'return true;',
    title: 'lives as the same process, and may where the list hides it or its start is not told exactly',
  },
  {
    ...dead,
    clauses: ['KEEP-5b'],
    guard: 'an owner of another container is not judged',
    text: 'if (owner.namespace !== table.namespace) return false;',
    becomes: '',
    title: 'is never judged from another container',
  },
  {
    ...tree,
    clauses: ['KEEP-5b'],
    guard: 'a mark counts for the dead owner it names alone',
    text: 'owners.some((one) => isSameOwner(one, owner))',
    becomes: 'owners.length > 0',
    title: 'is what carries a mark of theirs among others, and what descends from it; nothing else, ourselves neither',
  },
  {
    ...select,
    clauses: ['KEEP-5b'],
    guard: 'a later process with the number of a child is not that child',
    text: 'start >= root.start && start <= (root.latest ?? Infinity)',
    becomes: 'start >= root.start',
    title: 'is no process that has the number of such a child, but started before or later, nor what that one leads',
  },
  {
    ...tree,
    clauses: ['KEEP-5b'],
    guard: 'what a killed owner’s processes started by themselves is found by its mark',
    text: 'marked,\n      self',
    becomes: 'marked: new Set(),\n      self',
    title: 'is what carries a mark of theirs among others, and what descends from it; nothing else, ourselves neither',
  },
  {
    file: 'src/core/guard/guardProcess.ts',
    test: 'test/scenarios/ownerGuard.test.ts',
    clauses: ['KEEP-5b'],
    guard: 'an owner that only closed the pipe keeps its servers',
    text: 'if (!(await isGone(owner, table))) return;',
    becomes: 'await isGone(owner, table);',
    title: 'survives an owner that only closed the pipe to its guard, and is told from it by its mark',
  },
  {
    file: 'src/core/guard/endLeftovers.ts',
    test: 'test/scenarios/ownerGuard.test.ts',
    clauses: ['KEEP-5b'],
    guard: 'the next owner ends what a dead guard could not',
    text: 'owners.length + roots.length === 0 ?',
    becomes: 'owners.length + roots.length >= 0 ?',
    title: 'is ended by the next owner where the guard was killed as well [KEEP-5b]',
  },
  {
    file: 'src/core/guard/ownerGuard.ts',
    test: 'test/scenarios/ownerGuard.test.ts',
    clauses: ['KEEP-5b'],
    guard: 'a guard is there before the first child',
    text: 'this.#own = identity;\n    this.#watch();',
    becomes: 'this.#own = identity;',
    title: 'is gone though the signal went to the whole group of the owner [KEEP-5b]',
  },
];
