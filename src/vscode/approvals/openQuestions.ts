// The lists of answers that wait for the person: the one on the screen, and those that another list of the editor's pushed
// away. The editor does not say why a list went: that it was Escape is known by a key binding of ours.

export interface WaitingList {
  /** Takes it for answered, as when it is closed. */
  close(): void;
  show(): void;
}

class OpenQuestions {
  shown: WaitingList | undefined;
  readonly pushedAway = new Set<WaitingList>();

  showAgain(): void {
    const [first] = this.pushedAway;
    first?.show();
  }
}

export const openQuestions = new OpenQuestions();
