/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const reach: readonly import('../lib/mutation.mjs').Mutation[];
