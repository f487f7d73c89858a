// Lets a unit test load a file that imports the editor: `vscode` is then what the test gives, and nothing else of it.
import { register } from 'node:module';

type Editor = Partial<Record<(typeof names)[number], unknown>>;

const names = [
  ...([
    'CancellationError',
    'CancellationTokenSource',
    'CodeLens',
    'Diagnostic',
    'Disposable',
    'EventEmitter',
    'McpHttpServerDefinition',
    'RelativePattern',
  ] as const),
  ...(['FileSystemError', 'MarkdownString', 'Position', 'QuickPickItemKind', 'Range'] as const),
  ...(['TabInputCustom', 'TabInputText', 'TabInputTextDiff'] as const),
  ...(['ThemeColor', 'ThemeIcon', 'TreeItem', 'Uri'] as const),
  ...(['ConfigurationTarget', 'DiagnosticSeverity', 'FileChangeType', 'FileType', 'ProgressLocation'] as const),
  ...(['StatusBarAlignment', 'TreeItemCollapsibleState', 'ViewColumn'] as const),
  ...(['commands', 'env', 'l10n', 'languages', 'lm', 'window', 'workspace'] as const),
] as const;

// Loading a file asks for constants already.
const held: { editor: Editor } = { editor: indifferentEditor() };
const place = 'roundhouse.editorStub';
Object.assign(globalThis, { [place]: held });

// Members are looked up when they are used, so that each test may bring its own.
const source = names
  .map(
    (name) => `export const ${name} = new Proxy(function () {}, {
    get: (_, key) => globalThis['${place}'].editor.${name}[key],
    construct: (_, args) => new globalThis['${place}'].editor.${name}(...args),
  });`,
  )
  .join('\n');

const hooks = `
const url = 'stub:vscode';
export const resolve = (name, context, next) => (name === 'vscode' ? { url, shortCircuit: true } : next(name, context));
export const load = (asked, context, next) =>
  asked === url ? { format: 'module', source: ${JSON.stringify(source)}, shortCircuit: true } : next(asked, context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

export function stubEditor(editor: Editor): void {
  held.editor = editor;
}

/** The whole editor, where nothing of it matters: all that is asked of it exists, can be called, and does nothing. */
export function indifferentEditor(): Required<Editor> {
  return Object.fromEntries(names.map((name) => [name, anything()])) as Required<Editor>;
}

/** The same with some members of its own. */
export function anything(own: Readonly<Record<string, unknown>> = {}): object {
  // A function, which can be called and made with `new`.
  return new Proxy(
    function () {
      return undefined;
    },
    {
      get: (_, key) => {
        if (typeof key === 'symbol' || key === 'then') return undefined; // No promise, no list.
        return key in own ? own[key] : anything();
      },
      set: () => true,
      apply: () => anything(),
      construct: () => anything(),
    },
  );
}
