// The settings that package.json contributes, as data: what is shown of each of them holds for one that is added later.

/** A variable that a list of names may hold besides. */
export const canary = 'TEST_CANARY';

export interface SettingProperty {
  readonly type: string;
  readonly scope?: string;
  readonly default: unknown;
}

export function settingsOf(manifest: unknown): (readonly [id: string, property: SettingProperty])[] {
  const { contributes } = manifest as { contributes: { configuration: readonly { properties: Properties }[] } };
  return contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
}

/** A legal value that is not the default. */
export function otherValue({ type, default: given }: SettingProperty): unknown {
  if (typeof given === 'boolean') return !given;
  if (Array.isArray(given)) return [...(given as readonly unknown[]), canary];
  if (typeof given === 'number') return given + 1;
  if (typeof given === 'string') return `${given}x`;
  throw new Error(`this helper does not know another value of a setting of type ${type}`);
}

type Properties = Readonly<Record<string, SettingProperty>>;
