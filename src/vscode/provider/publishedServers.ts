// Which servers the editor's own agent gets to see, and under which labels (GATE-7). Pure. The editor trusts what an
// extension publishes and asks nobody: so only what a person approved and nothing keeps from running is published.
import type { ServerId } from '../../contract/serverConfig.ts';
import type { KeptOffer } from '../../core/discovery/keptLists.ts';
import type { ManagerView, ServerView } from '../../core/manager/view.ts';
import { editorLabels } from '../../gateway/editorNames.ts';

export interface PublishedServer {
  readonly id: ServerId;
  readonly label: string;
  /** What it offers, or offered when this very launch last ran; undefined where that is not known. */
  readonly offer: KeptOffer | undefined;
}

export function publishedServers({ servers }: ManagerView): readonly PublishedServer[] {
  // Of all that are configured: none gets another label because one is turned on or off.
  const labels = editorLabels(servers.map(({ server }) => server.id));
  return servers.filter(isPublished).map(({ server: { id }, snapshot, kept }) => ({
    id,
    label: labels.get(id) ?? id,
    offer: snapshot ?? kept,
  }));
}

function isPublished({ role, state }: ServerView): boolean {
  return (role === 'serving' || role === 'standIn') && state.kind !== 'disabled' && state.kind !== 'blocked';
}
