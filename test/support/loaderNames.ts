/** Those that the specification names (TRUST-5), written down here as well: one that leaves the product's list is missed. */
export const loaderNames: readonly string[] = [
  ...[
    'PATH',
    'PATHEXT',
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONPATH',
    'PYTHONHOME',
    'PYTHONSTARTUP',
    'RUBYOPT',
    'RUBYLIB',
  ],
  ...['PERL5OPT', 'PERL5LIB', 'LD_*', 'DYLD_*', 'GIT_CONFIG*', 'GIT_SSH*', 'BASH_ENV', 'ENV', 'ZDOTDIR'],
  ...['JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'CLASSPATH', 'DOTNET_STARTUP_HOOKS', 'npm_config_*', 'UV_*', 'PIP_*'],
];
