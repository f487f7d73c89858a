// Prints each clause with the tests that prove it: `npx tsx test/requirements/report.ts [--stage N] [--open]`.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Citation, citationsBelow, provingFolders } from './citations.ts';
import type { Clause } from './clause.ts';
import { manifest } from './manifest.ts';

const { values } = parseArgs({ options: { stage: { type: 'string' }, open: { type: 'boolean', default: false } } });
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const citations = provingFolders.flatMap((folder) => citationsBelow(root, folder));
const shown = manifest.filter(
  (clause) =>
    (values.stage === undefined || clause.stage === Number(values.stage)) && (!values.open || clause.status === 'open'),
);

const lines = ['| clause | stage | behaviour | tests | status |', '| --- | --- | --- | --- | --- |'];
for (const clause of shown) {
  lines.push(`| ${clause.id} | ${clause.stage} | ${cell(clause.text)} | ${proofOf(clause)} | ${clause.status} |`);
}
const delivered = shown.filter((clause) => clause.status === 'delivered').length;
const isCited = ({ id }: Clause): boolean => citations.some((citation) => citation.id === id);
const cited = shown.filter(isCited).length;
const other = shown.filter((clause) => !isCited(clause) && clause.evidence !== undefined).length;
lines.push(
  '',
  `${shown.length} clauses: ${delivered} delivered, ${cited} with a test, ${other} with other evidence only.`,
);
process.stdout.write(`${lines.join('\n')}\n`);

function proofOf({ id, evidence }: Clause): string {
  const tests = testNames(citations.filter((citation) => citation.id === id));
  if (evidence === undefined) return tests;
  const other = evidence.kind === 'bench' ? `npm run bench -- ${evidence.target}` : `${evidence.file}: ${evidence.why}`;
  return tests === '-' ? cell(other) : `${tests}<br>${cell(other)}`;
}

function testNames(found: readonly Citation[]): string {
  const names = found.map(({ file, title }) => `${file}: ${cell(title.replace(/\s*\[[^\]]*\]\s*$/, ''))}`);
  return names.length === 0 ? '-' : [...new Set(names)].join('<br>');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
