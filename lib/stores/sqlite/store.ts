import type { FlowStore } from '../../log/store/index.ts';
import type { Logger, SessionStore } from '../../protocol/index.ts';
import {
  checkSettings,
  logger as loggerCheck,
  type SettingCheck,
  text,
  timer,
} from '../../protocol/settings.ts';
import { checkAppend } from '../check-append.ts';
import { toCursorKey } from '../cursor.ts';
import { createGroups } from '../groups.ts';
import { eventBody } from '../row-text.ts';
import { type Access, openAccess } from './access.ts';
import { appendTogether, type PreparedAppend } from './append.ts';
import { sqliteChats } from './methods/chats.ts';
import { sqliteErasures } from './methods/erasures.ts';
import { sqliteQuestions } from './methods/questions.ts';
import { sqliteRecords } from './methods/records.ts';
import { sqliteResults } from './methods/results.ts';
import { sqliteRuns } from './methods/runs.ts';
import { sqliteSessions } from './methods/sessions.ts';
import { sqliteSubscriptions } from './methods/subscriptions.ts';
import { whenFree } from './when-free.ts';

/** The settings of `sqliteStore`. */
export type SqliteStoreSettings = {
  /** A file, created with its folder if it does not exist; or `:memory:` for a database that ends with the process. */
  readonly path: string;
  /** How long a call waits for a lock of another process, in milliseconds. Default 5,000. */
  readonly retryMs?: number;
  /** Receives the errors of subscribers, and a warning when another process keeps erased text in the write-ahead log. */
  readonly logger?: Logger;
};

const checks = {
  path: text(),
  retryMs: timer(0),
  logger: loggerCheck,
} satisfies Record<keyof SqliteStoreSettings, SettingCheck>;

/**
 * The embedded `FlowStore`, with the registry of `sessions`: one SQLite file, through Node's built-in driver. No server, nothing to
 * compile.
 *
 * Calls run on the calling thread. Concurrent appends share one transaction and one fsync, and the limit bounds the
 * duration of a read. A call waits for another process's lock (`retryMs`) without blocking the event loop; only
 * opening blocks. Several stores may use one file, and the log stays correct. But `subscribe` only reports changes
 * made through the same store, so several processes that serve one chat should use Postgres.
 *
 * @throws CountersignError `invalid-settings`; `internal` when the file cannot be used. Later calls reject with
 * `internal` when the database fails (its error is the `cause`; `transient` when the file is locked or the disk is
 * full) or the store is closed, and with `invalid-request` for an invalid cursor.
 * @source ADR 0005
 */
export function sqliteStore(settings: SqliteStoreSettings): FlowStore & { readonly sessions: SessionStore } {
  checkSettings('sqliteStore', settings, checks, ['path']);
  const access = openAccess(settings);
  const { statements, subscribers, ask, assertOpen, close } = access;
  return {
    append: appending(access),
    ...sqliteChats(access),
    ...sqliteQuestions(access),
    ...sqliteRuns(access),
    results: sqliteResults(access),
    records: sqliteRecords(access),
    erasures: sqliteErasures(access),
    sessions: sqliteSessions(access),
    subscriptions: sqliteSubscriptions(access),
    cursorKey: () => ask(() => toCursorKey(statements.cursorKey.get())),
    subscribe(listener) {
      assertOpen();
      return subscribers.subscribe(listener);
    },
    close,
  };
}

/** Concurrent appends share a transaction. Subscribers are notified after it. */
function appending({ db, statements, subscribers, retryMs, withStoreErrors }: Access): FlowStore['append'] {
  const appends = createGroups(async (batches: readonly PreparedAppend[]) => {
    const results = await whenFree(() => appendTogether(db, statements, batches, retryMs), retryMs);
    // The next group may contain the same chats.
    await Promise.allSettled(results);
    return results;
  });
  return (batch) =>
    withStoreErrors(async () => {
      checkAppend(batch);
      const { chatId, head } = batch;
      const result = await appends.add({ ...batch, bodies: batch.events.map(eventBody) });
      if (result === 'appended') subscribers.notify({ chatId, reason: 'append', seq: head.seq });
      return result;
    });
}
