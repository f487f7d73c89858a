import * as vscode from 'vscode';
import type { ServerManager } from '../../core/manager/serverManager.ts';
import { type CommandName, commandId, viewId } from '../contributions.ts';
import { t } from '../strings.ts';
import { type Attention, attentionWords, needsPerson } from './attention.ts';

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
    const [first, ...others] = attentionWords(attention, t);
    const { icon, command } = lookOf(attention);
    if (first === undefined) {
      this.#item.hide();
      return;
    }
    const all = [first, ...others].join(', ');
    this.#item.text = `${icon} ${others.length === 0 ? first : t('{first} and more', { first })}`;
    this.#item.accessibilityInformation = { label: all };
    this.#item.tooltip = all;
    this.#item.command = command === undefined ? `${viewId}.focus` : commandId(command);
    this.#item.show();
  }
}

/** Of what comes first. */
function lookOf({ approvals, values, brokenFiles }: Attention): { icon: string; command?: CommandName } {
  if (brokenFiles > 0) return { icon: '$(error)', command: 'problem.open' };
  if (approvals > 0) return { icon: '$(shield)', command: 'approvals.review' };
  return { icon: values > 0 ? '$(key)' : '$(account)' };
}
