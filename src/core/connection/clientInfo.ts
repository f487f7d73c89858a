// How we introduce ourselves to servers. The version is the package's; a test holds the two together.
export const clientInfo = { name: 'mcp-roundhouse', title: 'MCP Roundhouse', version: '0.1.0' };
