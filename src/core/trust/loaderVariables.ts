// The one list of environment variables that can change which code a program loads or which program is run: those of
// TRUST-5, and more of their kind. A project may not set them. `*` stands for any beginning or ending.

/** Names that point programs at another home, configuration or helper, whatever program it is; then those of the programs. */
export const loaderVariables: readonly string[] = `
  *_HOME *_CONFIG *_CONFIG_DIR *_CONFIG_FILE *_CONFIG_HOME *_CONFIG_PATH *_EDITOR *_PAGER *_ASKPASS XDG_* BASH_FUNC_*

  PATH PATHEXT COMSPEC SHELL EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE
  HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA ALLUSERSPROFILE
  PROGRAMFILES SYSTEMROOT WINDIR PSMODULEPATH KUBECONFIG
  NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_COMPILE_CACHE BUN_* DENO_*
  npm_config_* pnpm_config_* yarn_* COREPACK_* N_PREFIX NVM_* FNM_* VOLTA_* ASDF_* MISE_*
  PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONPYCACHEPREFIX
  PYTHONWARNINGS PYTHONINSPECT PYTHONPLATLIBDIR PYTHONEXECUTABLE VIRTUAL_ENV CONDA_*
  UV_* PIP_* PIPX_* PIPENV_* POETRY_* PDM_* HATCH_* PYENV_*
  RUBYOPT RUBYLIB GEM_* BUNDLE_* BUNDLER_* RBENV_* PERL5* PERLLIB PERL_MM_OPT PERL_MB_OPT
  LUA_INIT* LUA_PATH* LUA_CPATH* PHPRC PHP_INI_SCAN_DIR TCLLIBPATH R_PROFILE* R_ENVIRON*
  R_LIBS* JULIA_LOAD_PATH JULIA_DEPOT_PATH JULIA_PROJECT ERL_* ELIXIR_ERL_OPTIONS
  GOFLAGS GOPATH GOROOT GOBIN GOENV GOPROXY GOTOOLCHAIN CARGO_* RUSTUP_* RUSTC* RUSTFLAGS
  LD_* DYLD_* GLIBC_TUNABLES GCONV_PATH LOCPATH OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES
  GTK_MODULES GTK_PATH GIO_EXTRA_MODULES GIO_MODULE_DIR QT_PLUGIN_PATH QML_IMPORT_PATH
  GIT_CONFIG* GIT_SSH* GIT_EXEC_PATH GIT_EXTERNAL_DIFF GIT_TEMPLATE_DIR GIT_PROXY_COMMAND
  GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
  GIT_INDEX_FILE GIT_ALLOW_PROTOCOL GIT_ATTR_SOURCE HGRCPATH HGPLAIN
  BASH_ENV ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND ZDOTDIR FPATH CDPATH IFS
  JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_* JAVA_OPTS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS CLASSPATH
  DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE DOTNET_ROOT* DOTNET_HOST_PATH
  NUGET_PACKAGES CORECLR_* COR_PROFILER* COR_ENABLE_PROFILING
`
  .trim()
  .split(/\s+/);

/** Where well-known servers keep data of their own, and nothing that is run. */
const dataFolders: ReadonlySet<string> = new Set(['BASIC_MEMORY_HOME']);

/** Whether a variable of this name is on the list. Names have no case on Windows; npm and yarn ignore it everywhere. */
export function isLoaderVariable(name: string, platform: NodeJS.Platform): boolean {
  if (dataFolders.has(name)) return false;
  return loaderVariables.some((listed) => {
    const foldCase = platform === 'win32' || /^[a-z]/.test(listed);
    const [wanted, given] = foldCase ? [listed.toLowerCase(), name.toLowerCase()] : [listed, name];
    if (wanted.startsWith('*')) return given.endsWith(wanted.slice(1));
    return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
  });
}

/** Whether no ordinary variable is called so: shells keep functions under such names. */
export function isOddName(name: string): boolean {
  return !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name);
}

/** Whether a shell may take the value for a function, and run what stands behind it. */
export function isShellFunction(value: string): boolean {
  return /^\s*\(\s*\)\s*\{/.test(value);
}
