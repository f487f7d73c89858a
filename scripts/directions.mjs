// Runs dependency-cruiser and fails, too, when it looked at fewer modules than there are: a tool that reads nothing
// finds nothing wrong.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readdirSync } from 'node:fs';

const root = join(import.meta.dirname, '..');
const cruise = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const expected = ['src', 'webview-ui'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.d.ts'),
  ),
).length;

let report;
try {
  report = execFileSync(
    process.execPath,
    [cruise, '--config', '.dependency-cruiser.mjs', '-T', 'json', 'src', 'webview-ui'],
    {
      cwd: root,
      maxBuffer: 1 << 28,
    },
  );
} catch (error) {
  report = error.stdout; // Violations of level error end it with their number as exit code.
}
const { modules, summary } = JSON.parse(report);
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
const seen = modules.filter(
  ({ source }) => /^(src|webview-ui)\/.*\.ts$/.test(source) && !source.endsWith('.d.ts'),
).length;
console.log(`${seen} of ${expected} modules looked at, ${summary.error} violations`);
if (seen < expected || summary.error > 0) process.exitCode = 1;
