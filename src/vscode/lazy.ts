export interface Lazy<T> {
  /** Makes it where it is not there. */
  get(): Promise<T>;
  /** What is there or being made. */
  readonly made: Promise<T> | undefined;
  /** The next use makes it anew. */
  forget(): void;
}

/** Made at the first use and kept. One that could not be made is forgotten: the next use tries again. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  return {
    get: () => {
      if (made !== undefined) return made;
      const making = make();
      made = making;
      making.catch(() => {
        if (made === making) made = undefined;
      });
      return making;
    },
    get made() {
      return made;
    },
    forget: () => (made = undefined),
  };
}
