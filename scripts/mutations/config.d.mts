/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const config: readonly import('../lib/mutation.mjs').Mutation[];
