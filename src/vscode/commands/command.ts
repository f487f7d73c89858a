import type { App } from '../app.ts';
import type { CommandName } from '../contributions.ts';

/** One command. `target` is what the menu was opened on, or what a caller passed; nothing is believed about it. */
export interface Command {
  readonly name: CommandName;
  run(app: App, target: unknown): Promise<void>;
}
