import type { JsonObject } from '../contract/json.ts';

/** What all servers as one declare, whichever servers there are: all of it is answered by us. */
export const aggregateCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} satisfies JsonObject;
