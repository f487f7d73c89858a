import * as vscode from 'vscode';
import { type Disposable } from '../../base/disposable.ts';
import { editorSettingIds, type EditorSettings, type SettingValues } from '../../core/policy/editorSettings.ts';
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

  journalEnabled(): boolean {
    return ownValue(settingIds.journalEnabled) === true;
  },

  gatewayEnabled(): boolean {
    return ownValue(settingIds.gatewayEnabled) === true;
  },

  gatewayToolSearch(): boolean {
    return ownValue(settingIds.gatewayToolSearch) === true;
  },

  publishToEditor(): boolean {
    return ownValue(settingIds.publishToEditor) === true;
  },

  /** The editor's own about MCP, as they are given (POL-4). */
  editor(): EditorSettings {
    const given = Object.entries(editorSettingIds).map(([name, id]) => [name, valuesOf(id)] as const);
    return Object.fromEntries(given.filter(([, values]) => values !== undefined));
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

/** The editor gives an organisation's value in the place of the default. */
function valuesOf(id: string): SettingValues | undefined {
  const settings = vscode.workspace.getConfiguration();
  const found = settings.inspect(id);
  if (found === undefined) return undefined;
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = found;
  const others = [globalValue, workspaceValue, workspaceFolderValue].filter((value) => value !== undefined);
  return { effective: settings.get(id), managed: defaultValue, others };
}
