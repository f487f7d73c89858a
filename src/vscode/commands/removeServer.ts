import { t } from '../strings.ts';
import { tell } from '../surfaces/tell.ts';
import type { Command } from './command.ts';
import { serverTarget } from './serverTarget.ts';

export const removeServer: Command = {
  name: 'server.remove',
  async run(app, target) {
    const server = await serverTarget(app, target);
    if (server === undefined) return;
    const { id, file, key } = server.server;
    const remove = { title: t('Remove') };
    const question = t('Remove the server “{server}”?', { server: id });
    const detail = t('Its entry is taken out of {file}. A running instance is stopped.', { file });
    if ((await tell.ask(question, detail, remove)) !== remove) return;
    await app.config.store(file)?.remove(id);
    await app.manager.revoke([key]);
  },
};
