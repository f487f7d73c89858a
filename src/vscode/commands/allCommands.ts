// Every command, in one place: loaded when the first one is used.
import { addServer } from './addServer.ts';
import { approveServer } from './approveServer.ts';
import { callTool } from './callTool.ts';
import { copyItemName } from './copyItemName.ts';
import { copyServerId } from './copyServerId.ts';
import { diagnoseServer } from './diagnoseServer.ts';
import { disableServer } from './disableServer.ts';
import { editServer } from './editServer.ts';
import { enableServer } from './enableServer.ts';
import { getPrompt } from './getPrompt.ts';
import { manageValues } from './manageValues.ts';
import { openProblem } from './openProblem.ts';
import { openProjectConfig } from './openProjectConfig.ts';
import { openUserConfig } from './openUserConfig.ts';
import { readResource } from './readResource.ts';
import { refreshServer } from './refreshServer.ts';
import { refreshView } from './refreshView.ts';
import { removeServer } from './removeServer.ts';
import { restartServer } from './restartServer.ts';
import { reviewApprovals } from './reviewApprovals.ts';
import { runArguments } from './runArguments.ts';
import { showDefinition } from './showDefinition.ts';
import { showLog } from './showLog.ts';
import { startServer } from './startServer.ts';
import { stopServer } from './stopServer.ts';
import { testServer } from './testServer.ts';
import type { Command } from './command.ts';

export const allCommands: readonly Command[] = [
  addServer,
  startServer,
  stopServer,
  restartServer,
  enableServer,
  disableServer,
  approveServer,
  refreshServer,
  editServer,
  removeServer,
  testServer,
  diagnoseServer,
  showLog,
  copyServerId,
  refreshView,
  openUserConfig,
  openProjectConfig,
  reviewApprovals,
  manageValues,
  callTool,
  showDefinition,
  runArguments,
  readResource,
  getPrompt,
  copyItemName,
  openProblem,
];
