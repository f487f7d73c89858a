// Marks as delivered every clause that a test cites or that has other evidence, and as open every other one: run it
// after all tests passed.
// `npx tsx test/requirements/settle.ts && npx prettier --write test/requirements`, then look at what it changed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { citationsBelow, provingFolders } from './citations.ts';
import { manifest } from './manifest.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const cited = new Set(provingFolders.flatMap((folder) => citationsBelow(root, folder)).map(({ id }) => id));
for (const { id, evidence } of manifest) if (evidence !== undefined) cited.add(id);

for (const name of readdirSync(here)) {
  const file = path.join(here, name);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    /(\bid: '([A-Z]+-\d+[a-z]?)',\s+stage: \d+,\s+status: )'\w+'/g,
    (_, head: string, id: string) => `${head}'${cited.has(id) ? 'delivered' : 'open'}'`,
  );
  if (after !== before) writeFileSync(file, after);
}
