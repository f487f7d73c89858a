/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const approval: readonly import('../lib/mutation.mjs').Mutation[];
