// Asks the person about a call whose policy is `ask` (POL-1). Promises: silence, a broken prompt, no prompt and anything
// that is no clear yes are a no; whoever gives up takes the question away, and so does a server that may run no more
// (CFG-13). A caller that may time out waits 45 s: then it is told to call again, the question stays, and its answer serves
// the next identical call, once, for five minutes. Identical calls that wait share a question; a yes is for one of them.
// What one session of an agent was answered serves no other one, whatever it calls itself.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonicalJson.ts';
import type { Clock } from '../../base/clock.ts';
import { untilAborted, withDeadline } from '../../base/deadline.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { visibleLine } from '../../base/sanitise.ts';
import type { ServerKey } from '../config/model.ts';
import type { Generation } from '../connection/state.ts';
import type { OfferedTool } from '../discovery/snapshot.ts';
import { ManagerError } from '../errors.ts';
import { limits } from '../limits.ts';
import {
  type CallAnswer,
  type CallConfirmation,
  type Caller,
  type CallPrompt,
  type Consent,
  consents,
  type Log,
} from '../ports.ts';
import type { ToolCall } from './callTypes.ts';

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
  /** Of the connection that the person is asked about. */
  readonly generation: Generation;
  readonly extra?: ToolCall['extra'];
  /** Fails with ManagerError where a yes could not let this call out any more. */
  readonly check: () => void;
}

/** Undefined where nobody answered. */
type Answer = CallAnswer | undefined;

/** What a person is asked, and the calls that wait for it. */
interface OpenQuestion {
  readonly asked: AskedCall;
  /** In the order in which they came. */
  readonly waiting: Set<Deferred<Answer>>;
  /** Its caller was told to call again: it stays, though nobody waits. */
  left: boolean;
  readonly withdraw: () => void;
}

interface KeptAnswer {
  readonly asked: AskedCall;
  readonly answer: 'once' | 'deny';
  readonly until: number;
}

export class CallConfirmer {
  readonly #deps: CallConfirmerDeps;
  /** By what they are about. */
  readonly #questions = new Map<string, OpenQuestion>();
  /** Answers that wait for the call to come again. */
  readonly #answers = new Map<string, KeptAnswer>();
  #lonely = 0;

  constructor(deps: CallConfirmerDeps) {
    this.#deps = deps;
  }

  /** Fails with ManagerError: toolNotConfirmed, approvalPending (call again), cancelled, and whatever `check` fails with. */
  async ask(asked: AskedCall, signal: AbortSignal | undefined): Promise<Consent> {
    const { server, tool, caller } = asked.question;
    const isAlone = this.#deps.prompt === undefined;
    const no = new ManagerError('toolNotConfirmed', { server, tool, ...(isAlone && { nobody: true }) });
    const about = mayTimeOut(caller) ? hashOfCall(asked) : `${(this.#lonely += 1)}`;
    const kept = this.#takeAnswer(about);
    if (kept === 'deny') throw no;
    if (kept !== undefined) return kept;
    const waiter = deferred<Answer>();
    const question = this.#questions.get(about) ?? this.#put(about, asked, new Set());
    if (question === undefined) throw no;
    question.waiting.add(waiter);
    const answer = await this.#wait(about, waiter, asked, signal);
    if (answer === undefined || answer === 'deny') throw no;
    return answer;
  }

