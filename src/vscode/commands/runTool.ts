import { shownLine } from '../shownText.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ServerKey } from '../../core/config/model.ts';
import type { Generation } from '../../core/connection/state.ts';
import { withProgress } from '../adapters/withProgress.ts';
import type { App } from '../app.ts';
import type { Draft } from '../input/draft.ts';
import { resultView } from '../results/resultView.ts';
import { t } from '../strings.ts';

/**
 * Calls a tool for a person and shows what came back. The call is bound to the definition that the person saw, and to
 * the life of the server where its row showed one; a draft outlives restarts that leave the definition as it is.
 */
export async function runTool(
  app: App,
  { key, tool, hash, generation }: Draft & { readonly generation?: Generation | undefined },
  args: JsonObject,
): Promise<void> {
  app.remembered.set(rememberedKey(key, tool), args);
  const server = app.model.server(key)?.server.id ?? '';
  const title = t('Call of {tool} on “{server}”', { tool: shownLine(tool, 100), server });
  const { result, milliseconds } = await withProgress(title, async ({ signal, report }) => {
    const { snapshot } = await app.manager.use(key, { signal });
    const begun = performance.now();
    const call = {
      server: key,
      tool,
      args,
      caller: { kind: 'tree', name: t('you, from the MCP view') },
      binding: { generation: generation ?? snapshot.generation, hash },
    } as const;
    const onProgress = (params: JsonObject): void => report(progressText(params));
    const raw = await app.callTool(call, { signal, onProgress, validate: true });
    return { result: raw, milliseconds: performance.now() - begun };
  });
  (await app.results()).show(key, tool, resultView(result, { server, tool: shownLine(tool), milliseconds }, t), result);
}

export function rememberedKey(key: ServerKey, tool: string): string {
  return `${key}\n${tool}`;
}

function progressText(params: JsonObject): string {
  const { progress, total, message } = params;
  const part = typeof progress === 'number' && typeof total === 'number' ? `${progress} / ${total}` : '';
  return typeof message === 'string' ? shownLine(`${part} ${message}`.trim(), 200) : part;
}
