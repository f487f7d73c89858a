/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const trust: readonly import('../lib/mutation.mjs').Mutation[];
