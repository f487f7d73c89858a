// The whole way of an agent's frames, as one program: a gateway as a window has it, and the proxy that is attached to it.
// chain.ts CONFIG FOLDER; stdin and stdout are the proxy's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repository } from '../lib/places.mjs';
import { startWindow } from './window.ts';

const [config = '', folder = ''] = process.argv.slice(2);
const window = await startWindow(config, folder);
const env = { ...process.env, HOME: folder, USERPROFILE: folder };
const args = [join(repository, 'dist', 'cli.js'), 'proxy', '--workspace', folder];
const proxy = spawn(process.execPath, args, { env, stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => proxy.kill(signal));
await once(proxy, 'exit');
await window.end();
