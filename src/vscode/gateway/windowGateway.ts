// The gateway of one window (GATE-1): listens on the loopback address and on a socket in home, shows the window's servers
// and calls through the window's one router, so that its policy and its person's answers hold for agents as well. The
// token is made anew at each opening and told to nobody but through the descriptor. Promises: what was opened is closed.
import { type Clock } from '../../base/clock.ts';
import { ownIdentity, type ProcessIdentity } from '../../core/config/processIdentity.ts';
import type { Log } from '../../core/ports.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { createToken } from '../../gateway/token.ts';
import { makeWindowsFolder, openWindows, windowSocket } from '../../gateway/windowFiles.ts';
import { knownSecrets } from '../surfaces/knownSecrets.ts';
import type { GatewayAddress } from './gatewayAccess.ts';
import { WindowAnnouncement, type WindowWatch } from './windowAnnouncement.ts';
import { WindowSurfaces, type WindowSurfacesDeps } from './windowSurfaces.ts';

export interface WindowGatewayParts extends Omit<WindowSurfacesDeps, 'onGone'> {
  /** The product's folder. */
  readonly home: string;
  readonly window: WindowWatch;
  readonly clock: Clock;
  readonly log: Log;
}

export interface WindowGateway {
  readonly address: GatewayAddress;
  /** Sends nobody here any more, ends what clients have open, and frees port and socket. */
  close(): Promise<void>;
}

/** Answers when it listens and can be found. Fails where it cannot listen at all. */
export async function openWindowGateway(parts: WindowGatewayParts): Promise<WindowGateway> {
  const { home, window, clock, log } = parts;
  const process = await ownIdentity();
  const token = createToken();
  knownSecrets.add(token);
  const surfaces = new WindowSurfaces({ ...parts, onGone: (surface) => gateway.drop(surface) });
  const gateway = new Gateway({ clock, token, surface: (endpoint) => surfaces.at(endpoint) });
  const close = async (): Promise<void> => {
    await gateway.close();
    surfaces.dispose();
  };
  try {
    const url = await gateway.listen();
    const socket = await openSocket(gateway, home, process).catch((error: unknown) => {
      log.warn(`The gateway has no socket: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    });
    const address = { url, socket, token };
    const announcement = new WindowAnnouncement({ home, process, address, window, clock, log });
    await announcement.update();
    void openWindows(home); // What windows left that were killed goes with this look.
    log.info(`The gateway listens on ${url}${socket === undefined ? '' : ` and ${socket}`}`);
    return {
      address,
      close: async () => {
        await Promise.all([announcement.end(), close()]);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSocket(gateway: Gateway, home: string, owner: ProcessIdentity): Promise<string | undefined> {
  await makeWindowsFolder(home);
  const path = windowSocket(home, owner);
  return (await gateway.listenOnSocket(path)) ? path : undefined;
}
