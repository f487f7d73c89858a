// The address that `npm start` prints. An editor runs any command for whoever reaches it, so it answers only to a browser
// that holds a secret cookie; this server hands the cookie to who knows the printed address, and sends them to the editor.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { randomBytes, timingSafeEqual } from 'node:crypto';

/** A value that the editor accepts as hashed password: 64 hexadecimal digits that nobody else knows. */
export function newSessionSecret() {
  return randomBytes(32).toString('hex');
}

/**
 * Opens the doorway on a port of its own.
 * @param {string} secret what newSessionSecret() answered, and the editor was started with
 * @param {string} target where to send whoever may come in
 * @returns {Promise<{ address: string, close: () => void }>}
 */
export async function openDoorway(secret, target) {
  const key = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    const asked = Buffer.from(request.url ?? '');
    const known = Buffer.from(key);
    if (asked.length !== known.length || !timingSafeEqual(asked, known)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Use the whole address that npm start printed.\n');
      return;
    }
    // A cookie belongs to a host whatever the port, so the editor beside us gets it.
    response
      .writeHead(302, {
        'set-cookie': `code-server-session=${secret}; Path=/; HttpOnly; SameSite=Lax`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        location: target,
      })
      .end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { address: `http://127.0.0.1:${String(port)}${key}`, close: () => void server.close(() => undefined) };
}
