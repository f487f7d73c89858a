// Builds what ships (dist/) and, with --fixtures, the fixture servers that the tests run (out/fixtures/).
import { build, context } from 'esbuild';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
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

// One build with splitting: what the programs share and what loads late become chunks beside the entries.
const programs = {
  ...node,
  entryPoints: {
    extension: 'src/extension.ts',
    cli: 'src/cli/main.ts',
    // A thread of its own: found by core/tools/schemaWorkerUrl.ts.
    schemaWorker: 'src/core/tools/schemaWorker.ts',
  },
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
};

/** Pages of the editor's webviews: one script and one style each, nothing loaded from elsewhere. */
const pages = {
  bundle: true,
  platform: 'browser',
  target: 'chrome128',
  format: 'esm',
  entryPoints: { result: 'webview-ui/result/main.ts' },
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

/** The command line alone, for tests that run while dist/ is being built anew. */
const commandLine = {
  ...programs,
  entryPoints: { cli: programs.entryPoints.cli, schemaWorker: programs.entryPoints.schemaWorker },
  outdir: 'out/cli',
  sourcemap: false,
  write: false,
};

/** Whole files only, the entry last: a test may start the server while another one builds it. */
async function writeFixtures({ outputFiles }) {
  const entriesLast = [...outputFiles].sort((a, b) => (a.path.includes('chunks') < b.path.includes('chunks') ? 1 : -1));
  for (const { path, contents } of entriesLast) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.${process.pid}`, contents);
    await rename(`${path}.${process.pid}`, path);
  }
}

if (flags.has('--fixtures')) {
  await writeFixtures(await build(fixtures));
} else if (flags.has('--cli')) {
  await writeFixtures(await build(commandLine));
} else if (flags.has('--bench')) {
  await rm('out/bench', { recursive: true, force: true });
  await build({ ...programs, outdir: 'out/bench', minify: true, sourcemap: false });
} else {
  await rm('dist', { recursive: true, force: true });
  const programsAndPages = [programs, pages];
  if (flags.has('--watch')) for (const part of programsAndPages) await (await context(part)).watch();
  else await Promise.all(programsAndPages.map((part) => build(part)));
}
