/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const mutations: readonly import('../lib/mutation.mjs').Mutation[];
