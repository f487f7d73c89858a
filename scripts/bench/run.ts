// Measures and prints one table: npm run bench [-- NAME...] [-- --rounds N]. Nothing timed here decides a test.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { activation } from './activation.ts';
import { connect } from './connect.ts';
import { loopBlock } from './loopBlock.ts';
import type { Measure } from './measure.ts';
import { tree } from './tree.ts';

const measures: Readonly<Record<string, Measure>> = { loopBlock, activation, connect, tree };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '21' } },
});
const names = positionals.length === 0 ? Object.keys(measures) : positionals;

process.stdout.write(`Node ${process.version}, ${cpus().length} cores, ${values.rounds} rounds\n\n`);
process.stdout.write('| row | measure | ours | beside it | bar | met |\n| --- | --- | --- | --- | --- | --- |\n');
for (const name of names) {
  const measure = Object.hasOwn(measures, name) ? measures[name] : undefined;
  if (measure === undefined) throw new Error(`there is no measure ${name}: ${Object.keys(measures).join(', ')}`);
  for (const { row, what, ours, reference, bar, met } of await measure({ rounds: Number(values.rounds) })) {
    const verdict = met === undefined ? '-' : met ? 'yes' : 'NO';
    process.stdout.write(`| ${row} | ${what} | ${ours} | ${reference} | ${bar} | ${verdict} |\n`);
  }
}
