import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../scripts/lib/places.mjs';

/** The texts of a document's code blocks in this language, in order; `under` takes only those below that heading. */
export function documentBlocks(file: string, language: string, under?: string): readonly string[] {
  const text = readFileSync(join(repository, file), 'utf8');
  const sections = text.split(/^## /m);
  const part = under === undefined ? text : (sections.find((section) => section.startsWith(`${under}\n`)) ?? '');
  return [...part.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!);
}
