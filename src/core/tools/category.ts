// What a tool may do to the world, as a mode that only looks has to know it (TOOL-6). Promises: a tool of a configured
// server counts as sending what it is given over a network, whatever its annotations say of it: they are the server's
// own words. Code that composes the manager may only choose something stricter; what it says else changes nothing.

/** From the most harmless to the strictest. */
export const categories = ['read', 'write', 'network_send', 'execute'] as const;
export type ToolCategory = (typeof categories)[number];

/** What is offered: everything, or what a plan may use, which changes nothing and tells nobody. */
export type ToolMode = 'act' | 'plan';

/** The category of a configured server's tool, where a composition chose `chosen` for it. */
export function configuredCategory(chosen?: ToolCategory): ToolCategory {
  return chosen !== undefined && categories.indexOf(chosen) > categories.indexOf(least) ? chosen : least;
}

/** What is no mode that we know is held to be the narrower one. */
export function isOffered(category: ToolCategory, mode: ToolMode = 'act'): boolean {
  return mode === 'act' || category === 'read';
}

const least: ToolCategory = 'network_send';
