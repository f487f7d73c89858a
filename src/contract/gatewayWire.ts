// What crosses between the gateway and a client of our own, besides MCP itself. Everything here comes from a process that
// knows the token and is checked all the same. Pure.
import * as z from 'zod/mini';

const text = (most: number) => z.string().check(z.maxLength(most));

/** Who a process is: its number alone could be another one's by now. */
export const processIdentity = z.object({
  pid: z.int().check(z.positive()),
  start: text(200),
  boot: text(200),
  host: text(300),
  namespace: text(200),
});

/**
 * The header by which a client says, with its `initialize`, in which process it runs. Its session ends with that process
 * (GATE-2), and what it had under way with it. Without it a session lives until it is ended or unused for long.
 */
export const ownerHeader = 'roundhouse-owner';

/** As the header has it: JSON, percent-encoded, since names of machines are not always ASCII. */
export function ownerText(owner: z.infer<typeof processIdentity>): string {
  return encodeURIComponent(JSON.stringify(owner));
}

/** Undefined for what is none: then nothing is known of the owner. */
export function readOwner(header: string | undefined): z.infer<typeof processIdentity> | undefined {
  if (header === undefined || header.length > mostOwnerText) return undefined;
  try {
    const parsed = z.safeParse(processIdentity, JSON.parse(decodeURIComponent(header)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** In UTF-16 units. */
const mostOwnerText = 4_096;
