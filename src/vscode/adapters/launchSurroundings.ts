import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { ConfiguredServer } from '../../core/config/model.ts';
import type { PersonalValues } from '../../core/ports.ts';
import { childEnvironment } from '../../core/transport/environment.ts';
import { findCommand } from '../../core/transport/findCommand.ts';
import { type InheritedEnvironment, inheritedEnvironment } from '../../core/transport/inheritedEnvironment.ts';
import { loginShellPath } from '../../core/transport/loginShellPath.ts';
import type { LaunchContext } from '../../core/trust/launchContext.ts';
import { settings } from './settings.ts';

/** What launches are resolved from: this machine's environment and files, and the person's values. */
export class LaunchSurroundings {
  readonly #values: PersonalValues;
  #environment: Promise<InheritedEnvironment> | undefined;

  constructor(values: PersonalValues) {
    this.#values = values;
  }

  /** What stdio servers inherit. The login shell is asked once per window. */
  environment(): Promise<InheritedEnvironment> {
    this.#environment ??= inheritedEnvironment({
      env: process.env,
      inherit: settings.inheritedEnvironment(),
      platform: process.platform,
      loginShellPath: () => loginShellPath({ env: process.env }),
    });
    return this.#environment;
  }

  /** The setting changed: the next start sees the new names. */
  forget(): void {
    this.#environment = undefined;
  }

  async launchContext(server: ConfiguredServer): Promise<LaunchContext> {
    const inherited = await this.environment();
    return {
      home: homedir(),
      ...folderOf(server),
      env: inherited.base,
      personalValues: this.#values,
      findExecutable: async (command, { cwd, env: own }) => {
        const env = childEnvironment({ inherited, own, mark: undefined, platform: process.platform });
        const found = await findCommand(command, { env, cwd, platform: process.platform });
        return found.kind === 'found' ? found.path : undefined;
      },
    };
  }
}

/** The folder that defines a server; a person's own one works in the first folder of the window. */
function folderOf({ scope }: ConfiguredServer): { workspaceFolder?: string } {
  const folder = scope.kind === 'project' ? scope.folder : firstFolder();
  return folder === undefined ? {} : { workspaceFolder: folder };
}

function firstFolder(): string | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
}
