// Preloaded (node --import) into the sample HTTP server, which would listen on every interface: makes it listen on 127.0.0.1.
import { Server } from 'node:net';

const listen = Server.prototype.listen;

/**
 * @this {Server}
 * @param {...any} args
 */
Server.prototype.listen = function (...args) {
  const [port, host] = args;
  const bare = (typeof port === 'number' || typeof port === 'string') && typeof host !== 'string';
  return Reflect.apply(listen, this, bare ? [port, '127.0.0.1', ...args.slice(1)] : args);
};
