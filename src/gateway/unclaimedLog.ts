// A log line that a server says outside of any request: nothing tells whose call it is about, and it may name what one
// client alone may know. Promises: it reaches the one session that follows its connection, and where there are more of
// them, at whatever path, none. The window's own log has it in any case.
export class UnclaimedLog {
  readonly #sessions: (() => void)[] = [];

  /** Every session that follows the connection has to say so, within the turn in which the line came. */
  offer(tell: () => void): void {
    if (this.#sessions.push(tell) === 1) queueMicrotask(() => this.#settle());
  }

  #settle(): void {
    const [only, ...others] = this.#sessions;
    if (others.length === 0) only?.();
  }
}

/** The same for all who hear one notification. */
export function unclaimedLogOf(notification: object): UnclaimedLog {
  const known = unclaimed.get(notification) ?? new UnclaimedLog();
  unclaimed.set(notification, known);
  return known;
}

const unclaimed = new WeakMap<object, UnclaimedLog>();
