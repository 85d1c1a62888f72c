import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from 'countersign/store';
import { parseChatId } from '../../lib/protocol/index.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { startWorker } from './support/worker-process.ts';

/** A write that waits for another process's lock: how long it took, and how long no timer fired meanwhile. */
export type LockWait = {
  readonly who: 'Countersign, SQLite' | 'node:sqlite with a busy timeout';
  readonly heldMs: number;
  readonly writtenAfterMs: number;
  readonly longestStallMs: number;
};

/** The timer whose delay is the stall. */
const tickMs = 5;

/** @param heldMs how long the other process holds the write lock */
export async function lockWait(heldMs: number): Promise<LockWait[]> {
  const path = join(temporaryFolder(), 'locked.sqlite');
  const store = sqliteStore({ path });
  const bare = new DatabaseSync(path);
  bare.exec('pragma busy_timeout = 60000; create table bare (n integer)');
  const writes: readonly [LockWait['who'], () => unknown][] = [
    ['Countersign, SQLite', () => store.chats.rename(parseChatId('chat'), 'A title')],
    ['node:sqlite with a busy timeout', () => bare.exec('insert into bare values (1)')],
  ];
  const rows: LockWait[] = [];
  for (const [who, write] of writes) rows.push({ who, heldMs, ...(await waitOnce(path, heldMs, write)) });
  await store.close();
  bare.close();
  return rows;
}

async function waitOnce(path: string, heldMs: number, write: () => unknown) {
  const holder = startWorker('workers/lock-holder.ts');
  await holder.ask('hold', path, heldMs);
  let last = performance.now();
  let longest = 0;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - tickMs);
    last = now;
  };
  const timer = setInterval(tick, tickMs);
  const start = performance.now();
  await write();
  const writtenAfterMs = Math.round(performance.now() - start);
  // The timer that was due while the write blocked fires now.
  await new Promise((resolve) => setTimeout(resolve, 2 * tickMs));
  clearInterval(timer);
  await holder.ask('close');
  await holder.stop();
  return { writtenAfterMs, longestStallMs: Math.round(longest) };
}
