// Every command, in one place: loaded when the first one is used.
import { addServer } from './addServer.ts';
import { approveServer } from './approveServer.ts';
import { callTool } from './callTool.ts';
import { closeQuestion } from './closeQuestion.ts';
import { connectAgent } from './connectAgent.ts';
import { copyAgentConfig } from './copyAgentConfig.ts';
import { copyItemName } from './copyItemName.ts';
import { copyServerId } from './copyServerId.ts';
import { diagnoseServer } from './diagnoseServer.ts';
import { disableServer } from './disableServer.ts';
import { disconnectAgent } from './disconnectAgent.ts';
import { disconnectAllAgents } from './disconnectAllAgents.ts';
import { editServer } from './editServer.ts';
import { enableServer } from './enableServer.ts';
import { getPrompt } from './getPrompt.ts';
import { manageApprovals } from './manageApprovals.ts';
import { manageValues } from './manageValues.ts';
import { openFound } from './openFound.ts';
import { openProblem } from './openProblem.ts';
import { openProjectConfig } from './openProjectConfig.ts';
import { openUserConfig } from './openUserConfig.ts';
import { readResource } from './readResource.ts';
import { refreshServer } from './refreshServer.ts';
import { refreshView } from './refreshView.ts';
import { removeServer } from './removeServer.ts';
import { restartServer } from './restartServer.ts';
import { retryServer } from './retryServer.ts';
import { reviewApprovals } from './reviewApprovals.ts';
import { reviewTools } from './reviewTools.ts';
import { runArguments } from './runArguments.ts';
import { setPolicy } from './setPolicy.ts';
import { showCalls } from './showCalls.ts';
import { showDefinition } from './showDefinition.ts';
import { showLog } from './showLog.ts';
import { showQuestion } from './showQuestion.ts';
import { startServer } from './startServer.ts';
import { stopServer } from './stopServer.ts';
import { takeOverServers } from './takeOverServers.ts';
import { testServer } from './testServer.ts';
import { undoTakeOver } from './undoTakeOver.ts';
import { turnOnRemote } from './turnOnRemote.ts';
import type { Command } from './command.ts';

export const allCommands: readonly Command[] = [
  addServer,
  startServer,
  stopServer,
  restartServer,
  retryServer,
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
  manageApprovals,
  manageValues,
  callTool,
  showDefinition,
  runArguments,
  reviewTools,
  setPolicy,
  readResource,
  getPrompt,
  copyItemName,
  connectAgent,
  disconnectAgent,
  disconnectAllAgents,
  copyAgentConfig,
  takeOverServers,
  undoTakeOver,
  openFound,
  openProblem,
  turnOnRemote,
  showCalls,
  showQuestion,
  closeQuestion,
];
