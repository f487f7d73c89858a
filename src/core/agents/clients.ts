// The agents and other programs that read MCP servers from a file of theirs: what they are called, where their files are
// on each platform, and where in a file the servers stand. Pure: paths are made, nothing is looked at on disk.
// Which fields an entry has is in entryShapes.ts.
import { posix, win32 } from 'node:path';
import type { ConfigScope } from '../../contract/serverConfig.ts';

export type ClientId =
  | 'claudeCode'
  | 'claudeDesktop'
  | 'cursor'
  | 'windsurf'
  | 'codex'
  | 'gemini'
  | 'zed'
  | 'cline'
  | 'opencode'
  | 'vscode'
  | 'copilot'
  | 'visualStudio'
  | 'roo'
  | 'kilo'
  | 'continue';

export type FileFormat = 'json' | 'jsonc' | 'toml' | 'yaml';

/** How an entry is written; see entryShapes.ts. */
export type EntryShape =
  | 'claude'
  | 'desktop'
  | 'cursor'
  | 'windsurf'
  | 'codex'
  | 'gemini'
  | 'zed'
  | 'cline'
  | 'opencode'
  | 'vscode'
  | 'copilot'
  | 'roo'
  | 'continue';

/** What decides where files are. */
export interface ClientSurroundings {
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The running editor's folder of the person (`…/Code/User`), with `globalStorage` and `mcp.json`; absent outside of one. */
  readonly editorUserFolder?: string;
}

/** One place with servers in it; a file may hold several places. */
export interface ClientFile {
  readonly client: ClientId;
  /** Absolute, as the client opens it; links are not resolved. */
  readonly path: string;
  /** Whose file it is: a project's is shared by its team, and no link leads out of the folder (TRUST-9). */
  readonly scope: ConfigScope;
  /** Its servers hold for this folder alone, though the file is the person's own (Claude Code's `projects`). */
  readonly onlyIn?: string;
  readonly format: FileFormat;
  /** Keys from the root to the servers. */
  readonly keyPath: readonly string[];
  /** Where they stand instead, in a file that has an object there already. */
  readonly otherKeyPath?: readonly string[];
  readonly shape: EntryShape;
}

export interface KnownClient {
  readonly id: ClientId;
  /** As its maker writes it; never translated. */
  readonly name: string;
  /** Names of its program, for PATH. */
  readonly commands: readonly string[];
  /** Whether it can be connected to us (GATE-8); the others are only looked at for servers (GATE-9). */
  readonly connects: boolean;
  /** Folders or files that are there where it is installed. */
  readonly traces: (surroundings: ClientSurroundings) => readonly string[];
  /** The person's own files, the one to write to first. */
  readonly userFiles: (surroundings: ClientSurroundings) => readonly ClientFile[];
  /** Files of one workspace folder. */
  readonly projectFiles: (folder: ProjectFolder, surroundings: ClientSurroundings) => readonly ClientFile[];
}

export interface ProjectFolder {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
}

