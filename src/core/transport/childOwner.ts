// What a stdio transport tells whoever answers for this process's children after its death (KEEP-5).

/** A direct child. Times are in the process table's unit. */
export interface OwnedChild {
  readonly pid: number;
  /** It started between these two. */
  readonly start: number;
  readonly latest: number;
  /** Of its environment. */
  readonly mark: string;
  readonly server: string;
}

export interface ChildOwner {
  /** Awaited right before a process starts. Bounded in time, and never fails: a server runs without it, too. */
  ready(): Promise<void>;
  started(child: OwnedChild): void;
  /** Nothing that carries this mark is left. */
  ended(mark: string): void;
}
