// What taking a server over does to one place where it stands (GATE-9), purely. A file that a team shares is never edited, and
// neither is one that several programs read; where a client has a switch for a server, the entry stays and is switched off.
import type { EntryShape } from '../agents/clients.ts';
import type { FoundPlace } from './foundView.ts';

export type OriginalFate =
  /** Its client has a switch for it. */
  | { readonly kind: 'switchedOff'; readonly field: 'disabled' | 'enabled'; readonly value: boolean }
  | { readonly kind: 'removed' }
  | { readonly kind: 'stays'; readonly why: StayReason };

/**
 * `team`: a project's file, which others use too. `foreign`: a file that no other program should write. `format`: one that we
 * only read, or that is written in a way that cannot be edited safely. `off`: unused already.
 */
export type StayReason = 'team' | 'foreign' | 'format' | 'off';

/** What becomes of one place, told before anybody chooses. */
export function fateOf({ file, off }: FoundPlace): OriginalFate {
  if (off) return { kind: 'stays', why: 'off' };
  if (file.scope.kind === 'project') return { kind: 'stays', why: 'team' };
  if (file.format === 'yaml') return { kind: 'stays', why: 'format' };
  if (file.client === 'visualStudio') return { kind: 'stays', why: 'foreign' };
  const way = offSwitches[file.shape];
  return way === undefined ? { kind: 'removed' } : { kind: 'switchedOff', ...way };
}

/** How a client leaves a server out that stays in its file. */
const offSwitches: Readonly<
  Partial<Record<EntryShape, { readonly field: 'disabled' | 'enabled'; readonly value: boolean }>>
> = {
  windsurf: { field: 'disabled', value: true },
  cline: { field: 'disabled', value: true },
  roo: { field: 'disabled', value: true },
  codex: { field: 'enabled', value: false },
  opencode: { field: 'enabled', value: false },
  zed: { field: 'enabled', value: false },
};
