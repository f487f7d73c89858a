// What an owner and its guard agree on. The shell's text is fixed: what differs comes to it as arguments.

/** Said before the pipe is closed, where nothing of the owner's children is left. */
export const wordOfOrder = 'done';

/**
 * Waits for next to nothing, and becomes its arguments once the owner is gone without a word. Signals to a terminal or a
 * group do not reach it: it leads a session of its own, and what it becomes ignores them, too.
 */
export const guardScript = `trap '' HUP INT QUIT TERM
while read -r word; do [ "$word" = ${wordOfOrder} ] && exit 0; done
exec "$@"`;
