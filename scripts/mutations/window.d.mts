/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const window: readonly import('../lib/mutation.mjs').Mutation[];
