import type { App } from '../app.ts';
import { openAt } from './openAt.ts';

/** Opens a configuration file; one that is missing is made first, well-formed and empty. */
export async function openConfig(app: App, file: string): Promise<void> {
  const store = app.config.store(file);
  if (store?.get().exists === false) await store.create();
  await openAt(file, store?.get().problem?.position);
}
