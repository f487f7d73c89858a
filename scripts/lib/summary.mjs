/**
 * The end of a test run. The last line is what other programs read: `N passed, N failed`, and nothing else. Above it stands
 * by name what did not run, since that has shown nothing.
 * @param {{ readonly passed: number, readonly failed: number, readonly skipped: readonly string[] }} totals
 */
export function summary({ passed, failed, skipped }) {
  const named = skipped.map((title) => `  ${title}`);
  const notRun = named.length === 0 ? [] : [`${String(named.length)} skipped:`, ...named, ''];
  return [...notRun, `${String(passed)} passed, ${String(failed)} failed`].join('\n');
}
