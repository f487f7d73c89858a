// QUAL-19 to QUAL-24: what our gateway and our proxy do when things go wrong, as counts; the scripts try it, here it is
// judged.
import { figure, type Found } from './compare.ts';
import { type Measure, type Measured, median, ms } from './measure.ts';
import { type Finding, findings } from './suite.ts';

const bridge = ['ours'];
const proxy = ['ours-proxy'];

export const faults: Measure = async ({ rounds, suite }) => {
  if (suite === undefined) throw new Error('faults needs --suite FOLDER: the measuring scripts');
  const run = (tests: string, wanted: readonly string[]): Promise<Found> =>
    findings('faults', wanted, ['--tests', tests], suite);
  const all: Measured[] = [];
  const say = (row: string, what: string, ours: string, bar: string, met: boolean): void =>
    void all.push({ row, what, ours, reference: '-', bar, met });

  for (const wanted of [bridge, proxy]) {
    for (const [name, found] of await run('kill', wanted)) {
      const lost = part(found, 'inflight');
      const recovered = found['recoveredMs'];
      const inFlight = lost['ok'] === false && typeof lost['ms'] === 'number' ? lost['ms'] - untilKill : Number.NaN;
      const next = typeof recovered === 'number' ? `works after ${ms(recovered)}` : 'does not work';
      const ours = `lost call fails after ${ms(inFlight)}; the next on the same session ${next}`;
      say('QUAL-19', `server killed (${name})`, ours, '<= 100 ms; works', inFlight <= 100 && recovered !== null);
    }
  }

  for (const wanted of [bridge, proxy]) {
    const ends = new Map<string, { left: number; times: number[] }>();
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, found] of await run('shutdown', wanted)) {
        const end = ends.get(name) ?? { left: 0, times: [] };
        ends.set(name, end);
        end.left += figure(new Map([[name, found]]), name, 'left');
        end.times.push(typeof found['allGoneMs'] === 'number' ? found['allGoneMs'] : Infinity);
      }
    }
    for (const [name, { left, times }] of ends) {
      const [middle, worst] = [median(times), Math.max(...times)];
      const most = name.includes('stubborn') ? 3_000 : 300;
      const ours = `${left} left in ${times.length} rounds, gone after ${ms(middle)} (median), ${ms(worst)} (most)`;
      say('QUAL-20', name, ours, `0 left; <= ${most} ms`, left === 0 && worst < Infinity && middle <= most);
    }
  }

  for (const [name, found] of await run('session,share,crosstalk', bridge)) {
    const { childSurvives, sameChildForNext, upstreamProcesses, wrongAnswers, strayAnswers } = found;
    const met = name.includes('session')
      ? childSurvives === true && sameChildForNext === true
      : name.includes('share')
        ? upstreamProcesses === 1
        : wrongAnswers === 0 && strayAnswers === 0;
    say('QUAL-21', name, told(found), 'one child that goes on; no answer of another', met);
  }

  for (const [name, found] of await run('stale,origin', bridge)) {
    const wanted = name.includes('stale') ? ofStale : ofOrigin;
    const met = Object.entries(wanted).every(([field, begin]) => textOf(found[field]).startsWith(begin));
    say('QUAL-22', name, told(found), Object.values(wanted).join(', '), met);
  }

  for (const [name, found] of await run('fidelity', [...bridge, ...proxy])) {
    // Where several servers are one, an address names its server.
    const isTurned = (field: unknown): boolean =>
      bridge.every((one) => !name.startsWith(`${one} `)) && String(field).endsWith('.uri changed');
    const isWhole = [found['toolLost'], found['resultLost']].every(
      (fields) => Array.isArray(fields) && fields.every(isTurned),
    );
    const met = isWhole && found['progress'] !== 0 && found['listChanged'] === 1 && found['cancelReached'] !== '';
    say('QUAL-23', name, told(found), 'nothing lost', met);
  }

  const pages = await findings('list', bridge, ['--tools', '1000', '--page', '10', '--rounds', '1'], suite);
  const tools = figure(pages, 'ours', 'tools');
  say('QUAL-24', '100 pages of tools', `${tools} of 1000`, 'all', tools === 1000);
  return all;
};

/** What the script waits before it kills, in milliseconds. */
const untilKill = 300;

const ofStale = { unknownPost: '404', unknownGet: '404', unknownDelete: '404', nonePost: '400', badJson: '400' };
const ofOrigin = { evilHost: '403', evilOrigin: '403', nullOrigin: '403', localOrigin: '403', listensOn: '127.0.0.1' };

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function part(found: Finding, field: string): Readonly<Record<string, unknown>> {
  const value = found[field];
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function told(found: Finding): string {
  const parts = Object.entries(found).filter(([field]) => !['measure', 'test', 'target'].includes(field));
  return parts.map(([field, value]) => `${field} ${JSON.stringify(value)}`.replaceAll('|', '/')).join('; ');
}
