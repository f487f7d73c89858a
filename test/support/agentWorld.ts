// A machine of its own for tests of connecting agents: a home directory with the files that agents keep there, a folder for
// PATH, and what looks at all of it.
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Agents } from '../../src/core/agents/agents.ts';
import { clientOf, type ClientId, type ClientSurroundings } from '../../src/core/agents/clients.ts';
import { EditLedger } from '../../src/core/agents/editLedger.ts';
import { homeFolder } from '../../src/core/config/configPaths.ts';
import { agentEntry } from '../../src/core/launcher/agentEntry.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export const sampleFiles: Readonly<Record<Nine, string>> = {
  claudeCode: 'claude.json',
  claudeDesktop: 'claude_desktop_config.json',
  cursor: 'cursor_mcp.json',
  windsurf: 'windsurf_mcp_config.json',
  codex: 'codex_config.toml',
  gemini: 'gemini_settings.json',
  zed: 'zed_settings.json',
  cline: 'cline_mcp_settings.json',
  opencode: 'opencode.jsonc',
};

export type Nine = Exclude<ClientId, 'vscode' | 'copilot' | 'visualStudio' | 'roo' | 'kilo' | 'continue'>;
export const nine = Object.keys(sampleFiles) as readonly Nine[];

const fixtures = new URL('../../fixtures/agents/', import.meta.url);

export interface AgentWorld {
  readonly userHome: string;
  readonly home: string;
  readonly ledger: EditLedger;
  readonly agents: Agents;
  /** As a second window has them. */
  anotherWindow(options?: { readonly moved?: boolean }): Agents;
  /** The agent's first file. */
  fileOf(id: ClientId): string;
  /** Puts the sample in its place; answers its bytes. */
  place(id: Nine): Promise<Buffer>;
  /** Writes a program of this name into the folder on PATH. */
  program(name: string, script: string): Promise<void>;
  /** Every file below the home directory but our own ones, with bytes and mode. */
  everything(): Promise<Readonly<Record<string, string>>>;
  remove(): Promise<void>;
}

export async function agentWorld(options: { readonly platform?: NodeJS.Platform } = {}): Promise<AgentWorld> {
  const folder = await temporaryFolder();
  const userHome = join(folder.path, 'home');
  const bin = join(folder.path, 'programs');
  await mkdir(userHome);
  await mkdir(bin);
  const home = homeFolder(userHome);
  const platform = options.platform ?? 'linux';
  const surroundings: ClientSurroundings = {
    platform,
    userHome,
    env: {},
    editorUserFolder: join(userHome, '.vscode-server', 'data', 'User'),
  };
  const ledger = new EditLedger({ home });
  const base = { PATH: `${bin}:${dirname(process.execPath)}`, HOME: userHome };
  const make = (entry = agentEntry(home, platform)): Agents =>
    new Agents({
      surroundings,
      environment: () => Promise.resolve({ base, inherit: [] }),
      entry,
      ledger: new EditLedger({ home }),
    });
  const fileOf = (id: ClientId): string => clientOf(id).userFiles(surroundings)[0]!.path;
  return {
    userHome,
    home,
    ledger,
    agents: make(),
    anotherWindow: ({ moved = false } = {}) =>
      make(moved ? { command: join(home, 'bin', 'old', 'mcp-roundhouse'), args: ['proxy'] } : undefined),
    fileOf,
    place: async (id) => {
      const bytes = await readFile(new URL(sampleFiles[id], fixtures));
      await mkdir(dirname(fileOf(id)), { recursive: true });
      await writeFile(fileOf(id), bytes);
      return bytes;
    },
    program: async (name, script) => {
      await writeFile(join(bin, name), script);
      await chmod(join(bin, name), 0o755);
    },
    everything: async () => {
      const entries = await readdir(userHome, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
      const others = files.filter((file) => !file.startsWith(home)).sort();
      const found = await Promise.all(
        others.map(async (file) => {
          const { mode } = await stat(file);
          return [file, `${(mode & 0o777).toString(8)} ${await readFile(file, 'latin1')}`] as const;
        }),
      );
      return Object.fromEntries(found);
    },
    remove: () => folder.remove(),
  };
}
