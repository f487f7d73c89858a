/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const keep: readonly import('../lib/mutation.mjs').Mutation[];
