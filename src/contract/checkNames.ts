// The checks of a diagnosis and what they are called. The extension localises the words by their English text; the
// command line prints them as they are.

export type CheckName =
  | 'definition'
  | 'target'
  | 'transport'
  | 'signIn'
  | 'initialise'
  | 'tools'
  | 'resources'
  | 'resourceTemplates'
  | 'prompts'
  | 'call';

/** Why a check was not made. */
export type SkipReason = 'notNeeded' | 'notOffered' | 'notReached' | 'notAnswered' | 'notAsked';

/** In the order in which they are made. */
export const checkNames: Readonly<Record<CheckName, string>> = {
  definition: 'Definition and variables',
  target: 'Command or URL',
  transport: 'Transport',
  signIn: 'Sign-in',
  initialise: 'Initialise',
  tools: 'List tools',
  resources: 'List resources',
  resourceTemplates: 'List resource templates',
  prompts: 'List prompts',
  call: 'Call a tool',
};

export const skipReasons: Readonly<Record<SkipReason, string>> = {
  notNeeded: 'a local process needs none',
  notOffered: 'the server offers none',
  notReached: 'not reached',
  notAnswered: 'not known, as nothing was answered',
  notAsked: 'no tool was chosen',
};
