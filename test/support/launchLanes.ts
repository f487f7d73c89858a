// Lanes in small processes of their own: starting a program from a large one, such as that of the tests, takes longer.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledProgram } from './configProcesses.ts';
import type { LaunchCase } from './launchCases.ts';
import type { Launched } from './launchLane.ts';
import { patience } from './patience.ts';
import { withDeadline } from './withDeadline.ts';

export class LaunchLanes {
  readonly #children: readonly ChildProcess[];

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  /** `folder` is empty, by its real path; each lane has one of its own in it. */
  static async start(folder: string, count: number): Promise<LaunchLanes> {
    const script = await bundledProgram(folder, 'launchLaneProcess');
    const lanes = Array.from({ length: count }, async (_, index) => {
      const own = join(folder, `lane-${index}`);
      await mkdir(own);
      // The less memory a process has, the sooner it has started another one.
      return fork(script, [own], { execArgv: ['--max-semi-space-size=1'], serialization: 'advanced' });
    });
    return new LaunchLanes(await Promise.all(lanes));
  }

  /** Launches a case in a lane, after what that lane was given before has ended. */
  async launch(lane: number, of: LaunchCase): Promise<Launched> {
    const child = this.#children[lane];
    if (child === undefined) throw new Error(`there is no lane ${lane}`);
    child.send(of);
    const [answer] = (await withDeadline(once(child, 'message'), patience, 'a launch')) as [Answer];
    if ('launched' in answer) return answer.launched;
    throw new Error(answer.failure);
  }

  async dispose(): Promise<void> {
    const ends = this.#children.map(async (child) => {
      child.disconnect();
      await withDeadline(once(child, 'exit'), patience, 'the end of a lane');
    });
    await Promise.all(ends);
  }
}

type Answer = { readonly launched: Launched } | { readonly failure: string };
