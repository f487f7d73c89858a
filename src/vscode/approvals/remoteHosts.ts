// Where remote servers are, and who runs that, in lines for the person who decides whether they may be reached at all
// (product TRUST-7). Pure.
import { exactText } from '../../base/exactText.ts';
import { isLoopbackHost } from '../../contract/urlRule.ts';
import type { Translate } from '../translate.ts';

export interface RemotePlace {
  /** Absent for one that is about to be added, and has no name yet. */
  readonly id?: string;
  /** As written; its host may hold variables. */
  readonly url: string;
}

/** One line a host, in the order of the places. */
export function remoteHosts(places: readonly RemotePlace[], t: Translate): readonly string[] {
  const hosts = new Map<string, Set<string>>();
  for (const { id, url } of places) {
    const host = hostOf(url);
    const servers = hosts.get(host) ?? new Set();
    servers.add(id ?? t('the new server'));
    hosts.set(host, servers);
  }
  const lines = [...hosts].map(([host, servers]) => hostLine(host, [...servers].join(', '), t));
  if (lines.length <= shownHosts) return lines;
  return [...lines.slice(0, shownHosts), t('and {count} more hosts', { count: lines.length - shownHosts })];
}

/** More would push the buttons out of a dialog. */
const shownHosts = 15;

function hostLine(host: string, servers: string, t: Translate): string {
  const data = { host: exactText(host), servers };
  if (host.includes('${')) return t('• {host}: {servers} (its host is known at the start only)', data);
  const name = host.replace(/:\d+$/, '');
  if (isLoopbackHost(name)) return t('• {host}: {servers} (runs on this machine)', data);
  const operator = operatorOf(name);
  return operator === undefined
    ? t('• {host}: {servers}', data)
    : t('• {host}: {servers} (run by whoever owns {operator})', { ...data, operator });
}

function hostOf(url: string): string {
  const written = /^[^/?#]*:\/\/([^/?#]*)/.exec(url)?.[1] ?? url.split(/[/?#]/, 1)[0] ?? '';
  return written.includes('${') || !URL.canParse(url) ? written : new URL(url).host;
}

/**
 * The part of a name that one owner registers; undefined for an address. Of names that services lend to their customers,
 * the customer's part counts.
 */
export function operatorOf(name: string): string | undefined {
  if (name.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(name)) return undefined;
  const labels = name.replace(/\.$/, '').split('.');
  const lent = lentSuffixes.find((suffix) => name.endsWith(`.${suffix}`));
  const shared = /^(?:ac|co|com|edu|go|gob|gov|gouv|mil|ne|net|nom|or|org|sch)$/.test(labels.at(-2) ?? '');
  const own = lent === undefined ? ((labels.at(-1) ?? '').length === 2 && shared ? 3 : 2) : lent.split('.').length + 1;
  return labels.slice(-own).join('.');
}

const lentSuffixes: readonly string[] = [
  ...['workers.dev', 'pages.dev', 'vercel.app', 'netlify.app', 'github.io', 'gitlab.io', 'herokuapp.com', 'fly.dev'],
  ...['onrender.com', 'up.railway.app', 'deno.dev', 'glitch.me', 'replit.app', 'web.app', 'firebaseapp.com'],
  ...['a.run.app', 'appspot.com', 'azurewebsites.net', 'azurecontainerapps.io', 'cloudfront.net', 'amplifyapp.com'],
  ...['ngrok.io', 'ngrok.app', 'ngrok-free.app', 'trycloudflare.com', 'loca.lt', 'hf.space', 'gradio.live'],
];
