import type { WindowDescriptor } from '../../src/contract/windowDescriptor.ts';

/** The descriptor of a window that there is not. */
export function windowOf(pid: number, folders: string[], focusedAt = 0): WindowDescriptor {
  const process = { pid, start: '1', boot: '', host: 'here', namespace: '' };
  return { version: 1, process, url: `http://127.0.0.1:${pid}`, token: `token ${pid}`, folders, focusedAt };
}
