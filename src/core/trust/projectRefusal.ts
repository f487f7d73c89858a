// What a project's file may not say at all, whatever a person would approve (TRUST-2, TRUST-5, TRUST-6). Pure: it looks at the
// definition as written. The variables of an envFile are judged where that file is read (prepareLaunch.ts).
import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { StdioDefinition } from '../../contract/serverConfig.ts';
import { parseTemplate } from '../../contract/variables.ts';
import type { ConfiguredServer } from '../config/model.ts';
import type { ErrorData } from '../errors.ts';
import { isCredentialHeader } from '../secrets/credentialHeader.ts';
import { isLoaderVariable, isOddName, isShellFunction } from './loaderVariables.ts';

export interface Refusal {
  readonly code: Extract<ErrorCode, 'blockedPolicy'>;
  readonly data: ErrorData;
}

/** Why a project's definition is refused; undefined for one that is not, and for the person's own. */
export function projectRefusal(
  server: ConfiguredServer,
  platform: NodeJS.Platform = process.platform,
): Refusal | undefined {
  const { definition, scope } = server;
  if (scope.kind !== 'project') return undefined;
  if (definition.kind === 'stdio') {
    return (
      loaderRefusal(server, definition.env, 'env', platform) ??
      unknownRefusal(server, 'command', definition) ??
      unknownRefusal(server, 'envFile', definition)
    );
  }
  if (definition.oauth?.clientSecret !== undefined) {
    return refusal(server, 'oauth.clientSecret', "a project's file may not hold a client secret");
  }
  const header = Object.keys(definition.headers).find(isCredentialHeader);
  if (header === undefined) return undefined;
  return refusal(server, `headers.${header}`, `a project's file may not hold the header ${header}`);
}

/** The refusal of the first of these that can change what is run: by its name, or as a function of a shell. */
export function loaderRefusal(
  server: ConfiguredServer,
  variables: Readonly<Record<string, string>>,
  field: 'env' | 'envFile',
  platform: NodeJS.Platform,
): Refusal | undefined {
  const found = Object.entries(variables).find(
    ([name, value]) => isLoaderVariable(name, platform) || isOddName(name) || isShellFunction(value),
  );
  if (found === undefined) return undefined;
  const [name] = found;
  const remedy = "leave it out, or define this server in the person's own file";
  return refusal(server, `${field}.${name}`, `${field} sets ${name}, which can change what code is run; ${remedy}`);
}

/** What is approved has to be known by then: a program or a file that the person names afterwards is not. */
function unknownRefusal(
  server: ConfiguredServer,
  field: 'command' | 'envFile',
  definition: StdioDefinition,
): Refusal | undefined {
  const template = parseTemplate(definition[field] ?? '');
  const part = template.ok ? template.parts.find(({ kind }) => kind === 'input' || kind === 'secret') : undefined;
  if (part === undefined || !('source' in part)) return undefined;
  return refusal(server, field, `${field} holds ${part.source}, which is not known before approval`);
}

export function refusal(server: ConfiguredServer, field: string, detail: string): Refusal {
  return { code: 'blockedPolicy', data: { server: server.id, field, detail } };
}
