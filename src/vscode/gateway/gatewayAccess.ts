import type { Event } from '../../base/event.ts';

/** How a process of the person's reaches the gateway of this window. The token is for them alone: not logged, not kept. */
export interface GatewayAddress {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Absolute path of its socket; undefined where there is none. */
  readonly socket: string | undefined;
  /** New with each life of the gateway. */
  readonly token: string;
}

/**
 * The window's gateway as the rest of the extension sees it; what listens is loaded when it starts. What `/vscode/<id>` shows
 * is given to it by the container: `editor` of LazyGatewayDeps.
 */
export interface GatewayAccess {
  /** As it listens now; undefined while it does not: not yet, turned off, in an untrusted window, or where it could not. */
  readonly address: GatewayAddress | undefined;
  /** It listens, or does so no more. A later life has another address and another token. */
  readonly onDidChange: Event<void>;
  /** Waits for a start that is due (after the configuration was read). Never rejects: where it does not listen, undefined. */
  ready(): Promise<GatewayAddress | undefined>;
}
