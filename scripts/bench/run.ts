// Measures and prints one table: npm run bench [-- NAME...] [--rounds N] [--suite FOLDER [--peers FILE]]. Nothing timed here
// decides a test. The gateway and the proxy are measured (`bridges`, `faults`) with the scripts in FOLDER, beside the targets
// in FILE where there are some.
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { activation } from './activation.ts';
import { bridges } from './bridges.ts';
import { connect } from './connect.ts';
import { faults } from './faults.ts';
import { loopBlock } from './loopBlock.ts';
import type { Measure } from './measure.ts';
import { tree } from './tree.ts';

const measures: Readonly<Record<string, Measure>> = { loopBlock, activation, connect, tree };
const ofBridges: Readonly<Record<string, Measure>> = { bridges, faults };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '21' },
    suite: { type: 'string' },
    peers: { type: 'string' },
  },
});
const suite =
  values.suite === undefined
    ? undefined
    : { suite: resolve(values.suite), peers: values.peers && resolve(values.peers) };
const known = { ...measures, ...ofBridges };
const names = positionals.length > 0 ? positionals : Object.keys(suite === undefined ? measures : known);

process.stdout.write(`Node ${process.version}, ${cpus().length} cores, ${values.rounds} rounds\n\n`);
process.stdout.write('| row | measure | ours | beside it | bar | met |\n| --- | --- | --- | --- | --- | --- |\n');
for (const name of names) {
  const measure = Object.hasOwn(known, name) ? known[name] : undefined;
  if (measure === undefined) throw new Error(`there is no measure ${name}: ${Object.keys(known).join(', ')}`);
  for (const { row, what, ours, reference, bar, met } of await measure({ rounds: Number(values.rounds), suite })) {
    const verdict = met === undefined ? '-' : met ? 'yes' : 'NO';
    process.stdout.write(`| ${row} | ${what} | ${ours} | ${reference} | ${bar} | ${verdict} |\n`);
  }
}
