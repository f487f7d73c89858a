import tseslint from 'typescript-eslint';

const noVscode = { name: 'vscode', message: 'Only src/vscode may import the editor.' };
const fullZod = { name: 'zod', message: "Import 'zod/mini': the full package costs 40 ms at start." };

export default tseslint.config(
  { ignores: ['dist/**', 'out/**', 'coverage/**', 'node_modules/**', '.vscode-test/**'] },
  {
    files: ['src/**/*.ts', 'webview-ui/**/*.ts', 'test/**/*.ts', 'fixtures/**/*.ts', 'scripts/bench/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      // A default branch is a stated decision for all that is not named.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Numbers and booleans in templates are plain to read.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Arrow shorthand for calls whose answer is void is the common form of a callback.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } }],
      'no-restricted-imports': ['error', { paths: [fullZod] }],
      'max-lines': ['error', { max: 500 }],
    },
  },
  {
    files: ['src/{base,contract,core,gateway,keeper,cli}/**/*.ts', 'webview-ui/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [noVscode, fullZod] }] },
  },
  {
    files: ['src/{base,contract}/**/*.ts', 'webview-ui/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [noVscode, fullZod],
          patterns: [{ group: ['node:*'], message: 'Runs in the page too: no Node here.' }],
        },
      ],
    },
  },
  {
    // What servers and files say reaches the editor's surfaces through src/vscode/surfaces alone, which hide secrets and
    // take the life out of it.
    files: ['src/vscode/**/*.ts', 'src/extension.ts'],
    ignores: ['src/vscode/surfaces/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        ...[
          ['MemberExpression[property.name=/^show(Information|Warning|Error)Message$/]', 'tell'],
          ['MemberExpression[property.name="createOutputChannel"]', 'logChannel or lineChannel'],
          ['NewExpression[callee.property.name="MarkdownString"]', 'markdown'],
          ['MemberExpression[property.name="clipboard"]', 'copyText'],
          ['MemberExpression[property.name="postMessage"]', 'postToPage'],
        ].map(([selector, instead]) => ({ selector, message: `Use ${instead} of src/vscode/surfaces.` })),
      ],
    },
  },
  {
    files: ['src/{base,contract,core,gateway,keeper,cli}/**/*.ts'],
    ignores: ['src/cli/processHost.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression[object.object.name="process"][object.property.name=/^std(out|err)$/][property.name="write"]',
          message: 'Use host.out or host.err: only src/cli/processHost.ts writes.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'fixtures/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off', // A test that meets undefined fails, as it should.
      '@typescript-eslint/explicit-module-boundary-types': 'off',
    },
  },
);
