// A gateway that a proxy finds as that of a window, without an editor.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { homeFolder } from '../../src/core/config/configPaths.ts';
import { ownIdentity } from '../../src/core/config/processIdentity.ts';
import { writeWindow } from '../../src/gateway/windowFiles.ts';
import { repository } from '../lib/places.mjs';

/** `folder`: a person's home of its own, and what the agent works in. */
export async function startWindow(config: string, folder: string): Promise<{ readonly end: () => Promise<void> }> {
  const args = [join(repository, 'dist', 'cli.js'), 'serve', '--config-file', config];
  const serve = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(serve, 'exit');
  const [line] = (await once(createInterface(serve.stdout), 'line')) as [string];
  const { url, token } = JSON.parse(line) as { readonly url: string; readonly token: string };
  await writeWindow(homeFolder(folder), {
    version: 1,
    kind: 'serving',
    process: await ownIdentity(),
    url,
    token,
    folders: [folder],
    focusedAt: Date.now(),
  });
  return {
    end: async () => {
      serve.kill();
      await ended;
    },
  };
}
