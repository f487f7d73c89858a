// npm run package: builds for production and packs out/mcp-roundhouse.vsix.
import { readFile } from 'node:fs/promises';
import { packageExtension } from './lib/packageExtension.mjs';
import { runScript, say } from './lib/say.mjs';

await runScript(async () => {
  const file = await packageExtension();
  say('package', `${file} (${String(Math.round((await readFile(file)).length / 1024))} KiB)`);
});
