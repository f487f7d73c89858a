// An owner of servers as a process of its own, which tests kill. Arguments: the product's folder, the guard's program, and
// commands as JSON. Starts them all, says so on stdout with the guard's pid, and ends them at the line `end`.
import { systemClock } from '../../src/base/clock.ts';
import { OwnerGuard } from '../../src/core/guard/ownerGuard.ts';
import { StdioTransport } from '../../src/core/transport/stdioTransport.ts';
import { stdioLaunch } from './openOptions.ts';

const [home = '', program = '', commands = '[]', shell] = process.argv.slice(2);
const say = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const log = (text: string): void => say({ logged: text });
const owner = new OwnerGuard({ home, program, log: { info: log, warn: log }, ...(shell !== undefined && { shell }) });
const environment = { base: process.env, inherit: ['OWNED_RUN'] };
const start = async (command: {
  readonly command: string;
  readonly args: readonly string[];
}): Promise<StdioTransport> => {
  const transport = new StdioTransport(stdioLaunch(command), { environment, clock: systemClock(), owner });
  await transport.start();
  return transport;
};
const running = await Promise.all((JSON.parse(commands) as Parameters<typeof start>[0][]).map(start));
say({ guard: owner.pid ?? 0, failure: owner.failure ?? '', servers: running.map(({ pid }) => pid) });

process.stdin.setEncoding('utf8').on('data', (text: string) => {
  if (text.startsWith('end')) {
    void Promise.all(running.map((transport) => transport.close())).then(() => process.exit(0));
  } else {
    void start({ command: '/bin/sleep', args: ['1000'] }).then(() => say({ guard: owner.pid ?? 0, again: true }));
  }
});
