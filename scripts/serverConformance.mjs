// Runs the official conformance suite for servers against a conformance server of each era alone, and against our gateway
// in front of both, over stdio and over HTTP. Prints a table. A check counts that the server of its revision passes alone:
// in front of that server the gateway has to pass it too; in front of the other era's each loss needs its reason from the
// specification (serverConformance.reasons.json). Elicitation has to cross in both directions.
// node scripts/serverConformance.mjs [UPSTREAM ...]      legacy-stdio, legacy-http, modern-stdio, modern-http; all when none is named
import { spawn } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleForSuite, conformanceFolder, newerNode, runSuite, scenariosOf } from './lib/conformanceSuite.mjs';
import { repository } from './lib/places.mjs';
import { run } from './lib/run.mjs';
import { runScript, say, SetupError } from './lib/say.mjs';

const eras = { legacy: '2025-11-25', modern: '2026-07-28' };
const server = join(conformanceFolder, 'server.js');
const reasonsFile = join(repository, 'scripts', 'serverConformance.reasons.json');
/** Milliseconds for one run of the suite, and for a program to say that it listens. */
const timeouts = { suite: 180_000, start: 20_000 };

/**
 * Scenarios in which a question goes out and its answer comes back. `basic-elicitation` is none of them: it looks for a
 * name of the question, which the older era does not have.
 */
const elicitation = {
  '2025-11-25': ['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  '2026-07-28': ['request-state', 'multi-round', 'non-tool-request', 'result-type', 'missing-input-response'].map(
    (name) => `input-required-result-${name}`,
  ),
};

await runScript(async () => {
  await bundleForSuite('fixtures/conformance/server.ts', server);
  await run(process.execPath, ['esbuild.mjs', '--cli'], { cwd: repository, failure: 'The gateway was not built.' });
  const node = await newerNode();
  const started = [];
  try {
    const alone = {};
    const urls = {};
    for (const era of Object.keys(eras)) {
      urls[era] = (await start([server, era, '--http'], started)).url;
      alone[era] = await checksAt(node, urls[era], eras[era], `${era}-alone`);
    }
    const gateway = await start(await serveArguments(urls), started);
    const through = [];
    for (const client of Object.keys(eras)) {
      for (const { id, era } of upstreams()) {
        const checks = await checksAt(node, `${gateway.url}/mcp/${id}`, eras[client], `${client}-to-${id}`);
        through.push({ client, era, id, losses: lossesOf(alone[client], checks) });
      }
    }
    await report(node, alone, through);
  } finally {
    for (const child of started) child.kill();
  }
});

function upstreams() {
  const named = process.argv.slice(2);
  return Object.keys(eras)
    .flatMap((era) => ['stdio', 'http'].map((over) => ({ id: `${era}-${over}`, era, over })))
    .filter(({ id }) => named.length === 0 || named.includes(id));
}

async function serveArguments(urls) {
  const entries = upstreams().map(({ id, era, over }) => [
    id,
    {
      ...(over === 'http' ? { url: urls[era] } : { command: process.execPath, args: [server, era] }),
      protocol: 'auto',
    },
  ]);
  const file = join(conformanceFolder, 'servers.json');
  await writeFile(file, JSON.stringify({ version: 3, mcpServers: Object.fromEntries(entries) }));
  return [join(repository, 'out', 'cli', 'cli.js'), 'serve', '--config-file', file, '--insecure-no-token'];
}

/** Starts one of our programs, which says in one line of JSON where it listens. */
function start(args, started) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: repository, stdio: ['pipe', 'pipe', 'inherit'] });
    started.push(child);
    const late = setTimeout(() => reject(new SetupError(`${args.join(' ')} does not listen.`)), timeouts.start);
    child.once('error', reject);
    child.once('exit', (code) => reject(new SetupError(`${args.join(' ')} ended with ${code}.`)));
    child.stdout.once('data', (line) => {
      clearTimeout(late);
      resolve(JSON.parse(String(line)));
    });
  });
}

