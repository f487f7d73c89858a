#!/usr/bin/env node
// A server without any SDK, so that its own cost is next to nothing: echoServer.mjs [--tools N] [--schemas].
const argv = process.argv.slice(2);
const count = Number(argv[argv.indexOf('--tools') + 1]) || 1;
const schemas = argv.includes('--schemas');

const inputSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'Text that comes back as it is.' },
    size: { type: 'integer', minimum: 0, description: 'How many characters come back instead.' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};
/** Nested, as real ones are: what a validator has to compile. */
const outputSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    rows: {
      type: 'array',
      items: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 80 } } },
    },
    next: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['text'],
};
const tools = Array.from({ length: count }, (_, index) => ({
  name: index === 0 ? 'echo' : `tool_${String(index).padStart(5, '0')}`,
  title: `Tool ${index}`,
  description: `Gives its text back (${index}). A description of usual length, so that long lists weigh what real ones do.`,
  inputSchema,
  ...(schemas && { outputSchema }),
  annotations: { readOnlyHint: true },
}));
let list;

const answer = (id, result) =>
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);

function handle({ id, method, params }) {
  if (id === undefined) return;
  switch (method) {
    case 'initialize':
      return answer(
        id,
        JSON.stringify({
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'echo', version: '1' },
        }),
      );
    case 'tools/list':
      list ??= JSON.stringify({ tools });
      return answer(id, list);
    case 'tools/call': {
      const text = params.arguments?.text ?? '';
      return answer(
        id,
        JSON.stringify({ content: [{ type: 'text', text }], ...(schemas && { structuredContent: { text } }) }),
      );
    }
    case 'ping':
      return answer(id, '{}');
    default:
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method}` } })}\n`,
      );
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.trim() !== '') handle(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
