// What an owner writes down of its children, for whoever ends what it leaves (KEEP-5): one file an owner in `owners/` of
// the product's folder, for that person alone, there while a child is. It finds what a mark cannot: a child whose
// environment the system hides, and all of Windows. It holds no secret: numbers and names of servers.
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from '../config/processIdentity.ts';
import { limits } from '../limits.ts';
import type { OwnedChild } from '../transport/childOwner.ts';

export interface LedgerChild extends OwnedChild {
  /** When it started, in milliseconds since 1970. */
  readonly since: number;
}

export interface Ledger {
  readonly owner: ProcessIdentity;
  readonly children: readonly LedgerChild[];
}

export interface FoundLedger extends Ledger {
  readonly file: string;
  /** When it was written, in milliseconds since 1970. */
  readonly written: number;
}

export function ownersFolder(home: string): string {
  return join(home, 'owners');
}

/** Written at once and whole: a moment later this process may be killed. */
export class OwnerLedger {
  readonly file: string;
  readonly #folder: string;
  readonly #children = new Map<string, LedgerChild>();

  constructor(home: string) {
    this.#folder = ownersFolder(home);
    // Two containers with one home may each have a process of this pid.
    this.file = join(this.#folder, `${process.pid}-${randomBytes(6).toString('hex')}.json`);
  }

  get isEmpty(): boolean {
    return this.#children.size === 0;
  }

  /** Fails where it cannot be written; the child counts all the same. */
  add(child: LedgerChild, owner: ProcessIdentity): void {
    this.#children.set(child.mark, child);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#write(owner);
  }

  remove(mark: string, owner: ProcessIdentity): void {
    if (!this.#children.delete(mark)) return;
    if (this.isEmpty) rmSync(this.file, { force: true });
    else this.#write(owner);
  }

  #write(owner: ProcessIdentity): void {
    const text = JSON.stringify({ owner, children: [...this.#children.values()] } satisfies Ledger);
    writeFileSync(`${this.file}.draft`, text, { mode: 0o600 });
    renameSync(`${this.file}.draft`, this.file);
  }
}

/** Every ledger that can be read; what is none is left out. */
export async function readLedgers(home: string): Promise<readonly FoundLedger[]> {
  const folder = ownersFolder(home);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const found = await Promise.all(names.slice(0, limits.guard.ledgers).map((name) => readLedger(join(folder, name))));
  return found.flatMap((ledger) => ledger ?? []);
}

export async function readLedger(file: string): Promise<FoundLedger | undefined> {
  try {
    const { size, mtimeMs } = await stat(file);
    if (size > limits.guard.bytes) return undefined;
    const ledger = parseLedger(await readFile(file, 'utf8'));
    return ledger && { ...ledger, file, written: mtimeMs };
  } catch {
    return undefined;
  }
}

/** By hand: the guard is one small file, and needs no schema library for two records. */
export function parseLedger(text: string): Ledger | undefined {
  try {
    const { owner, children } = JSON.parse(text) as Record<string, unknown>;
    if (!isRecord(owner) || !Array.isArray(children)) return undefined;
    const { pid, start, boot, host, namespace } = owner;
    if (!isNumber(pid) || !isText(start) || !isText(boot) || !isText(host) || !isText(namespace)) return undefined;
    return {
      owner: { pid, start, boot, host, namespace },
      children: children.flatMap((child) => parseChild(child) ?? []),
    };
  } catch {
    return undefined;
  }
}

function parseChild(child: unknown): LedgerChild | undefined {
  if (!isRecord(child)) return undefined;
  const { pid, start, latest, mark, server, since } = child;
  if (!isNumber(pid) || pid <= 1 || !isNumber(start) || !isNumber(latest) || !isNumber(since)) return undefined;
  return isText(mark) && isText(server) ? { pid, start, latest, mark, server, since } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
