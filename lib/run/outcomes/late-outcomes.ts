import { delayAfter, isRefusal } from '../../log/backoff.ts';
import type { Notifications } from '../../log/follow/notifications.ts';
import type { ChatHead } from '../../log/store/index.ts';
import { isUnknown } from '../../log/turn/call-end.ts';
import type { Call } from '../../log/turn/turn.ts';
import { type Clock, type EventBody, errorFacts, type Logger } from '../../protocol/index.ts';
import type { CallPlace, OutcomeReport, ReportResult } from './record-outcome.ts';

/** The outcome of a call, as known to the process that ran it, after it lost the run. */
export type LateOutcome =
  | { readonly outcome: 'not-run' }
  | { readonly outcome: 'ended'; readonly end: EventBody };

type Chat = Pick<ChatHead, 'id' | 'createdAt' | 'seq'>;

/**
 * Outcomes that this process knows and could not write with their run, because the run had ended or another instance had
 * taken it over. Each is reported to the chat once the call is recorded as unknown and no run is active. Until then it
 * waits for changes of the chat, and retries with backoff.
 *
 * In memory only: a process that dies first reports nothing.
 *
 * @source ADR 0018
 */
export function createLateOutcomes(parts: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly notifications: Notifications;
  readonly resolve: (report: OutcomeReport, place: CallPlace) => Promise<ReportResult>;
}) {
  const { clock, logger, notifications, resolve } = parts;
  const reports = new Set<Promise<void>>();
  let closed = false;

  async function deliver(report: OutcomeReport, place: CallPlace): Promise<void> {
    const { chatId, toolCallId } = report;
    for (let attempts = 1; !closed; attempts += 1) {
      // Subscribes before it checks, so that no change is missed in between.
      const change = nextChange(chatId, delayAfter(attempts));
      try {
        const { type } = await resolve(report, place);
        if (type !== 'pending') return change.cancel();
      } catch (error) {
        const facts = { chatId, toolCallId, error: errorFacts(error) };
        if (isRefusal(error)) {
          change.cancel();
          return logger.error('A late outcome could not be recorded.', facts);
        }
        logger.warn('A late outcome could not be recorded yet.', facts);
      }
      await change.came;
    }
  }

  function nextChange(chatId: OutcomeReport['chatId'], ms: number) {
    const { promise: came, resolve: come } = Promise.withResolvers<void>();
    const stopListening = notifications.listen(chatId, () => come());
    const stopTimer = clock.after(ms, come);
    const cancel = () => {
      stopListening();
      stopTimer();
    };
    return { came: came.finally(cancel), cancel };
  }

  return {
    /**
     * Reports the outcome of a call in the background. Does nothing if this process does not know it either.
     *
     * @param chat as of the last event that this process knows
     */
    report({ id: chatId, createdAt, seq: knownTo }: Chat, call: Call, late: LateOutcome): void {
      const known = outcomeOf(late);
      if (!known) return;
      const { toolCallId, seq: fromSeq } = call.requested;
      const report = deliver(
        { chatId, toolCallId, source: 'late', ...known },
        { createdAt, fromSeq, knownTo },
      ).finally(() => reports.delete(report));
      reports.add(report);
    },

    /** Resolves when no report is pending. */
    async delivered(): Promise<void> {
      while (reports.size > 0) await Promise.all(reports);
    },

    /** Abandons pending reports. */
    close(): void {
      closed = true;
    },
  };
}

export type LateOutcomes = ReturnType<typeof createLateOutcomes>;

function outcomeOf(late: LateOutcome): Omit<OutcomeReport, 'chatId' | 'toolCallId' | 'source'> | undefined {
  if (late.outcome === 'not-run') return { outcome: 'not-run', error: 'The call did not run.' };
  const { end } = late;
  if (end.type === 'tool-completed') {
    const { output, summary, resultCount, storedText, modelOutput } = end;
    const result = { output, summary, resultCount, storedText, modelOutput };
    return { outcome: 'completed', ...result };
  }
  if (end.type !== 'tool-failed' || isUnknown(end)) return undefined;
  return { outcome: 'failed', error: end.error, modelOutput: end.modelOutput };
}
