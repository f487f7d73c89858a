// What a person with some clients has in their files: for tests of what is drawn of it.
import type { JsonObject } from '../../src/contract/json.ts';
import type { ClientReading } from '../../src/core/agents/clientFile.ts';
import { type ClientFile, type ClientId, clientOf } from '../../src/core/agents/clients.ts';
import type { ConfiguredServer } from '../../src/core/config/model.ts';
import { collectFound, rowsOf } from '../../src/core/found/collectFound.ts';
import type { FoundView } from '../../src/core/found/foundView.ts';

const userHome = '/home/ada';

/** The first of the client's own files. */
export function fileOf(client: ClientId): ClientFile {
  const [file] = clientOf(client).userFiles({ platform: 'linux', userHome, env: {}, editorUserFolder: '/editor/User' });
  return file!;
}

export function projectFileOf(client: ClientId, folder: string): ClientFile {
  const [file] = clientOf(client).projectFiles(
    { path: folder, name: 'demo' },
    { platform: 'linux', userHome, env: {} },
  );
  return file!;
}

/** As it would be read; the entries stand one below the other. */
export function readingOf(file: ClientFile, entries: Readonly<Record<string, JsonObject>>, text = ''): ClientReading {
  return {
    ...{ kind: 'read', file, path: file.path, text, hash: '', mode: 0o600, keyPath: file.keyPath },
    entries: Object.entries(entries).map(([name, raw], index) => ({
      ...{ name, raw, text: '', position: { line: index + 2, column: 3 } },
      ...{ definition: { kind: 'unusable', reason: 'noTarget' }, enabled: true, leftOut: [] },
    })),
  };
}

export function foundIn(readings: readonly ClientReading[], own: readonly ConfiguredServer[] = []): FoundView {
  return collectFound(
    readings.map((reading) => ({ reading, rows: [...rowsOf(reading)] })),
    own,
  );
}

export const demoFound = foundIn([
  readingOf(fileOf('cursor'), { files: { command: 'npx', args: ['files'] }, hub: { command: 'hub', env: { K: 'v' } } }),
  readingOf(fileOf('codex'), { files: { command: 'npx', args: ['files'] }, docs: { url: 'https://docs.example/mcp' } }),
  readingOf(fileOf('zed'), { odd: { settings: {} } }),
  {
    ...{ kind: 'refused', file: fileOf('gemini') },
    problem: {
      ...{ file: fileOf('gemini').path, code: 'agentFileMalformed', position: { line: 4, column: 2 } },
      data: { file: fileOf('gemini').path, detail: 'a value is expected', line: 4, column: 2 },
    },
  },
]);
