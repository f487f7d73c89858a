import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { ConfiguredServer } from '../../core/config/model.ts';
import type { BoundValues, PersonalValues } from '../../core/ports.ts';
import type { InheritedEnvironment } from '../../core/transport/inheritedEnvironment.ts';
import type { LaunchContext } from '../../core/trust/launchContext.ts';
import { lazy } from '../lazy.ts';
import { settings } from './settings.ts';

/** What launches are resolved from: this machine's environment and files, and the person's values. */
export class LaunchSurroundings {
  readonly #values: PersonValues;
  readonly #environment = lazy(readEnvironment);

  constructor(values: PersonValues) {
    this.#values = values;
  }

  /** What stdio servers inherit. The login shell is asked once per window. */
  environment(): Promise<InheritedEnvironment> {
    return this.#environment.get();
  }

  /** The setting changed: the next start sees the new names. */
  forget(): void {
    this.#environment.forget();
  }

  async launchContext(server: ConfiguredServer): Promise<LaunchContext> {
    const inherited = await this.environment();
    return {
      home: homedir(),
      ...folderOf(server),
      env: inherited.base,
      personalValues: this.#values,
      boundValues: this.#values.bound,
      findExecutable: async (command, options) => {
        const { commandFinder } = await import('../../core/trust/launchContext.ts');
        return commandFinder(inherited)(command, options);
      },
    };
  }
}

type PersonValues = PersonalValues & { readonly bound: BoundValues };

/**
 * The folder that defines a server; a person's own one works in the first folder of the window, and in none of them
 * while they are not trusted (TRUST-1). Looked at anew for each launch, so that trust counts from the next start.
 */
function folderOf({ scope }: ConfiguredServer): Pick<LaunchContext, 'workspaceFolder' | 'untrustedFolders'> {
  if (scope.kind === 'project') return { workspaceFolder: scope.folder };
  const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const folders = open.map(({ uri }) => uri.fsPath);
  return vscode.workspace.isTrusted ? { workspaceFolder: folders[0] } : { untrustedFolders: folders };
}

/** Needed at the first start only, and loaded then. */
async function readEnvironment(): Promise<InheritedEnvironment> {
  const [{ inheritedEnvironment }, { loginShellPath }] = await Promise.all([
    import('../../core/transport/inheritedEnvironment.ts'),
    import('../../core/transport/loginShellPath.ts'),
  ]);
  return inheritedEnvironment({
    env: process.env,
    inherit: settings.inheritedEnvironment(),
    platform: process.platform,
    loginShellPath: () => loginShellPath({ env: process.env }),
  });
}