  /** Something changed at this server, or at any: ends what was asked and answered about calls that may go out no more. */
  lookAgain(key?: ServerKey): void {
    const concerns = ({ question }: AskedCall): boolean => key === undefined || question.key === key;
    for (const [about, { asked }] of [...this.#answers]) {
      if (concerns(asked) && faultOf(asked) !== undefined) this.#answers.delete(about);
    }
    for (const [about, { asked, waiting, withdraw }] of [...this.#questions]) {
      const fault = concerns(asked) ? faultOf(asked) : undefined;
      if (fault === undefined) continue;
      this.#questions.delete(about);
      withdraw();
      for (const waiter of waiting) waiter.reject(fault);
    }
  }

  async #wait(
    about: string,
    waiter: Deferred<Answer>,
    { question: { server, tool, caller } }: AskedCall,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const pending = new ManagerError('approvalPending', { server, tool });
    try {
      if (!mayTimeOut(caller)) return await untilAborted(waiter.promise, signal);
      const deadline = { ms: limits.confirmation.callAgain, clock: this.#deps.clock, signal, onTimeout: () => pending };
      return await withDeadline(waiter.promise, deadline);
    } catch (error) {
      // The one that it waits at now: it may have been put again meanwhile.
      const question = this.#questions.get(about);
      const waited = question?.waiting.delete(waiter) === true;
      if (error === pending) {
        if (question === undefined || !waited) return waiter.promise; // The answer came at this very moment.
        question.left = true;
        throw pending;
      }
      if (question?.waiting.size === 0 && !question.left) {
        this.#questions.delete(about);
        question.withdraw();
      }
      if (signal?.aborted !== true) throw error;
      throw new ManagerError('cancelled', {}, { cause: error });
    }
  }

  /** Undefined where nobody can be asked, or too many questions are open. */
  #put(about: string, asked: AskedCall, waiting: Set<Deferred<Answer>>): OpenQuestion | undefined {
    const { prompt, clock } = this.#deps;
    if (prompt === undefined || this.#questions.size >= limits.confirmation.open) return undefined;
    const asking = new AbortController();
    const question: OpenQuestion = { asked, waiting, left: false, withdraw: () => asking.abort() };
    this.#questions.set(about, question);
    void withDeadline(this.#answerOf(prompt, asked, asking.signal), {
      ms: limits.confirmation.answer,
      clock,
      signal: asking.signal,
      onTimeout: () => new Error('nobody answered'),
    })
      .catch((): undefined => undefined)
      .then((answer) => {
        asking.abort();
        if (this.#questions.get(about) !== question) return;
        this.#questions.delete(about);
        this.#settle(about, question, answer);
      });
    return question;
  }

  /** A yes to one call is for the one that waited longest, or for the next to come; the others are asked about anew. */
  #settle(about: string, { asked, waiting, left }: OpenQuestion, answer: Answer): void {
    const [first, ...others] = waiting;
    if (first === undefined) {
      // A grant speaks for itself when the call comes again.
      if (left && (answer === 'once' || answer === 'deny')) this.#keepAnswer(about, asked, answer);
      return;
    }
    first.resolve(answer);
    if (answer === 'once' && others.length > 0 && this.#put(about, asked, new Set(others)) !== undefined) return;
    for (const other of others) other.resolve(answer === 'once' ? 'deny' : answer);
  }

  async #answerOf(prompt: CallPrompt, asked: AskedCall, signal: AbortSignal): Promise<CallAnswer> {
    try {
      const said: unknown = await prompt.confirm(asked.question, signal);
      // What is no clear yes to what was offered is a no; a yes that comes after the question was over is none.
      const consent = consents.find((word) => word === said);
      if (signal.aborted || consent === undefined) return 'deny';
      if (consent === 'window' && asked.question.eachTime === true) return 'deny';
      if (consent === 'window') this.#deps.grant(asked);
      return consent;
    } catch (error) {
      const name = visibleLine(asked.tool.name, 100);
      this.#deps.log?.warn(`The question about ${name} failed: ${String(error)}`);
      return 'deny';
    }
  }

  #keepAnswer(about: string, asked: AskedCall, answer: 'once' | 'deny'): void {
    this.#answers.set(about, { asked, answer, until: this.#deps.clock.now() + limits.confirmation.served });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= limits.confirmation.kept) break;
      this.#answers.delete(oldest);
    }
  }

  #takeAnswer(about: string): 'once' | 'deny' | undefined {
    const kept = this.#answers.get(about);
    this.#answers.delete(about);
    return kept === undefined || kept.until < this.#deps.clock.now() ? undefined : kept.answer;
  }
}

function faultOf({ check }: AskedCall): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new ManagerError('internal', {}, { cause: error });
  }
}

/** Agents outside of this process have deadlines of their own, which nobody here knows. */
function mayTimeOut({ kind }: Caller): boolean {
  return kind === 'gateway';
}

/** What makes two calls the same to a person; the caller's own bookkeeping (`_meta`) does not. */
function hashOfCall({ question: { key, caller, args }, tool, generation, extra = {} }: AskedCall): string {
  const rest = Object.fromEntries(Object.entries(extra).filter(([name]) => name !== '_meta'));
  const defined = [tool.name, tool.hash, tool.annotationsHash];
  const parts = [key, generation, defined, caller.kind, caller.name, caller.session ?? null, args, rest];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
