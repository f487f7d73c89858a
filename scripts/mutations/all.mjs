// Every guard that is broken on purpose; one list a subject.
import { approval } from './approval.mjs';
import { config } from './config.mjs';
import { gateway } from './gateway.mjs';
import { keep } from './keep.mjs';
import { policy } from './policy.mjs';
import { reach } from './reach.mjs';
import { trust } from './trust.mjs';
import { window } from './window.mjs';

/** @type {readonly import('../lib/mutation.mjs').Mutation[]} */
export const mutations = [...trust, ...approval, ...policy, ...config, ...reach, ...gateway, ...window, ...keep];
