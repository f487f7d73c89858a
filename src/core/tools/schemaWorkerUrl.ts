/**
 * Where the schema thread's program is, seen from the module at `from`: beside the source in the source tree, and in
 * a build beside the entries, whether the asking code became part of an entry or of a chunk in `chunks/`.
 */
export function schemaWorkerUrl(from: string): URL {
  if (from.endsWith('.ts')) return new URL('./schemaWorker.ts', from);
  return new URL(/\/chunks\/[^/]+$/.test(from) ? '../schemaWorker.js' : './schemaWorker.js', from);
}
