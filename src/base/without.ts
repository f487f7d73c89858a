/** A copy that lacks one key. */
export function without<T extends object, K extends keyof T & string>(value: T, key: K): Omit<T, K> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as Omit<T, K>;
}
