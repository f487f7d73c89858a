// A context without a machine: files, links, commands and the person's values are what a test says they are.
import type { LaunchContext } from '../../../../src/core/trust/launchContext.ts';

export interface FakePlace {
  env?: Record<string, string | undefined>;
  workspaceFolder?: string | undefined;
  files?: Record<string, string | Uint8Array>;
  /** From a path to what it links to. */
  links?: Record<string, string>;
  /** Commands that are found, with their paths. */
  commands?: Record<string, string>;
  inputs?: Record<string, string>;
  secrets?: Record<string, string>;
  platform?: NodeJS.Platform;
}

export interface FakeContext extends LaunchContext {
  /** What the person was asked for, in order. */
  readonly asked: string[];
  readonly searched: { command: string; cwd: string; env: Readonly<Record<string, string>> }[];
}

export function contextOf(place: FakePlace = {}): FakeContext {
  const asked: string[] = [];
  const searched: FakeContext['searched'] = [];
  const answer = (
    kind: string,
    values: Record<string, string> | undefined,
    name: string,
  ): Promise<string | undefined> => {
    asked.push(`${kind}:${name}`);
    return Promise.resolve(values?.[name]);
  };
  return {
    home: '/home/me',
    workspaceFolder: 'workspaceFolder' in place ? place.workspaceFolder : '/work/open',
    env: place.env ?? {},
    personalValues: {
      input: (id) => answer('input', place.inputs, id),
      secret: (name) => answer('secret', place.secrets, name),
    },
    files: {
      readFile: (path, limit) => {
        const content = place.files?.[path];
        if (content === undefined) return Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' }));
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        return bytes.length > limit ? Promise.reject(new RangeError('it is too large')) : Promise.resolve(bytes);
      },
      realPath: (path) => Promise.resolve(place.links?.[path] ?? path),
    },
    findExecutable: (command, options) => {
      searched.push({ command, ...options });
      return Promise.resolve(place.commands?.[command]);
    },
    platform: place.platform ?? 'linux',
    asked,
    searched,
  };
}
