// Sets up what the editor tests and `npm start` need beyond npm dependencies, says what it does, and does nothing twice.
// node scripts/setup.mjs [chromium] [editor]      both when none is named
import { ensureChromium } from './lib/chromium.mjs';
import { ensureEditorBuild } from './lib/editorBuild.mjs';
import { SetupError, runScript } from './lib/say.mjs';

/** @type {Record<string, () => Promise<unknown>>} */
const parts = { chromium: ensureChromium, editor: ensureEditorBuild };

await runScript(async () => {
  const named = process.argv.slice(2);
  for (const name of named.length > 0 ? named : Object.keys(parts)) {
    const ensure = parts[name];
    if (!ensure)
      throw new SetupError(`Unknown part ${name}: name ${Object.keys(parts).join(' or ')}, or none for all.`);
    await ensure();
  }
});
