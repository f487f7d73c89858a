/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const gateway: readonly import('../lib/mutation.mjs').Mutation[];
