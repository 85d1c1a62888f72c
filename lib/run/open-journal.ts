import type { ChatLog } from '../log/chat-log.ts';
import { createJournal, type Journal } from '../log/journal.ts';
import { keyMarksOf } from '../log/keyed-messages.ts';
import { createRunLease } from '../log/run-lease.ts';
import type { ChatHead } from '../log/store/index.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LateOutcomes } from './outcomes/late-outcomes.ts';
import { marksOf } from './question/repeats.ts';
import { subjectMarksOf } from './question/subject-history.ts';

type JournalParts = Pick<EngineParts, 'settings' | 'store' | 'clock' | 'auditor' | 'observers'> & {
  readonly log: ChatLog;
  readonly leaseMs: number;
  readonly lateOutcomes: Pick<LateOutcomes, 'report'>;
  /** Whether a failed append is retried. */
  readonly mayRetry: () => boolean;
};

/** Opens writers for the logs of chats, each as of a head, with the open turn read and folded. */
export function createJournalOpener(parts: JournalParts): (head: ChatHead) => Promise<Journal> {
  const { settings, store, clock, auditor, observers, log, leaseMs, lateOutcomes, mayRetry } = parts;
  const { owner } = log;
  return async (head) => {
    await clock.sure();
    const renewUntil = (until: number, now: number) => store.runs.claimLease(head.id, { owner, until }, now);
    return createJournal({
      log,
      clock,
      leaseMs,
      lease: createRunLease({ clock, leaseMs, renewUntil }),
      head,
      turn: await log.readTurn(head),
      auditor,
      marksOf: (events, turn) => [
        ...marksOf(settings, events, turn),
        ...subjectMarksOf(settings, events, turn),
        ...keyMarksOf(events),
      ],
      onWritten: (batch) => observers.recorded(head.id, batch),
      mayRetry,
      onLost: (ends, last) => {
        for (const { call, end } of ends) lateOutcomes.report(last, call, { outcome: 'ended', end });
      },
    });
  };
}
