import { Conflict } from '../../log/conflict.ts';
import type { Journal } from '../../log/journal.ts';
import type { FlowStore } from '../../log/store/index.ts';
import { sleep } from '../../protocol/clock/sleep.ts';
import { type ChatId, type Clock, errorFacts, type Logger } from '../../protocol/index.ts';

/** Whether a call may start. */
export type StartCheck = {
  /** True while the lease is certainly valid. Synchronous: `execute` follows in the same block. */
  isSure(): boolean;
  /**
   * Renews the lease, for as long as it takes to reach the store.
   *
   * @returns false if the run belongs to another instance; after true, check `isSure` and the signal again
   */
  secure(abortSignal: AbortSignal): Promise<boolean>;
};

/**
 * The check of one run's calls against its lease.
 *
 * Renewing an expired lease proves nothing: another instance may have taken the run over, written to its log,
 * and died. So the log is compared with what this run wrote.
 *
 * @source ADR 0019
 */
export function createStartCheck(parts: {
  readonly chatId: ChatId;
  readonly journal: Pick<Journal, 'head' | 'lease' | 'flush'>;
  readonly store: Pick<FlowStore, 'chats'>;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly logger: Logger;
}): StartCheck {
  const { chatId, journal, store, clock, leaseMs, logger } = parts;
  const { lease } = journal;

  /** True if every event of the log was written by this run. */
  async function isOurs(): Promise<boolean> {
    try {
      await journal.flush();
      const before = journal.head.seq;
      const head = await store.chats.head(chatId);
      // Appends that were under way are durable now, or have failed with a conflict.
      await journal.flush();
      return head !== undefined && head.seq >= before && head.seq <= journal.head.seq;
    } catch (error) {
      if (Conflict.is(error)) return false;
      throw error;
    }
  }

  return {
    isSure: () => lease.isSure(),
    async secure(abortSignal) {
      while (!abortSignal.aborted && !lease.isSure()) {
        try {
          if (!(await lease.renew())) return false;
          if (!lease.hasLapsed) continue;
          if (!(await isOurs())) return false;
          lease.verified();
        } catch (error) {
          logger.warn('A lease could not be renewed before a call.', { chatId, error: errorFacts(error) });
          await sleep(leaseMs / 20, abortSignal, clock);
        }
      }
      return true;
    },
  };
}
