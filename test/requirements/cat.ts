import type { Clause } from './clause.ts';

export const cat: readonly Clause[] = [
  {
    id: 'CAT-1a',
    stage: 5,
    status: 'open',
    text: 'The bundled catalog pins executable packages to reviewed versions.',
  },
  {
    id: 'CAT-1b',
    stage: 5,
    status: 'open',
    text: 'Provenance and integrity are checked on the bytes that run, where the registry gives them.',
  },
  {
    id: 'CAT-1c',
    stage: 5,
    status: 'open',
    text: 'Templates that need something of the person install disabled until it is complete and enabled.',
  },
  { id: 'CAT-1d', stage: 5, status: 'open', text: 'Nothing is called connected or authorised before it is.' },
  { id: 'CAT-1e', stage: 5, status: 'open', text: 'Credentials go to env or secret storage, never to args.' },
  { id: 'CAT-1f', stage: 5, status: 'open', text: 'The catalog only writes entries and is no second truth.' },
  { id: 'CAT-1g', stage: 4, status: 'open', text: 'The default entry is a persistent chrome-devtools.' },
  {
    id: 'CAT-2a',
    stage: 5,
    status: 'open',
    text: 'An install is a cancellable transaction, one per server id, from plan over write to first connect.',
  },
  { id: 'CAT-2b', stage: 5, status: 'open', text: 'Its progress is shown.' },
  {
    id: 'CAT-2c',
    stage: 5,
    status: 'open',
    text: 'Cancelling ends the connect, waits for the write in progress and rolls back only what is still ours.',
  },
  {
    id: 'CAT-2d',
    stage: 5,
    status: 'open',
    text: 'A cancelled entry never comes back, and a late result never overwrites a rollback.',
  },
  { id: 'CAT-2e', stage: 5, status: 'open', text: 'The install of a window that died is undone at the next start.' },
  { id: 'CAT-3a', stage: 5, status: 'open', text: 'The remote catalog is signed, with the last good copy kept.' },
  { id: 'CAT-3b', stage: 5, status: 'open', text: 'The MCP registry can be searched.' },
  { id: 'CAT-3c', stage: 5, status: 'open', text: 'An update shows the difference of command, env and permissions.' },
  { id: 'CAT-3d', stage: 5, status: 'open', text: 'Forms guide the set-up.' },
  {
    id: 'CAT-4a',
    stage: 5,
    status: 'open',
    text: 'Imported JSON goes raw to the one normaliser of the store, which knows the shapes of other clients and merges.',
  },
];
