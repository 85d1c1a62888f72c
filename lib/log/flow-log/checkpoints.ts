import { flowLogId, type NotedHead } from '../../protocol/index.ts';
import type { FlowClock } from '../flow-clock.ts';
import type { FlowStore } from '../store/index.ts';
import type { FlowLog } from './flow-log.ts';

const defaultCheckpointMs = 60_000;
/** Appends arrive a moment after their recorded time, and clocks differ. */
const overlapMs = 60_000;
const pageSize = 500;
/** How far back to search for a head that was already noted. */
const lookedAt = 16;

/**
 * Notes changed heads in the flow's own log, so that a missing chat is noticed.
 *
 * @returns the check for each sweep
 * @source ADR 0023
 */
export function createCheckpoints(parts: {
  readonly log: FlowLog;
  readonly store: FlowStore;
  readonly clock: FlowClock;
  readonly checkpointMs?: number;
}): () => Promise<void> {
  const { log, store, clock, checkpointMs = defaultCheckpointMs } = parts;
  let lookedLast = Number.NEGATIVE_INFINITY;

  async function changedSince(since: number): Promise<NotedHead[]> {
    const heads: NotedHead[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.chats.sealedSince(since, pageSize, cursor);
      for (const { id: chatId, auditHead: head } of page.items) {
        if (head !== null && chatId !== flowLogId) heads.push({ chatId, head });
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return heads;
  }

  async function notedLast(seq: number): Promise<ReadonlySet<string>> {
    const events = await log.read(Math.max(0, seq - lookedAt), lookedAt);
    const heads = events.flatMap((event) => (event.type === 'checkpoint' ? event.heads : []));
    return new Set(heads.map(({ head }) => head));
  }

  return async () => {
    const now = await clock.sure();
    if (now - lookedLast < checkpointMs) return;
    const head = await log.head();
    const { checkpointAt } = await log.stateAt(head);
    if (now - checkpointAt < checkpointMs) return;
    lookedLast = now;
    const noted = await notedLast(head?.seq ?? 0);
    const heads = (await changedSince(checkpointAt - overlapMs)).filter((each) => !noted.has(each.head));
    if (heads.length === 0) return;
    await log.append((_state, after) => {
      // Another instance may have been first. Or a chat was erased after its head was read. The head must not
      // be noted after the erasure, so the next sweep reads the heads again.
      if (after === (head?.seq ?? 0))
        return pagesOf(heads).map((page) => ({ type: 'checkpoint', heads: page }));
      lookedLast = Number.NEGATIVE_INFINITY;
      return [];
    });
  };
}

function pagesOf(heads: readonly NotedHead[]): NotedHead[][] {
  return Array.from({ length: Math.ceil(heads.length / pageSize) }, (_, page) =>
    heads.slice(page * pageSize, (page + 1) * pageSize),
  );
}
