// All that knows the SDK, in one module that is imported when the first connection is opened: reading it holds the loop up
// for longer than everything else of a start.
export { openRemote } from './openRemote.ts';
export { openStdio } from './openStdio.ts';
