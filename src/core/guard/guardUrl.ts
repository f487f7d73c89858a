/** Where the guard's program is, seen from the module at `from`: see schemaWorkerUrl. */
export function guardUrl(from: string): URL {
  if (from.endsWith('.ts')) return new URL('../core/guard/guardProcess.ts', from);
  return new URL(/\/chunks\/[^/]+$/.test(from) ? '../guard.js' : './guard.js', from);
}
