// QUAL-18: connecting to a stdio server, from the start of its process to the answered handshake.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { systemClock } from '../../src/base/clock.ts';
import { openClient } from '../../src/core/connection/openClient.ts';
import { VerdictCache } from '../../src/core/connection/verdictCache.ts';
import { interleaved, type Measure, median, ms, ratio, times } from './measure.ts';
import { echoCommand, echoLaunch, environment, openOptions } from './setting.ts';

export const connect: Measure = async ({ rounds }) => {
  const kept = new VerdictCache(systemClock());
  const ours = (mode: 'legacy' | 'auto', verdicts: () => VerdictCache) => async (): Promise<number> => {
    const options = openOptions(verdicts());
    const begun = performance.now();
    const client = await openClient(echoLaunch(mode), options);
    const taken = performance.now() - begun;
    await client.close();
    return taken;
  };
  const samples = await interleaved(rounds, {
    raw: rawConnect,
    legacy: ours('legacy', () => kept),
    known: ours('auto', () => kept),
    unknown: ours('auto', () => new VerdictCache(systemClock())),
    sdk: sdkConnect,
  });
  const line = (name: 'legacy' | 'known' | 'unknown' | 'sdk', what: string, most: number | undefined) => {
    const value = ratio(samples[name], samples.raw);
    return {
      row: 'QUAL-18',
      what,
      ours: `${ms(median(samples[name]))}, ${times(value)}`,
      reference: `raw ${ms(median(samples.raw))}`,
      bar: most === undefined ? '-' : `<= ${most.toFixed(2)} x`,
      met: most === undefined ? undefined : value <= most,
    };
  };
  return [
    line('legacy', 'connect, legacy', 1.1),
    line('known', 'connect, auto with a known era', 1.1),
    line('unknown', 'connect, auto for the first time (probe and actual process)', undefined),
    line('sdk', "for comparison: the SDK's own client, legacy", undefined),
  ];
};

/** The least there is: start, one request, one answer. */
async function rawConnect(): Promise<number> {
  const { command, args } = echoCommand();
  const begun = performance.now();
  const child = spawn(command, args, { env: environment.base, stdio: ['pipe', 'pipe', 'ignore'] });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  JSON.parse(chunk.toString());
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const taken = performance.now() - begun;
  const ended = once(child, 'exit');
  child.stdin.end();
  await ended;
  return taken;
}

async function sdkConnect(): Promise<number> {
  const { command, args } = echoCommand();
  const begun = performance.now();
  const client = new Client({ name: 'sdk', version: '1' });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
  const taken = performance.now() - begun;
  await client.close();
  return taken;
}
