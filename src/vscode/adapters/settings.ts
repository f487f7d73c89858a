import * as vscode from 'vscode';
import { type Disposable } from '../../base/disposable.ts';
import { settingIds } from '../contributions.ts';

/** The person's settings. What a workspace says about them does not count (product TRUST-7, TRUST-8). */
export const settings = {
  remoteEnabled(): boolean {
    return ownValue(settingIds.remoteEnabled) === true;
  },

  async enableRemote(): Promise<void> {
    await vscode.workspace.getConfiguration().update(settingIds.remoteEnabled, true, vscode.ConfigurationTarget.Global);
  },

  inheritedEnvironment(): readonly string[] {
    const value = ownValue(settingIds.inheritedEnvironment);
    return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
  },

  onDidChange(id: string, listener: () => void): Disposable {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(id)) listener();
    });
  },
};

function ownValue(id: string): unknown {
  const found = vscode.workspace.getConfiguration().inspect(id);
  return found?.globalValue ?? found?.defaultValue;
}
