// Runs by itself after the extension was uninstalled, in plain Node, while its folder may go at any moment: everything is in
// this one file. It takes our entries out of the files of other programs and removes what was copied into the product's
// folder. The editor gives it five seconds and shows nothing of it.
import { homedir } from 'node:os';
import { undoEverything } from '../core/agents/undoEverything.ts';
import { homeFolder } from '../core/config/configPaths.ts';
import { removeLauncher } from '../core/launcher/removeLauncher.ts';
import { limits } from '../core/limits.ts';

// A pipe or a lock that hangs is left to itself: each edit is whole, or not made.
setTimeout(() => process.exit(1), limits.agents.uninstall).unref();
const home = homeFolder(homedir());
const left = await undoEverything({ home });
// An entry that still names the launcher needs it.
if (left === 0) await removeLauncher(home, { platform: process.platform }).catch(() => undefined);
process.exitCode = left === 0 ? 0 : 1;
