// Holds a call to the schemas of its tool, for callers that want it (TOOL-3): the arguments before it goes out, the
// structured content of what came back. A schema that cannot be used stops no call; whoever asked is told.
import { visibleLine } from '../../base/sanitise.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import type { OfferedTool } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import type { Log } from '../ports.ts';
import type { CallOptions, ToolCall, ToolResult } from './callTypes.ts';
import type { SchemaChecker, Verdict } from './schemaCheck.ts';

/** Whose schemas they are. */
interface Subject {
  readonly server: string;
  readonly tool: OfferedTool;
}

export class CallSchemas {
  readonly #checker: Pick<SchemaChecker, 'check'>;
  readonly #log: Log | undefined;

  constructor({ checker, log }: { readonly checker: Pick<SchemaChecker, 'check'>; readonly log?: Log }) {
    this.#checker = checker;
    this.#log = log;
  }

  /** Fails with `argumentsInvalid`. */
  async checkArguments(of: Subject, { args }: ToolCall, options: CallOptions): Promise<void> {
    const { server, tool } = of;
    const verdict = await this.#check(tool.raw['inputSchema'], args, options);
    if (verdict.kind === 'unchecked') this.#unchecked('arguments', of, verdict.detail, options);
    if (verdict.kind !== 'invalid') return;
    throw new ManagerError('argumentsInvalid', { server, tool: tool.name, detail: verdict.errors.join('; ') });
  }

  /** Fails with `resultInvalid`; a result that says `isError` has nothing to hold to. */
  async checkResult(of: Subject, result: ToolResult, options: CallOptions): Promise<void> {
    const { server, tool } = of;
    const schema = tool.raw['outputSchema'];
    if (!options.validate || result['isError'] === true || !isJsonObject(schema)) return;
    const verdict = await this.#check(schema, result['structuredContent'], options);
    if (verdict.kind === 'unchecked') this.#unchecked('result', of, verdict.detail, options);
    if (verdict.kind !== 'invalid') return;
    const detail = verdict.errors.join('; ');
    throw new ManagerError(
      'resultInvalid',
      { server, tool: tool.name, detail },
      { cause: new ResultMismatch(result), outcome: 'completed' },
    );
  }

  async #check(schema: unknown, value: ToolResult[string], { signal }: CallOptions): Promise<Verdict> {
    if (value === undefined) return { kind: 'invalid', errors: ['structuredContent is missing'] };
    if (!isJsonObject(schema) || acceptsEveryObject(schema, value)) return { kind: 'valid' };
    return this.#checker.check(schema, value, signal === undefined ? {} : { signal });
  }

  #unchecked(of: 'arguments' | 'result', { server, tool }: Subject, detail: string, options: CallOptions): void {
    this.#log?.warn(`${server}: the ${of} of ${visibleLine(tool.name, 100)} could not be checked: ${detail}`);
    options.onUnchecked?.(of, detail);
  }
}

/** The cause of a `resultInvalid`: the result as it came, for those who want to look at it all the same. */
export class ResultMismatch extends Error {
  override readonly name = 'ResultMismatch';
  readonly result: ToolResult;

  constructor(result: ToolResult) {
    super('The result does not fit the output schema.');
    this.result = result;
  }
}

/** Spares the schema thread for tools without arguments to speak of. */
function acceptsEveryObject(schema: JsonObject, value: unknown): boolean {
  const { type, properties, ...rest } = schema;
  const empty = properties === undefined || (isJsonObject(properties) && Object.keys(properties).length === 0);
  const silent = Object.keys(rest).every((key) => ['$schema', 'title', 'description'].includes(key));
  return isJsonObject(value) && type === 'object' && empty && silent;
}
