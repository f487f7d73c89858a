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
    files: ['test/**/*.ts', 'fixtures/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off', // A test that meets undefined fails, as it should.
      '@typescript-eslint/explicit-module-boundary-types': 'off',
    },
  },
);
