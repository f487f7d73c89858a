// Turns a raw `prompts/get` result into the same page as a tool's result, with a heading for who speaks. Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json.ts';
import type { ResultBlock, ResultView } from '../../contract/pageMessages.ts';
import type { Translate } from '../translate.ts';
import { type CallFacts, resultView, shownBlocks } from './resultView.ts';

export function promptView(result: JsonObject, facts: CallFacts, t: Translate): ResultView {
  const messages = Array.isArray(result['messages']) ? (result['messages'] as readonly JsonValue[]) : [];
  const blocksOf = (message: JsonObject): readonly ResultBlock[] => {
    const content = message['content'];
    const parts = { content: Array.isArray(content) ? (content as readonly JsonValue[]) : [content ?? null] };
    return [{ kind: 'heading', text: roleWord(message['role'], t) }, ...resultView(parts, facts, t).blocks];
  };
  return { ...resultView({}, facts, t), blocks: [...shownBlocks(messages.filter(isJsonObject), blocksOf, t)] };
}

function roleWord(role: JsonValue | undefined, t: Translate): string {
  if (role === 'user') return t('User');
  return role === 'assistant' ? t('Assistant') : t('Unknown role');
}
