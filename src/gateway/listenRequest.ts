// A `subscriptions/listen` request of a modern client (2026-07-28): one stream that stays open, acknowledged first, on
// which the changes come that it asked for. Ends in order when the gateway does, and with the client's connection.
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import type { MessageStream } from './eventStream.ts';
import type { RpcId } from './inbound.ts';
import { RpcFailure } from './outcomes.ts';
import type { Hello, Surface, SurfaceEvent } from './surface.ts';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

export interface ListenParts {
  readonly id: RpcId;
  readonly params: JsonObject;
  readonly surface: Surface;
  readonly hello: Hello;
  /** Nobody hears of it any more. */
  readonly signal: AbortSignal;
  /** Where it all goes; asked for once, when there is something to say. */
  readonly open: () => MessageStream;
}

/** Answers how to end it in order. Fails with an RpcFailure before anything was answered. */
export function listenTo({ id, params, surface, hello, signal, open }: ListenParts): () => void {
  const honoured = honouredOf(params['notifications'], hello.capabilities);
  const stream = open();
  const own = new DisposableStore();
  const send = (method: string, about: JsonObject): void =>
    stream.send(JSON.stringify({ jsonrpc: '2.0', method, params: { ...about, _meta: { [subscriptionId]: id } } }));
  const end = (): void => {
    own.dispose();
    const meta = { [subscriptionId]: id, [serverInfoKey]: hello.serverInfo };
    const result = { resultType: 'complete', _meta: meta };
    stream.end([Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }))]);
  };
  send('notifications/subscriptions/acknowledged', { notifications: honoured });
  if (Object.keys(honoured).length === 0) {
    end();
    return () => undefined;
  }
  signal.addEventListener('abort', () => own.dispose(), { once: true });
  own.add(surface.onEvent((event) => tell(event, honoured, send)));
  for (const uri of urisOf(honoured)) {
    const subscribed = surface.subscribe(uri, { signal });
    subscribed.catch(() => undefined);
    // Counted there: what is taken back was there before.
    own.add(toDisposable(() => void subscribed.then(() => surface.unsubscribe(uri)).catch(() => undefined)));
  }
  return end;
}

function honouredOf(asked: unknown, capabilities: JsonObject): JsonObject {
  if (!isJsonObject(asked)) throw new RpcFailure(-32602, 'Invalid params: notifications is no filter.');
  const declares = (capability: string, feature: string): boolean => {
    const declared = capabilities[capability];
    return isJsonObject(declared) && declared[feature] === true;
  };
  const uris = urisOf(asked);
  if (uris.length > limits.subscription.resources) throw new RpcFailure(-32602, 'Invalid params: too many resources.');
  return {
    ...(asked['toolsListChanged'] === true && declares('tools', 'listChanged') && { toolsListChanged: true }),
    ...(asked['promptsListChanged'] === true && declares('prompts', 'listChanged') && { promptsListChanged: true }),
    ...(asked['resourcesListChanged'] === true &&
      declares('resources', 'listChanged') && { resourcesListChanged: true }),
    ...(uris.length > 0 && declares('resources', 'subscribe') && { resourceSubscriptions: uris }),
  };
}

function urisOf(filter: JsonObject): readonly string[] {
  const uris: unknown = filter['resourceSubscriptions'];
  return Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === 'string') : [];
}

function tell(event: SurfaceEvent, honoured: JsonObject, send: (method: string, params: JsonObject) => void): void {
  if (event.kind === 'listChanged' && honoured[`${event.of}ListChanged`] === true) {
    send(`notifications/${event.of}/list_changed`, {});
  } else if (event.kind === 'resourceUpdated' && urisOf(honoured).includes(event.uri)) {
    send('notifications/resources/updated', { uri: event.uri });
  }
}
