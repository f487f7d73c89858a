/**
 * Milliseconds of processor time that `work` took: what else runs on the machine does not count. It tells linear work
 * from such that grows with the square, where a bound is far from both; it is no measure of speed (that is the bench).
 */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