export const clients: readonly KnownClient[] = [
  client({
    id: 'claudeCode',
    name: 'Claude Code',
    commands: ['claude'],
    connects: true,
    shape: 'claude',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => [claudeFile(at), at.env['CLAUDE_CONFIG_DIR'] ?? at.join(at.userHome, '.claude')],
    user: (at) => [claudeFile(at)],
    project: (folder, at) => [at.join(folder, '.mcp.json')],
    more: (folder, at) => [
      {
        path: claudeFile(at),
        keyPath: ['projects', forwardSlashes(folder.path, at), 'mcpServers'],
        onlyIn: folder.path,
      },
    ],
  }),
  client({
    id: 'claudeDesktop',
    name: 'Claude Desktop',
    connects: true,
    shape: 'desktop',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => [appFolder(at, 'Claude')],
    user: (at) => [at.join(appFolder(at, 'Claude'), 'claude_desktop_config.json')],
  }),
  client({
    id: 'cursor',
    name: 'Cursor',
    commands: ['cursor', 'cursor-agent'],
    connects: true,
    shape: 'cursor',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => [at.join(at.userHome, '.cursor')],
    user: (at) => [at.join(at.userHome, '.cursor', 'mcp.json')],
    project: (folder, at) => [at.join(folder, '.cursor', 'mcp.json')],
  }),
  client({
    id: 'windsurf',
    name: 'Windsurf',
    commands: ['windsurf'],
    connects: true,
    shape: 'windsurf',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => [at.join(at.userHome, '.codeium', 'windsurf')],
    user: (at) => [at.join(at.userHome, '.codeium', 'windsurf', 'mcp_config.json')],
  }),
  client({
    id: 'codex',
    name: 'Codex',
    commands: ['codex'],
    connects: true,
    shape: 'codex',
    format: 'toml',
    keyPath: ['mcp_servers'],
    traces: (at) => [codexFolder(at)],
    user: (at) => [at.join(codexFolder(at), 'config.toml')],
    project: (folder, at) => [at.join(folder, '.codex', 'config.toml')],
  }),
  client({
    id: 'gemini',
    name: 'Gemini CLI',
    commands: ['gemini'],
    connects: true,
    shape: 'gemini',
    format: 'jsonc',
    keyPath: ['mcpServers'],
    traces: (at) => [at.join(geminiHome(at), '.gemini', 'settings.json')],
    user: (at) => [at.join(geminiHome(at), '.gemini', 'settings.json')],
    project: (folder, at) => [at.join(folder, '.gemini', 'settings.json')],
  }),
  client({
    id: 'zed',
    name: 'Zed',
    commands: ['zed', 'zeditor'],
    connects: true,
    shape: 'zed',
    format: 'jsonc',
    keyPath: ['context_servers'],
    traces: (at) => [zedFolder(at)],
    user: (at) => [at.join(zedFolder(at), 'settings.json')],
    project: (folder, at) => [at.join(folder, '.zed', 'settings.json')],
  }),
  client({
    id: 'cline',
    name: 'Cline',
    commands: ['cline'],
    connects: true,
    shape: 'cline',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => [...storageOf(at, clineExtension), at.join(at.userHome, '.cline')],
    user: (at) => [
      ...storageOf(at, clineExtension).map((storage) => at.join(storage, 'settings', 'cline_mcp_settings.json')),
      at.env['CLINE_MCP_SETTINGS_PATH'] ??
        at.join(at.userHome, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    ],
  }),
  client({
    id: 'opencode',
    name: 'OpenCode',
    commands: ['opencode'],
    connects: true,
    shape: 'opencode',
    format: 'jsonc',
    keyPath: ['mcp'],
    // Its second version has them one level deeper, and still reads the first one's place.
    otherKeyPath: ['mcp', 'servers'],
    traces: (at) => [openCodeFolder(at)],
    user: (at) => ['opencode.json', 'opencode.jsonc'].map((name) => at.join(openCodeFolder(at), name)),
    project: (folder, at) => ['opencode.json', 'opencode.jsonc'].map((name) => at.join(folder, name)),
  }),
  client({
    id: 'vscode',
    name: 'VS Code',
    connects: false,
    shape: 'vscode',
    format: 'jsonc',
    keyPath: ['servers'],
    traces: () => [],
    user: (at) => (at.editorUserFolder === undefined ? [] : [at.join(at.editorUserFolder, 'mcp.json')]),
    project: (folder, at) => [at.join(folder, '.vscode', 'mcp.json')],
  }),
  client({
    id: 'copilot',
    name: 'Copilot CLI',
    commands: ['copilot'],
    connects: false,
    shape: 'copilot',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => [copilotFolder(at)],
    user: (at) => [at.join(copilotFolder(at), 'mcp-config.json')],
    project: (folder, at) => [at.join(folder, '.github', 'mcp.json')],
  }),
  client({
    id: 'visualStudio',
    name: 'Visual Studio',
    connects: false,
    shape: 'vscode',
    format: 'jsonc',
    keyPath: ['servers'],
    traces: () => [],
    user: (at) => [at.join(at.userHome, '.mcp.json')],
    project: (folder, at) => [at.join(folder, '.vs', 'mcp.json')],
  }),
  client({
    id: 'roo',
    name: 'Roo Code',
    connects: false,
    shape: 'roo',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => storageOf(at, rooExtension),
    user: (at) => storageOf(at, rooExtension).map((storage) => at.join(storage, 'settings', 'mcp_settings.json')),
    project: (folder, at) => [at.join(folder, '.roo', 'mcp.json')],
  }),
  client({
    id: 'kilo',
    name: 'Kilo Code',
    connects: false,
    shape: 'roo',
    format: 'json',
    keyPath: ['mcpServers'],
    traces: (at) => storageOf(at, kiloExtension),
    user: (at) => storageOf(at, kiloExtension).map((storage) => at.join(storage, 'settings', 'mcp_settings.json')),
    project: (folder, at) => [at.join(folder, '.kilocode', 'mcp.json')],
  }),
  client({
    id: 'continue',
    name: 'Continue',
    commands: ['cn'],
    connects: false,
    shape: 'continue',
    format: 'yaml',
    keyPath: ['mcpServers'],
    traces: (at) => [at.join(at.userHome, '.continue')],
    user: (at) => [at.join(at.userHome, '.continue', 'config.yaml')],
  }),
];

export function clientOf(id: ClientId): KnownClient {
  const known = clients.find((candidate) => candidate.id === id);
  if (known === undefined) throw new Error(`no client ${id}`);
  return known;
}

interface At extends ClientSurroundings {
  readonly join: (...parts: string[]) => string;
}

interface ClientRow extends Pick<ClientFile, 'shape' | 'format' | 'keyPath' | 'otherKeyPath'> {
  readonly id: ClientId;
  readonly name: string;
  readonly commands?: readonly string[];
  readonly connects: boolean;
  readonly traces: (at: At) => readonly string[];
  readonly user: (at: At) => readonly string[];
  readonly project?: (folder: string, at: At) => readonly string[];
  /** Further places in the person's own files that hold for one folder. */
  readonly more?: (
    folder: ProjectFolder,
    at: At,
  ) => readonly (Pick<ClientFile, 'path' | 'keyPath'> & { readonly onlyIn: string })[];
}

function client(row: ClientRow): KnownClient {
  const { id, shape, format, keyPath, otherKeyPath } = row;
  const place = { client: id, shape, format, keyPath, ...(otherKeyPath && { otherKeyPath }) };
  return {
    id,
    name: row.name,
    commands: row.commands ?? [],
    connects: row.connects,
    traces: (surroundings) => row.traces(at(surroundings)),
    userFiles: (surroundings) =>
      row.user(at(surroundings)).map((path) => ({ ...place, path, scope: { kind: 'user' as const } })),
    projectFiles: (folder, surroundings) => [
      ...(row.project?.(folder.path, at(surroundings)) ?? []).map((path) => ({
        ...place,
        path,
        scope: { kind: 'project' as const, folder: folder.path, name: folder.name },
      })),
      ...(row.more?.(folder, at(surroundings)) ?? []).map((more) => ({
        ...place,
        ...more,
        scope: { kind: 'user' as const },
      })),
    ],
  };
}

function at(surroundings: ClientSurroundings): At {
  const paths = surroundings.platform === 'win32' ? win32 : posix;
  return { ...surroundings, join: (...parts) => paths.join(...parts) };
}

function claudeFile(at: At): string {
  return at.join(at.env['CLAUDE_CONFIG_DIR'] ?? at.userHome, '.claude.json');
}

function codexFolder(at: At): string {
  return at.env['CODEX_HOME'] ?? at.join(at.userHome, '.codex');
}

function geminiHome(at: At): string {
  return at.env['GEMINI_CLI_HOME'] ?? at.userHome;
}

function copilotFolder(at: At): string {
  return at.env['COPILOT_HOME'] ?? at.join(at.userHome, '.copilot');
}

/** Zed and OpenCode keep to the XDG folders on macOS too; Zed has its own place on Windows. */
function zedFolder(at: At): string {
  return at.platform === 'win32' ? at.join(roaming(at), 'Zed') : at.join(xdgConfig(at), 'zed');
}

function openCodeFolder(at: At): string {
  return at.join(xdgConfig(at), 'opencode');
}

function xdgConfig(at: At): string {
  return at.env['XDG_CONFIG_HOME'] ?? at.join(at.userHome, '.config');
}

/** The folder of a desktop application. */
function appFolder(at: At, name: string): string {
  if (at.platform === 'win32') return at.join(roaming(at), name);
  if (at.platform === 'darwin') return at.join(at.userHome, 'Library', 'Application Support', name);
  return at.join(xdgConfig(at), name);
}

function roaming(at: At): string {
  return at.env['APPDATA'] ?? at.join(at.userHome, 'AppData', 'Roaming');
}

const clineExtension = 'saoudrizwan.claude-dev';
const rooExtension = 'rooveterinaryinc.roo-cline';
const kiloExtension = 'kilocode.kilo-code';

/** Where an extension of the running editor keeps its files. */
function storageOf(at: At, extension: string): readonly string[] {
  return at.editorUserFolder === undefined ? [] : [at.join(at.editorUserFolder, 'globalStorage', extension)];
}

/** Claude Code names folders with forward slashes on Windows too. */
function forwardSlashes(path: string, { platform }: At): string {
  return platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
