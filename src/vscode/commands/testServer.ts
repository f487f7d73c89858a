import { diagnosisSummary } from '../results/diagnosisReport.ts';
import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';
import { runDiagnosis, showDiagnosis } from './runDiagnosis.ts';
import { serverTarget } from './serverTarget.ts';

/** The checks of the diagnosis, with a short answer. */
export const testServer: Command = {
  name: 'server.test',
  async run(app, target) {
    const server = await serverTarget(app, target, (view) => view.server.definition.enabled);
    if (server === undefined) return;
    const diagnosis = await runDiagnosis(app, server.key);
    const show = diagnosis.healthy ? tell.info : tell.warn;
    const details = t('Show Report');
    if ((await show(diagnosisSummary(diagnosis, t), details)) === details) await showDiagnosis(app, diagnosis);
  },
};
