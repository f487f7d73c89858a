// Servers with what they offer, as the aggregate sees them: data alone.
import type { JsonObject } from '../../src/contract/json.ts';
import type { ServerId } from '../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import type { OfferingServer } from '../../src/gateway/aggregateCatalog.ts';
import { offeredItem, offeredTool } from './managerView.ts';

export interface Offered {
  readonly tools?: Readonly<Record<string, JsonObject>>;
  readonly resources?: readonly string[];
  readonly resourceTemplates?: readonly string[];
  readonly prompts?: readonly string[];
}

export function offering(id: string, { tools = {}, ...items }: Offered): OfferingServer {
  const { resources = [], resourceTemplates = [], prompts = [] } = items;
  return {
    id: id as ServerId,
    key: `user:${id}` as ServerKey,
    offer: {
      tools: Object.entries(tools).map(([name, raw]) => offeredTool(name, raw)),
      resources: resources.map((uri) => offeredItem(uri, uri, { uri })),
      resourceTemplates: resourceTemplates.map((uriTemplate) => offeredItem(uriTemplate, uriTemplate, { uriTemplate })),
      prompts: prompts.map((name) => offeredItem(name)),
    },
  };
}
