import * as vscode from 'vscode';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import { type CommandName, commandId, viewId } from '../contributions.ts';
import { t } from '../strings.ts';
import { type Attention, needsPerson } from './attention.ts';

/** In the status bar only while something needs the person, and a click leads to it. */
export class AttentionItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('roundhouse.attention', vscode.StatusBarAlignment.Left, 0);
  readonly #subscription: { dispose(): void };

  constructor(manager: ServerManager) {
    this.#item.name = t('MCP servers that need you');
    this.#subscription = manager.onDidChange(() => this.#update(needsPerson(manager)));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }

  #update(attention: Attention): void {
    const look = lookOf(attention);
    if (look === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = `${look.icon} ${look.text}`;
    this.#item.accessibilityInformation = { label: look.text };
    this.#item.tooltip = look.text;
    this.#item.command = look.command === undefined ? `${viewId}.focus` : commandId(look.command);
    this.#item.show();
  }
}

function lookOf(attention: Attention): { icon: string; text: string; command?: CommandName } | undefined {
  const { approvals, values, signIns, brokenFiles } = attention;
  if (brokenFiles > 0) return { icon: '$(error)', text: t('MCP configuration is broken'), command: 'problem.open' };
  if (approvals > 0) {
    const text =
      approvals === 1 ? t('1 MCP server to approve') : t('{count} MCP servers to approve', { count: approvals });
    return { icon: '$(shield)', text, command: 'approvals.review' };
  }
  if (values > 0) return { icon: '$(key)', text: t('An MCP server needs a value') };
  return signIns > 0 ? { icon: '$(account)', text: t('An MCP server needs you to sign in') } : undefined;
}
