import type { ServerId } from '../../src/contract/serverConfig.ts';
import type { ServerKey } from '../../src/core/config/model.ts';
import type { CallConfirmation } from '../../src/core/ports.ts';

/** What a person is asked about a call. */
export function callQuestion(more: Partial<CallConfirmation> = {}): CallConfirmation {
  return {
    key: 'user:demo' as ServerKey,
    server: 'demo' as ServerId,
    tool: 'echo',
    caller: { kind: 'gateway', name: 'an agent' },
    args: { text: 'hi' },
    ...more,
  };
}
