// Asks a person for a tool's arguments, one plain question each: required ones first, then those optional ones that
// the person wants to give. "Edit as JSON" is one click away from each question.
import { shownLine } from '../shownText.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { t } from '../strings.ts';
import { type ArgumentField, argumentFields, parseAnswer } from './argumentFields.ts';
import { type Answer, askChoice, askChoices, askText, type Choice, type Question } from './ask.ts';

/** `json`: the person wants the JSON editor, or the schema needs it. */
export async function askArguments(
  tool: string,
  schema: JsonValue | undefined,
  remembered: JsonObject | undefined,
): Promise<Answer<JsonObject>> {
  const fields = argumentFields(schema);
  if (fields === undefined) return { kind: 'json' };
  const title = shownLine(tool, 100);
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  const values: [string, JsonValue][] = [];
  for (const [index, field] of required.entries()) {
    const step = { number: index + 1, of: required.length + (optional.length > 0 ? 1 : 0) };
    const answer = await askField(field, { title, step }, remembered?.[field.name]);
    if (answer?.kind !== 'given') return answer;
    values.push([field.name, answer.value]);
  }
  if (optional.length > 0) {
    const wanted = await askWhich(optional, title, remembered);
    if (wanted?.kind !== 'given') return wanted;
    for (const field of wanted.value) {
      const answer = await askField(field, { title }, remembered?.[field.name]);
      if (answer?.kind !== 'given') return answer;
      values.push([field.name, answer.value]);
    }
  }
  return { kind: 'given', value: Object.fromEntries(values) };
}

function askWhich(
  optional: readonly ArgumentField[],
  title: string,
  remembered: JsonObject | undefined,
): Promise<Answer<readonly ArgumentField[]>> {
  const choices = optional.map((field) => ({
    label: shownLine(field.name, 100),
    detail: shownLine(field.description, 200),
    picked: remembered?.[field.name] !== undefined,
    value: field,
  }));
  return askChoices({ title, prompt: t('Optional arguments to give; none is fine'), offerJson: true }, choices);
}

function askField(
  field: ArgumentField,
  where: Pick<Question, 'title' | 'step'>,
  remembered: JsonValue | undefined,
): Promise<Answer<JsonValue>> {
  const start = remembered ?? field.initial;
  const prompt = promptOf(field);
  const question: Question = { ...where, prompt, offerJson: true };
  switch (field.kind) {
    case 'boolean':
      return askChoice(
        question,
        [true, false].map((value) => choiceOf(value, start)),
      );
    case 'choice':
      return askChoice(
        question,
        field.options.map((value) => choiceOf(value, start)),
      );
    case 'choices': {
      const chosen = Array.isArray(start) ? (start as readonly JsonValue[]) : [];
      return askChoices(
        question,
        field.options.map((value) => ({ ...choiceOf(value), picked: chosen.includes(value) })),
      );
    }
    case 'text':
    case 'number':
    case 'integer':
    case 'json':
      return askTyped(field.kind, question, start);
  }
}

async function askTyped(
  kind: ArgumentField['kind'],
  question: Question,
  start: JsonValue | undefined,
): Promise<Answer<JsonValue>> {
  const value = start === undefined ? '' : typeof start === 'string' && kind === 'text' ? start : JSON.stringify(start);
  const check = (answer: string): string | undefined => {
    const parsed = parseAnswer(kind, answer);
    return parsed.kind === 'wrong' ? wrongWords(parsed.why) : undefined;
  };
  const answer = await askText({ ...question, value, check });
  if (answer?.kind !== 'given') return answer;
  const parsed = parseAnswer(kind, answer.value);
  return parsed.kind === 'value' ? { kind: 'given', value: parsed.value } : undefined;
}

function wrongWords(why: 'number' | 'integer' | 'json'): string {
  switch (why) {
    case 'number':
      return t('This is not a number.');
    case 'integer':
      return t('This is not a whole number.');
    case 'json':
      return t('This is not valid JSON.');
  }
}

function choiceOf(value: JsonValue, start?: JsonValue): Choice<JsonValue> {
  const label = shownLine(typeof value === 'string' ? value : JSON.stringify(value), 200);
  return { label: label === '' ? '""' : label, picked: value === start, value };
}

function promptOf(field: ArgumentField): string {
  const name = shownLine(field.name, 100);
  const description = shownLine(field.description, 400);
  const kind = field.kind === 'json' ? ` (${t('as JSON')})` : '';
  return description === '' ? `${name}${kind}` : `${name}${kind}: ${description}`;
}
