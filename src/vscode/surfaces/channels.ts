// The one way to a channel of the output panel. Lines may hold what servers and files say: no escape sequence, hidden
// character or secret of theirs gets in.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { stripTerminal, visibleText } from '../../base/sanitise.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/ports.ts';
import { knownSecrets } from './knownSecrets.ts';

/** The window's own log. */
export function logChannel(name: string): Log & Disposable {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  return {
    info: (text) => channel.info(logged(text)),
    warn: (text) => channel.warn(logged(text)),
    error: (text) => channel.error(logged(text)),
    dispose: () => channel.dispose(),
  };
}

export interface LineChannel extends Disposable {
  line(text: string): void;
  show(): void;
}

/** A channel of lines that have their times already. */
export function lineChannel(name: string): LineChannel {
  const channel = vscode.window.createOutputChannel(name, 'log');
  return {
    line: (text) => channel.appendLine(logged(text)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}

function logged(text: string): string {
  return visibleText(knownSecrets.text(stripTerminal(text)), limits.log.line);
}
