// `proxy` attached to a window (GATE-5): the process around `AttachedProxy`. It has to answer an agent soon, so it loads
// little: no client, no manager, no editor.
import { realpath } from 'node:fs/promises';
import { systemClock } from '../../base/clock.ts';
import { ownerText } from '../../contract/gatewayWire.ts';
import { homeFolder } from '../../core/config/configPaths.ts';
import { ownIdentity, type ProcessFacts, systemFacts } from '../../core/config/processIdentity.ts';
import { announcedWindows } from '../../gateway/windowFiles.ts';
import { exitCodes } from '../exitCodes.ts';
import type { Host } from '../host.ts';
import { line } from '../output/shownText.ts';
import { AttachedProxy } from './attachedProxy.ts';
import { LineOutput } from './lineOutput.ts';
import { lastWords, wireLoop } from './wireLoop.ts';

export async function runAttached(workspace: string, host: Host): Promise<number> {
  const clock = systemClock();
  const output = new LineOutput(host.wire.output);
  const home = homeFolder(host.userHome);
  const facts = quickFacts(process.platform);
  const [folder, identity] = await Promise.all([realpath(workspace).catch(() => workspace), ownIdentity(facts)]);
  const proxy = new AttachedProxy({
    ...{ clock, output, folder },
    owner: ownerText(identity),
    windows: () => announcedWindows(home, facts),
    tell: (text) => host.err(`mcp-roundhouse: ${line(text)}\n`),
  });
  await wireLoop({ host, clock, output, server: proxy });
  await proxy.end();
  await lastWords({ host, clock, output });
  return exitCodes.ok;
}

/**
 * Elsewhere a process's start is told by a program that takes longer to start than an agent should wait, and windows are
 * looked for often. What is not known there counts as alive, and a window that does not answer is left.
 */
function quickFacts(platform: NodeJS.Platform): ProcessFacts {
  return platform === 'linux' ? systemFacts : { ...systemFacts, start: () => Promise.resolve(undefined) };
}
