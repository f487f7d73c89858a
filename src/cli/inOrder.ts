/**
 * Does `work` for all items at once and shows each result in the order of the items, as soon as it and those before it are
 * there. Answers with the results; fails with the first failure.
 */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  show: (item: Item, result: Result) => void,
): Promise<readonly Result[]> {
  const started = items.map((item) => ({ item, result: work(item) }));
  const showAll = async (): Promise<void> => {
    for (const { item, result } of started) show(item, await result);
  };
  // Waited for together: a later one may fail while an earlier one is waited for.
  const [results] = await Promise.all([Promise.all(started.map(({ result }) => result)), showAll()]);
  return results;
}
