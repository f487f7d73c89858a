/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const policy: readonly import('../lib/mutation.mjs').Mutation[];
