// Everything that a run showed, wrote or kept, by where that was; and a search of it for secrets, in every form in which
// a program may write one.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formsOf } from '../../src/base/secretForms.ts';

export class Sinks {
  readonly #texts = new Map<string, string[]>();

  /** What is no text is looked at as JSON; of an error, all that it carries. */
  add(where: string, what: unknown): void {
    const texts = this.#texts.get(where) ?? [];
    texts.push(typeof what === 'string' ? what : textOf(what));
    this.#texts.set(where, texts);
  }

  /** Every file below a folder, by its path in it; answers how many there were. */
  addFolder(where: string, folder: string, skip: (path: string) => boolean = () => false): number {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    let count = 0;
    for (const path of names.map((name) => join(folder, name))) {
      if (skip(relative(folder, path)) || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
      // As bytes: what is compressed or encrypted is none of ours.
      this.add(where, `${path}\n${readFileSync(path, 'latin1')}`);
      count += 1;
    }
    return count;
  }

  /** Places and surroundings of each secret that was found, by its name. */
  leaks(secrets: Readonly<Record<string, string>>): readonly string[] {
    const forms = Object.entries(secrets).flatMap(([name, value]) => formsOf(value).map((form) => ({ name, form })));
    return [...this.#texts].flatMap(([where, texts]) =>
      texts.flatMap((text) =>
        forms.flatMap(({ name, form }) => {
          const at = text.indexOf(form);
          return at < 0 ? [] : [`${where}: ${name} in …${text.slice(Math.max(0, at - 60), at + form.length + 20)}…`];
        }),
      ),
    );
  }

  /** Places and surroundings of what matches, in the places that are named. */
  matches(pattern: RegExp, ...places: readonly string[]): readonly string[] {
    return places.flatMap((where) =>
      (this.#texts.get(where) ?? []).flatMap((text) => {
        const at = text.search(pattern);
        return at < 0 ? [] : [`${where}: …${text.slice(Math.max(0, at - 60), at + 40)}…`];
      }),
    );
  }

  /** How many texts there are of a place. */
  count(where: string): number {
    return this.#texts.get(where)?.length ?? 0;
  }

  /** A line for each place: how much of it was looked at. */
  report(): string {
    const lines = [...this.#texts].map(([where, texts]) => {
      const size = texts.reduce((sum, text) => sum + text.length, 0);
      return `      looked at ${where}: ${texts.length} texts, ${size} characters`;
    });
    return `${lines.join('\n')}\n`;
  }
}

function textOf(what: unknown): string {
  const withMaps = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);
  if (!(what instanceof Error)) return JSON.stringify(what, withMaps);
  const { cause, stack, message } = what;
  const below = cause === undefined ? '' : `\ncause: ${textOf(cause)}`;
  return `${message}\n${stack ?? ''}\n${JSON.stringify(Object.entries(what), withMaps)}${below}`;
}
