// The inputs that a definition asks the person for (CFG-11), with what their file says of them: the choices and defaults
// come from whoever wrote it, so they are a part of what is approved (TRUST-2). Pure.
import type { InputDefinition, ServerDefinition } from '../../contract/serverConfig.ts';
import { parseTemplate, type TemplatePart } from '../../contract/variables.ts';

/** In the order of the file; an input that the file does not define is not among them. */
export function usedInputs(
  definition: ServerDefinition,
  inputs: readonly InputDefinition[],
): readonly InputDefinition[] {
  if (inputs.length === 0) return [];
  const parts = variablesIn(definition);
  return inputs.filter(({ id }) => parts.some((part) => part.kind === 'input' && part.name === id));
}

/** Every part of every field that may hold variables; a field that is miswritten has none. */
export function variablesIn(definition: ServerDefinition): readonly TemplatePart[] {
  const texts =
    definition.kind === 'remote'
      ? [definition.url, ...Object.values(definition.headers)]
      : [
          ...[definition.command, definition.cwd ?? '', definition.envFile ?? ''],
          ...[...definition.args, ...Object.values(definition.env)],
        ];
  return texts.flatMap((text) => {
    const template = parseTemplate(text);
    return template.ok ? template.parts : [];
  });
}
