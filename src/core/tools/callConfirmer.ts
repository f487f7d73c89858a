// Asks the person about a call whose policy is `ask` (POL-1). Promises: silence, a broken prompt, no prompt and anything
// that is no clear yes are a no; whoever gives up takes the question away. A caller that may time out waits 45 s: then it
// is told to call again, the question stays, and its answer serves the next identical call, once, for five minutes.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonicalJson.ts';
import type { Clock } from '../../base/clock.ts';
import { untilAborted, withDeadline } from '../../base/deadline.ts';
import { visibleLine } from '../../base/sanitise.ts';
import type { OfferedTool } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { CallAnswer, CallConfirmation, Caller, CallPrompt, Log } from '../ports.ts';
import type { ToolCall } from './callTypes.ts';

/** What a person said that lets the call be looked at again. */
export type Consent = Exclude<CallAnswer, 'deny'>;

export interface CallConfirmerDeps {
  /** Absent where nobody can be asked. */
  readonly prompt?: CallPrompt;
  /** The person allowed this tool, as it is defined here, for this window. */
  readonly grant: (asked: AskedCall) => void;
  readonly clock: Clock;
  readonly log?: Log;
}

export interface AskedCall {
  readonly question: CallConfirmation;
  readonly tool: OfferedTool;
  readonly extra?: ToolCall['extra'];
}

/** Undefined where nobody answered. */
type Answer = CallAnswer | undefined;

interface OpenQuestion {
  readonly answer: Promise<Answer>;
  readonly withdraw: () => void;
}

export class CallConfirmer {
  readonly #deps: CallConfirmerDeps;
  /** Questions whose caller was told to call again, and answers that wait for it; by what they are about. */
  readonly #left = new Map<string, OpenQuestion>();
  readonly #answers = new Map<string, { readonly answer: 'once' | 'deny'; readonly until: number }>();
  #open = 0;

  constructor(deps: CallConfirmerDeps) {
    this.#deps = deps;
  }

  /** Fails with ManagerError: toolNotConfirmed, approvalPending (call again), cancelled. */
  async ask(asked: AskedCall, signal: AbortSignal | undefined): Promise<Consent> {
    const { server, tool, caller } = asked.question;
    const no = new ManagerError('toolNotConfirmed', { server, tool });
    const identity = mayTimeOut(caller) ? identityOf(asked) : undefined;
    const kept = identity === undefined ? undefined : this.#takeAnswer(identity);
    if (kept === 'deny') throw no;
    if (kept !== undefined) return kept;
    const question = this.#question(asked, identity);
    if (question === undefined) throw no;
    const answer = await this.#wait(question, asked, identity, signal);
    if (answer === undefined || answer === 'deny') throw no;
    return answer;
  }

  async #wait(
    question: OpenQuestion,
    { question: { server, tool } }: AskedCall,
    identity: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const pending = new ManagerError('approvalPending', { server, tool });
    try {
      if (identity === undefined) return await untilAborted(question.answer, signal);
      const deadline = { ms: limits.confirmation.callAgain, clock: this.#deps.clock, signal, onTimeout: () => pending };
      return await withDeadline(question.answer, deadline);
    } catch (error) {
      if (error === pending && identity !== undefined) {
        this.#leave(identity, question);
        throw pending;
      }
      question.withdraw();
      throw new ManagerError('cancelled', {}, { cause: error });
    }
  }

  /** The question that an earlier identical call left behind, or a new one; undefined where too many wait. */
  #question(asked: AskedCall, identity: string | undefined): OpenQuestion | undefined {
    const left = identity === undefined ? undefined : this.#left.get(identity);
    if (left !== undefined && identity !== undefined) {
      this.#left.delete(identity);
      return left;
    }
    const { prompt, clock } = this.#deps;
    if (prompt === undefined || this.#open >= limits.confirmation.open) return undefined;
    const asking = new AbortController();
    this.#open += 1;
    const answer = withDeadline(this.#answerOf(prompt, asked, asking.signal), {
      ms: limits.confirmation.answer,
      clock,
      signal: asking.signal,
      onTimeout: () => new Error('nobody answered'),
    })
      .catch((): undefined => undefined)
      .finally(() => {
        this.#open -= 1;
        asking.abort();
      });
    return { answer, withdraw: () => asking.abort() };
  }

  async #answerOf(prompt: CallPrompt, asked: AskedCall, signal: AbortSignal): Promise<CallAnswer> {
    try {
      const said: unknown = await prompt.confirm(asked.question, signal);
      // What is no clear yes is a no; a yes that comes after the question was over is none.
      if (signal.aborted || (said !== 'once' && said !== 'window' && said !== 'accept')) return 'deny';
      if (said === 'window') this.#deps.grant(asked);
      return said;
    } catch (error) {
      const name = visibleLine(asked.tool.name, 100);
      this.#deps.log?.warn(`The question about ${name} failed: ${String(error)}`);
      return 'deny';
    }
  }

  /** Nobody waits for this question now; its answer, where one comes, serves the next identical call. */
  #leave(identity: string, question: OpenQuestion): void {
    this.#left.set(identity, question);
    void question.answer.then((answer) => {
      if (this.#left.get(identity) !== question) return;
      this.#left.delete(identity);
      // A grant or accepted definitions speak for themselves when the call comes again.
      if (answer === 'once' || answer === 'deny') this.#keepAnswer(identity, answer);
    });
  }

  #keepAnswer(identity: string, answer: 'once' | 'deny'): void {
    this.#answers.set(identity, { answer, until: this.#deps.clock.now() + limits.confirmation.served });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= limits.confirmation.kept) break;
      this.#answers.delete(oldest);
    }
  }

  #takeAnswer(identity: string): 'once' | 'deny' | undefined {
    const kept = this.#answers.get(identity);
    this.#answers.delete(identity);
    return kept === undefined || kept.until < this.#deps.clock.now() ? undefined : kept.answer;
  }
}

/** Agents outside of this process have deadlines of their own, which nobody here knows. */
function mayTimeOut({ kind }: Caller): boolean {
  return kind === 'gateway';
}

/** What makes two calls the same to a person; the caller's own bookkeeping (`_meta`) does not. */
function identityOf({ question: { key, caller, args }, tool, extra = {} }: AskedCall): string {
  const rest = Object.fromEntries(Object.entries(extra).filter(([name]) => name !== '_meta'));
  const parts = [key, tool.name, tool.hash, tool.annotationsHash, caller.kind, caller.name, args, rest];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
