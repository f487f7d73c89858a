// Tools of ours, for agents that know nothing but tools (GATE-4), as they are listed. Outward names of servers' tools hold
// `__`, these do not: so none collides.
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../core/limits.ts';
import { isOffered, type ToolCategory, type ToolMode } from '../core/tools/category.ts';

export type OwnToolName =
  'list_resources' | 'read_resource' | 'list_prompts' | 'get_prompt' | 'find_tools' | 'call_tool';

interface OwnTool {
  /** What goes to a server may tell it something (TOOL-6). */
  readonly category: ToolCategory;
  /** Only in place of the servers' tools. */
  readonly search: boolean;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

export interface OfferedTools {
  readonly mode: ToolMode;
  /** Search in place of the servers' tools. */
  readonly search: boolean;
}

/** The names in the order in which they are listed. */
export function ownToolNames({ mode, search }: OfferedTools): readonly OwnToolName[] {
  return (Object.keys(ownTools) as OwnToolName[]).filter((name) => {
    const tool = ownTools[name];
    return isOffered(tool.category, mode) && (search || !tool.search);
  });
}

export function ownToolDefinition(name: OwnToolName): JsonObject {
  const { title, description, properties, required = [], category } = ownTools[name];
  return {
    name,
    title,
    description,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false },
    ...(category === 'read' && { annotations: { readOnlyHint: true, openWorldHint: false } }),
  };
}

const { page, found } = limits.aggregate;
const cursor: JsonObject = {
  type: 'string',
  description: 'nextCursor of the page before; leave out for the first page',
};
const server: JsonObject = { type: 'string', description: 'Only those of this server' };
const limit: JsonObject = { type: 'integer', minimum: 1, maximum: page.most, default: page.usual };

const ownTools: Readonly<Record<OwnToolName, OwnTool>> = {
  find_tools: {
    category: 'network_send',
    search: true,
    title: 'Find tools',
    description:
      'Finds tools of the connected MCP servers by words for what they do, and returns their names and input schemas. Call what it finds with call_tool.',
    properties: {
      query: { type: 'string', minLength: 1, description: 'Words for what the tool is to do, such as "create issue"' },
      server,
      limit: { type: 'integer', minimum: 1, maximum: found.most, default: found.usual },
    },
    required: ['query'],
  },
  call_tool: {
    category: 'network_send',
    search: true,
    title: 'Call a tool',
    description: 'Calls a tool that find_tools found.',
    properties: {
      name: { type: 'string', description: 'Its name, exactly as find_tools gave it' },
      arguments: { type: 'object', description: 'What its input schema asks for' },
    },
    required: ['name'],
  },
  list_resources: {
    category: 'read',
    search: false,
    title: 'List resources',
    description:
      'Lists what the connected MCP servers offer to be read: resources by their uri, and templates of such addresses by their uriTemplate.',
    properties: { cursor, limit, server },
  },
  read_resource: {
    category: 'network_send',
    search: false,
    title: 'Read a resource',
    description:
      'Reads a resource that list_resources names, or the whole of a result that was cut. Of binary content only type and size are told.',
    properties: { uri: { type: 'string', description: 'Its uri; of a template with the values filled in' } },
    required: ['uri'],
  },
  list_prompts: {
    category: 'read',
    search: false,
    title: 'List prompts',
    description: 'Lists the prompts of the connected MCP servers with their arguments.',
    properties: { cursor, limit, server },
  },
  get_prompt: {
    category: 'network_send',
    search: false,
    title: 'Get a prompt',
    description: 'Gets a prompt that list_prompts names: its messages, as JSON.',
    properties: {
      name: { type: 'string', description: 'Its name, exactly as list_prompts gave it' },
      arguments: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Its arguments, all of them text',
      },
    },
    required: ['name'],
  },
};
