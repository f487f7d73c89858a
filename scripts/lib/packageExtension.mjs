// Builds what ships and packs it. The list of what goes in is .vscodeignore; a warning of the packer is a failure.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import { noticesOf } from './notices.mjs';
import { run } from './run.mjs';
import { repository } from './places.mjs';
import { SetupError } from './say.mjs';

/**
 * Packs the extension.
 * @param {{ build?: boolean, target?: string }} [options] build: first builds for production (default); target: the file to write,
 *   out/mcp-roundhouse.vsix when left out
 * @returns {Promise<string>} the file
 * @throws {SetupError} when the build or the packer fails or warns
 */
export async function packageExtension(options = {}) {
  const { build = true, target = join(repository, 'out', 'mcp-roundhouse.vsix') } = options;
  if (build)
    await run(process.execPath, ['esbuild.mjs', '--production'], { cwd: repository, failure: 'The build failed.' });
  await writeFile(
    join(repository, 'dist', 'ThirdPartyNotices.txt'),
    await noticesOf(JSON.parse(await readFile(join(repository, 'dist', 'meta.json'), 'utf8'))),
  );
  await mkdir(join(target, '..'), { recursive: true });
  const vsce = join(repository, 'node_modules', '@vscode', 'vsce', 'vsce');
  // No repository is named in package.json yet, hence the two flags: they allow that, and leave links of the README alone.
  const args = [
    vsce,
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    // For who uses it; the repository's README is for who builds it.
    ...['--readme-path', 'media/extension-readme.md'],
    '--out',
    target,
  ];
  const child = spawn(process.execPath, args, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'));
  if (code !== 0 || /warning/i.test(output))
    throw new SetupError(`The extension could not be packed without warnings:\n${output}`);
  return target;
}
