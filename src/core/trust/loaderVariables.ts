// The one list of environment variables that can change which code a program loads or which program is run (TRUST-5).
// A project may not set them. `*` stands for any ending.

export const loaderVariables: readonly string[] = [
  ...['PATH', 'PATHEXT'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'npm_config_*'],
  ...['PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'UV_*', 'PIP_*'],
  ...['RUBYOPT', 'RUBYLIB', 'PERL5OPT', 'PERL5LIB'],
  ...['LD_*', 'DYLD_*'],
  ...['GIT_CONFIG*', 'GIT_SSH*'],
  ...['BASH_ENV', 'ENV', 'ZDOTDIR'],
  ...['JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'CLASSPATH', 'DOTNET_STARTUP_HOOKS'],
];

/** Whether a variable of this name is on the list. Names have no case on Windows; npm ignores the case of its own everywhere. */
export function isLoaderVariable(name: string, platform: NodeJS.Platform): boolean {
  return loaderVariables.some((listed) => {
    const foldCase = platform === 'win32' || listed === 'npm_config_*';
    const [wanted, given] = foldCase ? [listed.toLowerCase(), name.toLowerCase()] : [listed, name];
    return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
  });
}
