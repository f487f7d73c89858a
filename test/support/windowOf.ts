import type { AnnouncedWindow, WindowDescriptor } from '../../src/contract/windowDescriptor.ts';

/** The descriptor of a window that there is not. */
export function windowOf(pid: number, folders: string[], focusedAt = 0): WindowDescriptor {
  const url = `http://127.0.0.1:${pid}`;
  return { version: 1, kind: 'serving', process: processOf(pid), url, token: `token ${pid}`, folders, focusedAt };
}

/** The same of one in Restricted Mode. */
export function restrictedWindow(pid: number, folders: string[], focusedAt = 0): AnnouncedWindow {
  return { version: 1, kind: 'restricted', process: processOf(pid), folders, focusedAt };
}

function processOf(pid: number): WindowDescriptor['process'] {
  return { pid, start: '1', boot: '', host: 'here', namespace: '' };
}
