import { join } from 'node:path';

/** The person's own file; `home` is the product's folder, `~/.mcp-roundhouse`. */
export function userConfigFile(home: string): string {
  return join(home, 'mcp.json');
}

/** The file of one workspace folder. */
export function projectConfigFile(folder: string): string {
  return join(folder, '.roundhouse', 'mcp.json');
}
