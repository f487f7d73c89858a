import { join } from 'node:path';

/** The product's folder of a person; `userHome` is their home directory. */
export function homeFolder(userHome: string): string {
  return join(userHome, '.mcp-roundhouse');
}

/** The person's own file; `home` is the product's folder, `~/.mcp-roundhouse`. */
export function userConfigFile(home: string): string {
  return join(home, 'mcp.json');
}

/** The file of one workspace folder. */
export function projectConfigFile(folder: string): string {
  return join(folder, '.roundhouse', 'mcp.json');
}
