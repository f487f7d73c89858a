// Builds what ships (dist/) and, with --fixtures, the fixture servers that the tests run (out/fixtures/).
import { build, context } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { removeOthers, writeWhole } from './scripts/lib/wholeFiles.mjs';

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
 * Keeps what a program loads at its start in one file, and what loads late in few. esbuild puts two modules into one chunk
 * when the same entries reach both, and every `import()` makes an entry: so each such part is made to reach all that its
 * program has loaded, and the parts that are loaded at about the same time.
 * @param {string} entry
 * @param {readonly (readonly string[])[]} together parts that load as one, each without its ending
 * @param {boolean} inLayers whether each group is loaded only after those before it, and what is in none after them all:
 *   what they share with later ones is then in their own file
 */
const fewFiles = (entry, together, inLayers) => ({
  name: 'few-files',
  setup({ onResolve, onLoad, resolve: find }) {
    // Those that load as one import each other, so they may be read before what loads them late is seen.
    const lateParts = new Set(together.flat().map((part) => resolve(`${part}.ts`)));
    const found = Symbol('found');
    onResolve({ filter: /^\.{1,2}\// }, async ({ path, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === found) return undefined;
      const part = await find(path, { kind, pluginData: found, ...from });
      lateParts.add(part.path);
      return part;
    });
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!lateParts.has(path)) return undefined;
      const isHere = (part) => resolve(`${part}.ts`) === path;
      const group = together.findIndex((parts) => parts.some(isHere));
      const before = inLayers ? together.slice(0, group < 0 ? together.length : group).flat() : [];
      const others = (together[group] ?? []).filter((part) => !isHere(part));
      const imports = [entry, ...[...before, ...others].map((part) => `${part}.ts`)].map(
        (file) => `import ${JSON.stringify(resolve(file))};\n`,
      );
      return { loader: 'ts', contents: `${await readFile(path, 'utf8')}\n${imports.join('')}` };
    });
  },
});

/**
 * Gives the SDK a zod of its own, which is loaded with it. Of one that both had, all that the SDK uses would stand in the
 * file that our start loads: 60 KB, of which the start needs none.
 */
const ownZodOfSdk = {
  name: 'own-zod-of-sdk',
  setup({ onResolve, onLoad, resolve: find }) {
    const suffix = '?sdk';
    const [found, ofSdk] = [Symbol('found'), Symbol('of the SDK')];
    onResolve({ filter: /^(zod|\.)/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === found) return undefined;
      const asks = pluginData === ofSdk || (path.startsWith('zod') && from.importer.includes('@modelcontextprotocol'));
      return asks ? { ...(await find(path, { ...from, pluginData: found })), suffix } : undefined;
    });
    onLoad({ filter: /[\\/]zod[\\/]/ }, async ({ path, suffix: copy }) =>
      copy === suffix ? { contents: await readFile(path), pluginData: ofSdk } : undefined,
    );
  },
};

/** One program: its start in one file, and what loads late in chunks beside it. */
const program = (name, entry, together = [], { inLayers = false } = {}) => ({
  ...node,
  entryPoints: { [name]: entry },
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [ownZodOfSdk, fewFiles(entry, together, inLayers)],
});

const extension = program('extension', 'src/extension.ts', [
  // Read the files, prepare launches, draw the tree.
  [
    'src/core/config/configStore',
    'src/core/trust/launchContext',
    'src/core/trust/describeLaunch',
    'src/core/trust/resolveLaunch',
    'src/core/transport/inheritedEnvironment',
    'src/core/transport/loginShellPath',
    'src/core/manager/followOffers',
    'src/vscode/views/treeRow',
    'src/vscode/views/tooltip',
    'src/vscode/problemText',
  ],
  // What a window does for others.
  [
    'src/core/tools/createToolCalls',
    'src/gateway/editorSurface',
    'src/vscode/gateway/windowGateway',
    'src/vscode/provider/publication',
    'src/vscode/launcher/installForAgents',
    'src/vscode/api/lateApi',
  ],
  // What a person asked for.
  [
    'src/vscode/commands/allCommands',
    'src/vscode/commands/readResource',
    'src/vscode/adapters/reportFailure',
    'src/vscode/approvals/approvalDialog',
    'src/vscode/approvals/callWidgets',
    'src/vscode/approvals/reviewTools',
    'src/vscode/calls/callsPage',
    'src/vscode/secrets/secretMarkers',
    'src/vscode/webview/resultPanels',
    'src/core/manager/diagnoseServer',
  ],
  // Files of other programs.
  ['src/vscode/agents/agentFlows', 'src/vscode/found/foundDesk'],
]);
const parts = [
  // A proxy that is attached to a window: an agent waits for it.
  ['src/cli/commands/proxy', 'src/core/launcher/useMark'],
  // One that runs the servers itself, until it has answered the handshake.
  ['src/cli/proxy/standAlone', 'src/cli/openServers', 'src/cli/output/words'],
  // What a server needs to be started; the SDK comes after it.
  [
    'src/core/trust/describeLaunch',
    'src/core/trust/resolveLaunch',
    'src/core/connection/openClient',
    'src/core/manager/followOffers',
  ],
  // Everything else, but what a connection needs.
  [
    'src/cli/help',
    'src/cli/commands/list',
    'src/cli/commands/call',
    'src/cli/commands/serve',
    'src/cli/commands/doctor',
  ],
];
const commandLine = program('cli', 'src/cli/main.ts', parts, { inLayers: true });
/** A thread of its own: found by core/tools/schemaWorkerUrl.ts. */
const schemaWorker = program('schemaWorker', 'src/core/tools/schemaWorker.ts');