/** Every check of one run, by scenario and check: the worst of its results. */
async function checksAt(node, url, revision, name) {
  say('suite', `${revision} at ${name}`);
  const folder = join(conformanceFolder, 'server-results', name);
  await rm(folder, { recursive: true, force: true });
  const args = ['server', '--url', url, '--requirements', revision, '-o', folder];
  const { text } = await runSuite(node, args, { timeout: timeouts.suite });
  const checks = new Map();
  for (const entry of await readdir(folder).catch(() => [])) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(entry)?.[1];
    if (scenario === undefined) continue;
    // A scenario that the end of the run cut off has none.
    const written = await readFile(join(folder, entry, 'checks.json'), 'utf8').catch(() => '[]');
    for (const { id, status, errorMessage } of JSON.parse(written)) {
      const key = `${scenario} ${id}`;
      const before = checks.get(key);
      if (before === undefined || severity(status) > severity(before.status)) {
        checks.set(key, { scenario, check: id, status, errorMessage });
      }
    }
  }
  if (checks.size === 0) throw new SetupError(`The conformance suite has no results for ${name}:\n${text}`);
  return checks;
}

function severity(status) {
  return ['SUCCESS', 'INFO', 'SKIPPED', 'WARNING', 'FAILURE'].indexOf(status);
}

/** What the server passes alone and this did not. INFO says that there was nothing to look at, by right. */
function lossesOf(alone, checks) {
  const losses = [];
  for (const [key, { scenario, check, status }] of alone) {
    const now = checks.get(key) ?? { status: 'MISSING', errorMessage: 'the scenario did not get this far' };
    if (status === 'SUCCESS' && now.status !== 'SUCCESS' && now.status !== 'INFO') {
      losses.push({ scenario, check, status: now.status, said: now.errorMessage });
    }
  }
  return losses;
}

async function report(node, alone, through) {
  const faults = [];
  const reasons = JSON.parse(await readFile(reasonsFile, 'utf8'));
  const used = new Set();
  const reasonOf = ({ client, era }, { scenario, check }) => {
    const found = reasons.find(
      (each) =>
        each.client === eras[client] &&
        each.server === era &&
        each.scenario === scenario &&
        each.checks.includes(check),
    );
    if (found !== undefined) used.add(`${reasons.indexOf(found)} ${check}`);
    return found?.reason;
  };

  for (const [client, revision] of Object.entries(eras)) {
    const { scored, unscored } = await scenariosOf(node, revision, 'server');
    const columns = through.filter((each) => each.client === client);
    console.log(`\n${revision} client${' '.repeat(32)}alone    ${columns.map(({ id }) => id.padEnd(14)).join('')}`);
    for (const scenario of [...scored, ...unscored]) {
      const own = [...alone[client].values()].filter((each) => each.scenario === scenario);
      const passed = own.filter(({ status }) => status === 'SUCCESS').length;
      const failed = own.some(({ status }) => status === 'FAILURE');
      if (failed && scored.includes(scenario)) faults.push(`${client} server alone: ${scenario} failed`);
      const cells = columns.map(({ losses }) => {
        const lost = losses.filter((each) => each.scenario === scenario).length;
        return (lost === 0 ? 'ok' : `${lost} of ${passed} lost`).padEnd(14);
      });
      const state = failed ? `${passed} ok, failed` : `${passed} ok`;
      console.log(
        `${scenario.padEnd(49)}${state.padEnd(9)}${cells.join('')}${scored.includes(scenario) ? '' : 'not scored'}`,
      );
    }
  }

  for (const column of through) {
    const { client, era, id, losses } = column;
    const byReason = new Map();
    for (const loss of losses) {
      const name = `${loss.scenario}: ${loss.check}`;
      const reason = client === era ? undefined : reasonOf(column, loss);
      const shown = reason ?? `NO REASON. ${loss.said ?? ''}`;
      byReason.set(shown, [...(byReason.get(shown) ?? []), `${loss.status.toLowerCase()}: ${name}`]);
      if (client === era) faults.push(`${id}: ${name} is lost on the way`);
      else if (elicitation[eras[client]].includes(loss.scenario))
        faults.push(`${id}: elicitation does not cross: ${name}`);
      else if (reason === undefined) faults.push(`${id}: ${name} has no reason`);
    }
    if (losses.length > 0) console.log(`\n${eras[client]} client, ${id}:`);
    for (const [reason, names] of byReason) console.log(`  ${names.join('\n  ')}\n    ${reason}`);
  }
  for (const [index, { client, server: era, scenario, checks }] of reasons.entries()) {
    for (const check of checks.filter((each) => !used.has(`${index} ${each}`))) {
      faults.push(`the reason for ${client}, ${era}, ${scenario}: ${check} is stale: nothing is lost`);
    }
  }
  console.log(
    faults.length === 0 ? '\nNothing is lost without a reason.' : `\n${faults.length} faults:\n${faults.join('\n')}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}
