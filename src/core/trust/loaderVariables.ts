// The one list of environment variables that can change which code a program loads or which program is run: those of
// TRUST-5, and more of their kind. A project may not set them. `*` stands for any ending.

export const loaderVariables: readonly string[] = [
  ...['PATH', 'PATHEXT', 'COMSPEC'],
  ...['NODE_OPTIONS', 'BUN_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'npm_config_*', 'COREPACK_*', 'YARN_*'],
  ...['PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'PYTHONUSERBASE', 'PYTHONBREAKPOINT', 'UV_*', 'PIP_*'],
  ...['RUBYOPT', 'RUBYLIB', 'GEM_HOME', 'GEM_PATH', 'BUNDLE_GEMFILE', 'PERL5OPT', 'PERL5LIB', 'PERL5DB'],
  ...['LD_*', 'DYLD_*', 'GLIBC_TUNABLES', 'GCONV_PATH', 'OPENSSL_CONF', 'OPENSSL_MODULES', 'OPENSSL_ENGINES'],
  ...['GIT_CONFIG*', 'GIT_SSH*', 'GIT_EXEC_PATH', 'GIT_EXTERNAL_DIFF', 'GIT_ASKPASS', 'SSH_ASKPASS'],
  ...['BASH_ENV', 'ENV', 'SHELLOPTS', 'PS4', 'ZDOTDIR'],
  ...['JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'CLASSPATH'],
  ...['DOTNET_STARTUP_HOOKS', 'DOTNET_ADDITIONAL_DEPS', 'DOTNET_SHARED_STORE', 'CORECLR_*', 'COR_PROFILER*'],
];

/** Whether a variable of this name is on the list. Names have no case on Windows; npm ignores the case of its own everywhere. */
export function isLoaderVariable(name: string, platform: NodeJS.Platform): boolean {
  return loaderVariables.some((listed) => {
    const foldCase = platform === 'win32' || listed === 'npm_config_*';
    const [wanted, given] = foldCase ? [listed.toLowerCase(), name.toLowerCase()] : [listed, name];
    return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
  });
}
