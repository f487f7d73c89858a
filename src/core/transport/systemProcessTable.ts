// The process table of this machine's platform, made once.
import { linuxProcessTable } from './linuxProcessTable.ts';
import { macProcessTable } from './macProcessTable.ts';
import type { ProcessTable } from './processTable.ts';
import { windowsProcessTable } from './windowsProcessTable.ts';

export function systemProcessTable(): ProcessTable {
  table ??= makers[process.platform]?.() ?? macProcessTable();
  return table;
}

let table: ProcessTable | undefined;

/** Other systems of the Unix family have a `ps` with the same columns. */
const makers: Partial<Record<NodeJS.Platform, () => ProcessTable>> = {
  linux: linuxProcessTable,
  win32: windowsProcessTable,
};
