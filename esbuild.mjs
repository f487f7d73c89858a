// Builds what ships (dist/) and, with --fixtures, the fixture servers that the tests run (out/fixtures/).
import { build, context } from 'esbuild';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');

const node = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  // jsonc-parser's UMD main breaks when bundled; its module build does not.
  mainFields: ['module', 'main'],
  external: ['vscode'],
  // CommonJS packages inside an ESM bundle still call require for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
};

/**
 * Keeps what a program loads at its start in one file. esbuild puts two modules into one chunk when the same entries
 * reach both, and every `import()` makes an entry: so each such part is made to reach all that its program has loaded.
 */
const oneStartingFile = (entry) => ({
  name: 'one-starting-file',
  setup({ onResolve, onLoad, resolve: find }) {
    const lateParts = new Set();
    onResolve({ filter: /^\.{1,2}\// }, async ({ path, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === lateParts) return undefined;
      const found = await find(path, { kind, pluginData: lateParts, ...from });
      lateParts.add(found.path);
      return found;
    });
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!lateParts.has(path)) return undefined;
      return { loader: 'ts', contents: `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(resolve(entry))};\n` };
    });
  },
});

/** One program: its start in one file, and what loads late in chunks beside it. */
const program = (name, entry) => ({
  ...node,
  entryPoints: { [name]: entry },
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [oneStartingFile(entry)],
});

const extension = program('extension', 'src/extension.ts');
const commandLine = program('cli', 'src/cli/main.ts');
/** A thread of its own: found by core/tools/schemaWorkerUrl.ts. */
const schemaWorker = program('schemaWorker', 'src/core/tools/schemaWorker.ts');

/** Pages of the editor's webviews: one script and one style each, nothing loaded from elsewhere. */
const pages = {
  bundle: true,
  platform: 'browser',
  target: 'chrome128',
  format: 'esm',
  entryPoints: { result: 'webview-ui/result/main.ts', calls: 'webview-ui/calls/main.ts' },
  outdir: 'dist/webview',
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
};

const fixtures = {
  ...node,
  entryPoints: { server: 'fixtures/servers/server.ts' },
  outdir: 'out/fixtures',
  // Both SDKs load late: a fixture that ends at its start costs none of them.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: false,
  write: false,
  plugins: [
    {
      name: 'no-schema-engine',
      setup({ onResolve }) {
        const path = resolve('fixtures/servers/sdk/noValidator.ts');
        onResolve({ filter: /\/ajv-provider\.js$|^@modelcontextprotocol\/server\/_shims$/ }, () => ({ path }));
      },
    },
  ],
};

/** Whole files only, the entry last: a test may start a program while another one builds it. */
async function writeWhole({ outputFiles }) {
  const entriesLast = [...outputFiles].sort((a, b) => (a.path.includes('chunks') < b.path.includes('chunks') ? 1 : -1));
  for (const { path, contents } of entriesLast) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.${process.pid}`, contents);
    await rename(`${path}.${process.pid}`, path);
  }
}

if (flags.has('--fixtures')) {
  await writeWhole(await build(fixtures));
} else if (flags.has('--cli')) {
  // The command line alone, for tests that run while dist/ is being built anew.
  for (const part of [commandLine, schemaWorker]) {
    await writeWhole(await build({ ...part, outdir: 'out/cli', sourcemap: false, write: false }));
  }
} else if (flags.has('--bench')) {
  await rm('out/bench', { recursive: true, force: true });
  for (const part of [extension, commandLine, schemaWorker]) {
    await build({ ...part, outdir: 'out/bench', minify: true, sourcemap: false });
  }
} else {
  await rm('dist', { recursive: true, force: true });
  const parts = [extension, commandLine, schemaWorker, pages];
  if (flags.has('--watch')) for (const part of parts) await (await context(part)).watch();
  else {
    const built = await Promise.all(parts.map((part) => build({ ...part, metafile: true })));
    // Does not ship: the packer reads from it whose licences the bundles owe (scripts/lib/notices.mjs).
    await writeFile('dist/meta.json', JSON.stringify(built.map(({ metafile }) => metafile)));
  }
}
