// Directions between folders; the compiler holds the same by project references, this also holds them inside the core.
const forbid = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to: { path: to } });
const inside = (name, folder, allowed) => ({
  name,
  severity: 'error',
  from: { path: `^src/core/${folder}/` },
  to: { path: '^src/core/[^/]+/', pathNot: `^src/core/(${[folder, ...allowed].join('|')})/` },
});
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^vscode$' } },
    forbid('base-knows-nothing', '^src/base/', '^(src/(?!base/)|node:|fs$|path$)'),
    forbid('contract-knows-base-only', '^src/contract/', '^src/(?!base/|contract/)'),
    forbid('core-below', '^src/core/', '^src/(?!base/|contract/|core/)'),
    forbid('cli-never-vscode', '^src/cli/', '^src/(vscode/|extension)'),
    forbid('vscode-never-cli', '^src/(vscode/|extension)', '^src/cli/'),
    forbid('page-takes-contract', '^webview-ui/', '^src/(?!base/|contract/)'),
    forbid('src-never-tests', '^src/', '^(test|fixtures)/'),
    {
      name: 'only-vscode-imports-vscode',
      severity: 'error',
      from: { path: '^(src|webview-ui)/', pathNot: '^src/(vscode/|extension\\.ts)' },
      to: { path: '^vscode$' },
    },
    inside('config', 'config', ['policy']),
    inside('policy-is-a-leaf', 'policy', []),
    inside('launcher', 'launcher', ['config']),
    inside('transport', 'transport', []),
    inside('connection', 'connection', ['transport']),
    inside('discovery', 'discovery', ['connection']),
    inside('subscriptions', 'subscriptions', ['connection', 'discovery']),
    inside('diagnostics', 'diagnostics', ['config', 'connection', 'discovery', 'transport']),
    inside('secrets', 'secrets', ['config']),
    inside('trust', 'trust', ['config', 'policy', 'secrets', 'transport']),
    inside('agents', 'agents', ['config', 'launcher', 'transport']),
    inside('manager', 'manager', [
      'config',
      'policy',
      'trust',
      'transport',
      'connection',
      'discovery',
      'subscriptions',
      'diagnostics',
    ]),
    inside('tools', 'tools', ['manager', 'policy', 'config', 'connection', 'discovery', 'diagnostics']),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.d.ts'],
    },
  },
};
