// The keys of a configuration file's format, by place.

/** Keys that belong to the format; anything else in an entry is kept and ignored. */
export const entryKeys = [
  ...['command', 'args', 'env', 'envFile', 'cwd', 'persistent', 'isolation', 'roots'],
  ...['url', 'transport', 'headers', 'oauth'],
  ...['protocol', 'enabled', 'autostart', 'toolPolicies', 'timeouts', 'description'],
] as const;

export const timeoutKeys = ['connect', 'list', 'call', 'request', 'stop'] as const;
export const oauthKeys = ['clientId', 'clientSecret', 'scopes', 'metadataUrl', 'redirect'] as const;
