import type { Call } from '../../log/turn/turn.ts';
import type { EventBody } from '../../protocol/index.ts';
import { executeCall } from '../call/execute-call.ts';
import { executionOf } from '../call/execution-of.ts';
import type { ParsedInput } from '../call/input/schemas.ts';
import type { Run, RunTranscript } from '../run.ts';
import { createCallRun } from './call-run.ts';
import type { PendingQuestion, Settled } from './pending-question.ts';
import type { WaitingCall } from './waiting-calls.ts';

export type RunningCall = WaitingCall<Run> & { readonly hasEnded: boolean };

type Waiting = { readonly question: PendingQuestion; readonly settle: (answer: Settled) => void };
type End = { readonly event: EventBody } | { readonly error: unknown };

/**
 * A call that runs here. If it asks, it is moved to the run that the answer begins.
 *
 * @param mayAsk false: its questions are cancelled
 * @source ADR 0037
 */
export function createRunningCall(
  run: Run,
  {
    call,
    transcript,
    parsed,
    mayAsk,
  }: { call: Call; transcript: RunTranscript; parsed: ParsedInput; mayAsk: boolean },
): RunningCall {
  const { toolCallId } = call.requested;
  const waiting: Waiting[] = [];
  let isSilent = !mayAsk;
  let end: End | undefined;
  let change = Promise.withResolvers<void>();
  const callRun = createCallRun(run, call);

  function changed(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  function ask(question: PendingQuestion, over: AbortSignal): Promise<Settled> {
    const signals = [callRun.abortSignal, over];
    if (isSilent || signals.some(({ aborted }) => aborted)) return Promise.resolve({ action: 'cancel' });
    const { promise, resolve } = Promise.withResolvers<Settled>();
    const own: Waiting = {
      question,
      settle(answer) {
        if (!waiting.includes(own)) return;
        waiting.splice(waiting.indexOf(own), 1);
        for (const signal of signals) signal.removeEventListener('abort', onAbort);
        resolve(answer);
        changed();
      },
    };
    const onAbort = () => own.settle({ action: 'cancel' });
    for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
    waiting.push(own);
    changed();
    return promise;
  }

  function cancel(): void {
    isSilent = true;
    for (const { settle } of [...waiting]) settle({ action: 'cancel' });
  }

  function ended(how: End): void {
    end = how;
    cancel();
    callRun.leave();
    changed();
  }

  executeCall(executionOf(callRun, call, transcript, parsed, ask)).then(
    (event) => ended({ event }),
    (error: unknown) => ended({ error }),
  );

  return {
    call,
    toolCallId,
    get question() {
      return waiting[0]?.question;
    },
    get hasEnded() {
      return end !== undefined;
    },

    async untilEndOrQuestion() {
      while (!end && waiting.length === 0) await change.promise;
      if (end && 'error' in end) throw end.error;
      return end?.event;
    },

    changes: () => change.promise,

    settle(question, answer) {
      waiting.find((each) => each.question === question)?.settle(answer);
    },

    cancel,
    leave: callRun.leave,
    moveTo: callRun.moveTo,

    async abandon() {
      callRun.abort();
      while (!end) await change.promise;
      if ('event' in end) callRun.run.onLate(call, { outcome: 'ended', end: end.event });
    },
  };
}
