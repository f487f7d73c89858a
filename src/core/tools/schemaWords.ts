// The report of the schema validator in words for people (TOOL-3): one clean sentence for each fault, with the place in
// the value that it is about. Pure. The validator's own words speak of instances and subschemas, and tell of each fault
// once more for every level above it. Refuses to repeat what it does not know: it says less instead.
import { limits } from '../limits.ts';

/** The faults in a report: `age: has to be a whole number, not text`. At least one; unbounded texts, not made visible. */
export function schemaFaults(report: string): readonly string[] {
  const { errors, errorLength } = limits.schemaCheck;
  const lines = report
    .slice(0, errors * errorLength * 4)
    .split(/(?<=\.); (?=#\S*: )/)
    .map(lineOf);
  const told = lines.filter(({ text }) => !isWrapper(text));
  const faults = new Set<string>();
  for (const line of told) faults.add(words(line, told));
  return faults.size === 0 ? [placed(lines[0]?.place ?? [], 'does not fit')] : [...faults];
}

/** Why a schema cannot be used. */
export function unusableSchema(message: string): string {
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? 'it is not a valid JSON schema';
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/dialect/, 'its $schema names a dialect that is not known here'],
  [/^Unresolved \$(?:ref|recursiveRef)/, 'it refers to a part that it does not hold'],
  [/regular expression/i, 'it holds a pattern that is no regular expression'],
  [/call stack/, 'it is nested too deep, or refers to itself without end'],
  [/^Duplicate schema URI/, 'it gives the same $id to two of its parts'],
];

interface Line {
  readonly place: readonly string[];
  readonly text: string;
}

function lineOf(line: string): Line {
  const [, pointer = '#', text = line] = /^(#\S*): (.*)$/s.exec(line) ?? [];
  return { place: pointer.split('/').slice(1).map(decoded), text };
}

function decoded(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURI(plain);
  } catch {
    return plain;
  }
}

/** What only says that something below it does not fit. */
function isWrapper(text: string): boolean {
  return wrappers.some((pattern) => pattern.test(text));
}

const wrappers: readonly RegExp[] = [
  /^A subschema had errors|^Items did not match|^Instance does not match (?:every subschema|"then"|"else")/,
  /^(?:Property|Property name) ".*" (?:does not match|matches pattern)/s,
  /does not match dependant schema\.$/,
];

function words({ place, text }: Line, all: readonly Line[]): string {
  const [, type, expected] = typeFault.exec(text) ?? [];
  if (type !== undefined && expected !== undefined) {
    // Of several forms each tells the type that it wants.
    const wanted = all.flatMap((other) =>
      samePlace(other.place, place) ? (typeFault.exec(other.text)?.[2] ?? []) : [],
    );
    const names = new Set(wanted.flatMap((list) => list.split('", "')).map((name) => typeNames[name] ?? name));
    const not = type === 'number' && expected === 'integer' ? '' : `, not ${typeNames[type] ?? type}`;
    return placed(place, `has to be ${[...names].join(' or ')}${not}`);
  }
  const missing = /^Instance does not have required property "(.*)"\.$/s.exec(text)?.[1];
  if (missing !== undefined) return placed([...place, missing], 'is missing');
  // Which form was meant cannot be known; where something else is told of it, that is enough.
  if (/^Instance does not match (?:any subschemas|exactly one subschema \(0 )/.test(text)) {
    const more = all.find((other) => other.text !== text && isBelow(other.place, place));
    return more === undefined ? placed(place, 'has none of the forms that it may have') : words(more, all);
  }
  for (const [pattern, sentence] of sentences) {
    const match = pattern.exec(text);
    if (match !== null)
      return placed(
        place,
        sentence.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? ''),
      );
  }
  return placed(place, 'does not fit');
}

const typeFault = /^Instance type "(\w+)" is invalid\. Expected "(.*)"\.$/s;

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

const sentences: readonly (readonly [RegExp, string])[] = [
  [/^False boolean schema\.$/, 'is not allowed'],
  [/^Instance does not match exactly one subschema/, 'has more than one of the forms that it may have'],
  [/^Instance does not match any of \[(.*)\]\.$/s, 'has to be one of $1'],
  [/^Instance does not match (.*)\.$/s, 'has to be $1'],
  [/^Instance matched "not" schema\.$/, 'is of a form that is ruled out'],
  [/^Instance does not have at least (\S+) properties\.$/, 'has too few or too many fields (the bound is $1)'],
  [/^Instance has "(.*)" but does not have "(.*)"\.$/s, 'needs $2 beside $1'],
  [/^Array has too many items \((\S+) > (\S+)\)\.$/, 'holds too many items: $1, at most $2'],
  [/^Array has too few items \((\S+) < (\S+)\)\.$/, 'holds too few items: $1, at least $2'],
  [
    /^(?:Array is empty\. It|Array has less items|Array does not contain|Array must contain)/,
    'holds too few items of the kind that is asked for',
  ],
  [/^Array may contain/, 'holds too many items of one kind'],
  [/^Duplicate items/, 'holds the same item twice'],
  [/^(\S+) is less than (?:or equal to +)?(\S+)\.$/, 'is too small: $1, the bound is $2'],
  [/^(\S+) is greater than (?:or equal to +)?(\S+)\.$/, 'is too large: $1, the bound is $2'],
  [/^\S+ is not a multiple of (\S+)\.$/, 'has to be a multiple of $1'],
  [/^String is too short \((\S+) < (\S+)\)\.$/, 'is too short: $1 characters, at least $2'],
  [/^String is too long \((\S+) > (\S+)\)\.$/, 'is too long: $1 characters, at most $2'],
  [/^String does not match pattern\.$/, 'does not have the form that is asked for'],
  [/^String does not match format "(.*)"\.$/s, 'is not of the format $1'],
];

function placed(place: readonly string[], said: string): string {
  return place.length === 0 ? `it ${said}` : `${place.join('.')}: ${said}`;
}

function samePlace(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isBelow(one, other);
}

function isBelow(one: readonly string[], other: readonly string[]): boolean {
  return other.every((part, index) => one[index] === part);
}
