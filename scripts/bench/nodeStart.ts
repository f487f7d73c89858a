// How long Node itself takes from its start to its end here: what a program of ours cannot be below.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from './setting.ts';

/** Milliseconds of each start. */
export async function nodeStart(rounds: number): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    const child = spawn(process.execPath, ['-e', '0'], { env: environment.base, stdio: 'ignore' });
    await once(child, 'exit');
    samples.push(performance.now() - begun);
  }
  return samples;
}