/** Owns the servers that outlive a window. It is there for as long as they are, so nothing is gained by loading it in parts. */
const keeper = { ...node, entryPoints: { keeper: 'src/keeper/main.ts' }, outdir: 'dist' };

/** The guard of an owner's processes: starts once the owner is dead, and has no time to load more than itself. */
const guard = { ...node, entryPoints: { guard: 'src/core/guard/guardProcess.ts' }, outdir: 'dist' };

/** Runs when the extension was uninstalled, while its folder may go: one file that loads nothing. */
const uninstall = { ...node, entryPoints: { uninstall: 'src/cli/uninstall.ts' }, outdir: 'dist' };

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

/**
 * Writes down what the command line is made of: the extension copies these files into the person's home, and holds each
 * copy to its hash (src/core/launcher).
 */
async function writeFileList(folder, results) {
  const outputs = results
    .flatMap(({ metafile }) => Object.keys(metafile.outputs))
    .filter((path) => path.endsWith('.js'));
  const files = outputs.sort().map(async (output) => {
    const content = await readFile(output);
    const path = relative(folder, output).replaceAll(sep, '/');
    return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  });
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const contents = JSON.stringify({ version, files: await Promise.all(files) });
  await writeWhole([{ path: resolve(folder, 'cli.files.json'), contents }]);
}

/** What the launcher's folder has (core/launcher). */
const ofLauncher = [commandLine, schemaWorker, guard, keeper];
const shipped = [extension, ...ofLauncher, pages, uninstall];

if (flags.has('--fixtures')) {
  await writeWhole((await build(fixtures)).outputFiles);
} else if (flags.has('--cli')) {
  // The command line alone, for tests that run while dist/ is being built anew.
  const built = [];
  for (const part of ofLauncher) {
    built.push(await build({ ...part, outdir: 'out/cli', sourcemap: false, write: false, metafile: true }));
    await writeWhole(built.at(-1).outputFiles);
  }
  await writeFileList('out/cli', built);
  await writeWhole((await build({ ...uninstall, outdir: 'out/cli', sourcemap: false, write: false })).outputFiles);
} else if (flags.has('--bench')) {
  await rm('out/bench', { recursive: true, force: true });
  for (const part of [extension, ...ofLauncher]) {
    await build({ ...part, outdir: 'out/bench', minify: true, sourcemap: false });
  }
} else if (flags.has('--watch')) {
  await rm('dist', { recursive: true, force: true });
  for (const part of shipped) await (await context(part)).watch();
} else {
  // Somebody may be using dist/ meanwhile: it never goes, its files are replaced one by one.
  const built = await Promise.all(shipped.map((part) => build({ ...part, metafile: true, write: false })));
  const files = built.flatMap(({ outputFiles }) => outputFiles);
  await writeWhole(files);
  await writeFileList('dist', built.slice(1, 1 + ofLauncher.length));
  // Does not ship: the packer reads from it whose licences the bundles owe (scripts/lib/notices.mjs).
  const contents = JSON.stringify(built.map(({ metafile }) => metafile));
  await writeWhole([{ path: resolve('dist/meta.json'), contents }]);
  // The notices are the packer's own (scripts/lib/packageExtension.mjs).
  const besides = ['cli.files.json', 'meta.json', 'ThirdPartyNotices.txt'].map((name) => join('dist', name));
  await removeOthers('dist', [...files.map(({ path }) => path), ...besides]);
}
