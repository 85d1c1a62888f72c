import type { ChatId, RunId } from '../../protocol/ids/ids.ts';

/** Who executes the chat's active run, and until when no other instance may append (epoch milliseconds). */
export type Lease = { readonly owner: string; readonly until: number };

/** Leases of runs, and requests to stop them. */
export type RunStore = {
  /**
   * Extends a lease that the caller holds, or takes an expired one (`until` is not after `now`). A lease whose `until`
   * has passed is released; subscribers are notified (`release`). False if another instance holds it, or if there is none:
   * a late heartbeat must not revive a run that has ended.
   */
  claimLease(chatId: ChatId, lease: Lease, now: number): Promise<boolean>;
  /** Chats whose active run has an expired lease, the longest expired first. */
  orphans(now: number): Promise<ChatId[]>;
  /**
   * Asks the owner of this run to stop it. Not an event, because only the owner appends. Once this resolves, `append`
   * refuses to start a call or to ask a question for the run, even if the run begins later. Nothing is kept when
   * there is no such chat.
   */
  requestStop(chatId: ChatId, runId: RunId): Promise<void>;
  stopRequested(chatId: ChatId, runId: RunId): Promise<boolean>;
};
