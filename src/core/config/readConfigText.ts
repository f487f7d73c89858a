// Reading, purely: the text of one file becomes servers, or a list of problems with places. It never throws, and a text
// with a problem never yields servers, not even those beside the fault (CFG-5): the store keeps the last good reading.
import type { Node } from 'jsonc-parser';
import { type ConfigFault, parseConfigFile } from '../../contract/configFile.ts';
import { type ConfigVersion, versionOf } from '../../contract/configMigrations.ts';
import type { ErrorCode } from '../../contract/errorCodes.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { ConfigScope, InputDefinition, ToolPolicies } from '../../contract/serverConfig.ts';
import { parsePersonPolicies } from '../../contract/personPolicies.ts';
import { keysOutOfPlace } from '../../contract/withoutEffect.ts';
import { limits } from '../limits.ts';
import { offsetOf, parseDocument, placesOf } from './configDocument.ts';
import { configFingerprint } from './configFingerprint.ts';
import type { ConfigProblem, ConfiguredServer } from './model.ts';
import { serverKey } from './serverKey.ts';
import { usedInputs } from './usedInputs.ts';

export interface ConfigSource {
  /** Path that problems name. */
  readonly file: string;
  readonly scope: ConfigScope;
}

export type ConfigReading =
  | {
      readonly kind: 'config';
      readonly version: ConfigVersion | undefined;
      readonly servers: readonly ConfiguredServer[];
      readonly inputs: readonly InputDefinition[];
      /** Of the person's own file alone. */
      readonly toolPolicies?: ToolPolicies;
      /** The file's value as written, unknown keys included; its objects have no prototypes. */
      readonly raw: JsonObject;
    }
  | { readonly kind: 'refused'; readonly problems: readonly [ConfigProblem, ...ConfigProblem[]] };

/** Reads a file's text. Problems come in the order of their places, at most 100. */
export function readConfigText(text: string, source: ConfigSource): ConfigReading {
  const { file, scope } = source;
  const document = parseDocument(text);
  const placeOf = placesOf(text);
  const problem = (code: ErrorCode, offset: number, data: ConfigProblem['data']): ConfigProblem => {
    const position = placeOf(offset);
    return { file, code, data: { file, ...position, ...data }, position };
  };
  const refused = (...problems: [ConfigProblem, ...ConfigProblem[]]): ConfigReading => ({ kind: 'refused', problems });

  if (document.kind === 'malformed')
    return refused(problem('configSyntax', document.offset, { detail: document.detail }));
  const { root, value } = document;
  if (!isJsonObject(value)) {
    return refused(problem('configStructure', root.offset, { field: 'the file', detail: 'it must be an object' }));
  }
  const version = versionOf(value);
  if (version === 'unknown') {
    return refused(problem('configVersion', offsetOf(root, ['version']), { found: brief(value['version']) }));
  }
  const parsed = parseConfigFile(value, { version, maxServers: limits.config.servers, maxItems: limits.config.items });
  const person = scope.kind === 'user' ? parsePersonPolicies(value['toolPolicies']) : undefined;
  const faults = [...(parsed.ok ? [] : parsed.faults), ...(person?.faults ?? [])];
  if (!parsed.ok || faults.length > 0) {
    const problems = faults
      .map((fault) => ({ fault, offset: offsetOf(root, fault.path, { atKey: fault.atKey === true }) }))
      .sort((a, b) => a.offset - b.offset)
      .slice(0, 100)
      .map(({ fault, offset }) => problem(codeOf(fault), offset, dataOf(fault)));
    const [first, ...others] = problems;
    if (first !== undefined) return refused(first, ...others);
  } else {
    const servers = [...parsed.file.servers].map(([id, definition]): ConfiguredServer => {
      const inputs = usedInputs(definition, parsed.file.inputs);
      return {
        key: serverKey(scope, id),
        id,
        scope,
        definition,
        fingerprint: configFingerprint(definition, inputs),
        ...(inputs.length === 0 ? {} : { inputs }),
        file,
        position: placeOf(keyOffset(root, id)),
        ...outOfPlace(value, id),
      };
    });
    const { inputs } = parsed.file;
    return { kind: 'config', version, servers, inputs, ...(person && { toolPolicies: person.policies }), raw: value };
  }
  return refused(problem('configStructure', root.offset, { field: 'the file', detail: 'it is not understood' }));
}

function outOfPlace(raw: JsonObject, id: string): Pick<ConfiguredServer, 'outOfPlace'> {
  const entries = raw['mcpServers'];
  const keys = keysOutOfPlace(isJsonObject(entries) ? entries[id] : undefined);
  return keys.length === 0 ? {} : { outOfPlace: keys };
}

function keyOffset(root: Node, id: string): number {
  return offsetOf(root, ['mcpServers', id], { atKey: true });
}

function codeOf(fault: ConfigFault): ErrorCode {
  return fault.path[0] === 'mcpServers' && fault.path.length > 1 ? 'configInvalid' : 'configStructure';
}

function dataOf({ path, reason }: ConfigFault): ConfigProblem['data'] {
  if (path[0] !== 'mcpServers' || path.length === 1) {
    return { field: path.length === 0 ? 'the file' : path.join('.'), detail: reason };
  }
  const [, id, ...field] = path;
  return { server: String(id), field: field.length === 0 ? 'the entry' : field.join('.'), detail: reason };
}

/** A value of the wrong kind, short enough for a message. */
function brief(value: unknown): string {
  return JSON.stringify(value).slice(0, 40);
}
