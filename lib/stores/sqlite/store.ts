import type { Append, FlowStore } from '../../log/store-port.ts';
import { CountersignError, type Logger, type SessionStore } from '../../protocol/index.ts';
import {
  checkSettings,
  logger as loggerCheck,
  type SettingCheck,
  text,
  timer,
} from '../../protocol/settings.ts';
import { checkAppend } from '../check-append.ts';
import { type Place, pageOf, placedPageOf, readCursor, toCursorKey } from '../cursor.ts';
import { createGroups } from '../groups.ts';
import { exactText } from '../row-text.ts';
import { createWakes } from '../wakes.ts';
import { appendTogether } from './append.ts';
import { checkpoint, emptyLog, openDatabase } from './database.ts';
import {
  hourOf,
  type Row,
  toCallMark,
  toChatId,
  toEvent,
  toGrant,
  toHead,
  toInstance,
  toKeptRecord,
  toQuestion,
  toQuestionChange,
  toUsedGrant,
} from './rows.ts';
import { sqliteSessions } from './sessions.ts';
import { prepareStatements } from './statements.ts';
import { transaction } from './transaction.ts';
import { isTransient } from './transient.ts';
import { whenFree } from './when-free.ts';

/** What `sqliteStore` takes. */
export type SqliteStoreSettings = {
  /** A file, made with its folder when missing; or `:memory:`, gone with the process. */
  readonly path: string;
  /** How long a call waits for a lock that another process holds, in milliseconds; default 5,000. */
  readonly patienceMs?: number;
  /** Hears of subscribers that throw, and of erased text that another process keeps in the write-ahead log. */
  readonly logger?: Logger;
};

const checks = { path: text(), patienceMs: timer(0), logger: loggerCheck } satisfies Record<
  keyof SqliteStoreSettings,
  SettingCheck
>;

/** Places before the first row of an ascending list, and of a descending one. */
const start: Place = { at: Number.MIN_SAFE_INTEGER, row: -1 };
const end: Place = { at: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };

/**
 * The embedded `FlowStore` and `SessionStore`: one SQLite file, through Node's own driver, no server and nothing to build.
 *
 * Calls run on the calling thread: appends that come together are one transaction and one fsync, a read is bounded by
 * its limit.
 * A call waits for another process's lock (`patienceMs`), without blocking the event loop; only opening blocks. Several
 * stores may share a file, and the log stays correct; but `subscribe` hears only of changes made through the same
 * store, so several processes that serve one chat should use Postgres.
 *
 * @throws CountersignError `invalid-settings`; `internal` when the file cannot be used; afterwards every call rejects with
 *   `internal` when the database fails (its own error is the `cause`; `transient` when the file is locked or the disk
 *   full) or the store is closed, and with `invalid-request` for a foreign cursor
 * @source DESIGN, "Rooms"; ADR 0005
 */
export function sqliteStore(settings: SqliteStoreSettings): FlowStore & SessionStore {
  checkSettings('sqliteStore', settings, checks, ['path']);
  const { path, patienceMs, logger } = settings;
  const db = openDatabase(path);
  const statements = prepareStatements(db);
  const wakes = createWakes(logger);
  let closed = false;

  const assertOpen = () => {
    if (closed) throw new CountersignError('internal', 'The store is closed: close it after its last use.');
  };
  const underWay = new Set<Promise<unknown>>();
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    assertOpen();
    const working = work();
    underWay.add(working);
    try {
      return await working;
    } catch (error) {
      if (error instanceof CountersignError) throw error;
      // No path and no text of the driver: what a request throws may reach a client.
      const options = { cause: error, transient: isTransient(error) };
      throw new CountersignError('internal', 'The store failed. Trying again is safe.', {}, options);
    } finally {
      underWay.delete(working);
    }
  };
  const ask = <Result>(work: () => Result): Promise<Result> => told(() => whenFree(work, patienceMs));
  const appends = createGroups(async (batches: readonly Append[]) => {
    const results = await whenFree(() => appendTogether(db, statements, batches, patienceMs), patienceMs);
    // The next group may go on with the same chats.
    await Promise.allSettled(results);
    return results;
  });
  /** Deleted text is legible in the write-ahead log until that is emptied. */
  const forgetDeleted = async () => {
    if (await emptyLog(db, patienceMs)) return;
    logger?.warn(
      'Another process uses the write-ahead log: it may contain deleted text until that ends.',
      {},
    );
  };

  return {
    append: (batch) =>
      told(async () => {
        checkAppend(batch);
        const { chatId, head } = batch;
        const result = await appends.add(batch);
        if (result === 'appended') wakes.wake({ chatId, reason: 'append', seq: head.seq });
        return result;
      }),

    read: (chatId, after, limit = -1) => ask(() => statements.events.all(chatId, after, limit).map(toEvent)),

    head: (chatId) =>
      ask(() => {
        const row = statements.head.get(chatId);
        return row && toHead(row);
      }),

    chats: ({ ownerId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? end : readCursor(cursor);
        const rows = statements.chats.all(exactText(ownerId), hourOf(at), at, row, limit + 1);
        return pageOf(
          rows,
          limit,
          (chat) => ({ ...toHead(chat), openCount: Number(chat.open_count) }),
          (chat) => ({ at: Number(chat.updated_at), row: Number(chat.chat) }),
        );
      }),

    staleChats: (before, limit) =>
      ask(() => statements.staleChats.all(hourOf(before), before, limit).map(toChatId)),

    restingHeads: (since, limit, cursor) =>
      ask(() => {
        const { at, row } = cursor === undefined ? { at: since, row: -1 } : readCursor(cursor);
        const rows = statements.restingHeads.all(hourOf(at), hourOf(at), at, row, since, limit + 1);
        return pageOf(rows, limit, toHead, (chat) => ({
          at: Number(chat.updated_at),
          row: Number(chat.chat),
        }));
      }),

    rename: (chatId, title) =>
      ask(() => {
        statements.rename.run(exactText(title), chatId);
      }),

    reassign: (from, to) =>
      ask(() => {
        const [former, now] = [exactText(from), exactText(to)];
        transaction(db, () => {
          statements.reassignCalls.run(now, former, former);
          statements.reassignQuestions.run(now, former);
          statements.reassignGrants.run(now, former);
          statements.reassignChats.run(now, former);
          return { keep: true };
        });
      }),

    erase: (chatId, by, at, record, seq) =>
      told(async () => {
        const kept = record === undefined ? null : exactText(record);
        const remove = () => {
          statements.keepLastChange.run();
          const keep = statements.eraseChat.run(chatId, seq ?? null).changes > 0;
          if (keep) statements.recordErasure.run(chatId, exactText(by), at, kept);
          return { keep };
        };
        const { keep: erased } = await whenFree(() => transaction(db, remove), patienceMs);
        if (!erased) return;
        wakes.wake({ chatId, reason: 'erase' });
        await forgetDeleted();
      }),

    keptRecords: ({ chatId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? end : readCursor(cursor);
        const rows =
          chatId === undefined
            ? statements.keptRecords.all(at, row, limit + 1)
            : statements.keptRecordsOf.all(chatId, at, row, limit + 1);
        return placedPageOf(rows, limit, toKeptRecord, (record) => ({
          at: Number(record.at),
          row: Number(record.erasure),
        }));
      }),

    dropRecords: (query) =>
      told(async () => {
        const drop = () =>
          'chatId' in query
            ? statements.dropRecordsOf.run(query.chatId)
            : statements.dropRecordsBefore.run(query.before);
        const { changes } = await whenFree(drop, patienceMs);
        if (changes > 0) await forgetDeleted();
        return Number(changes);
      }),

    question: (id) =>
      ask(() => {
        const row = statements.question.get(id);
        return row && toQuestion(row);
      }),

    questions: ({ state, ownerId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? start : readCursor(cursor);
        const rows =
          ownerId === undefined
            ? statements.questionsOfAll.all(state, at, row, limit + 1)
            : statements.questionsOf.all(exactText(ownerId), state, at, row, limit + 1);
        return placedPageOf(rows, limit, toQuestion, (question) => ({
          at: Number(question.requested_at),
          row: Number(question.question),
        }));
      }),

    dueQuestions: (now, limit) => ask(() => statements.dueQuestions.all(now, limit).map(toQuestion)),

    questionChanges: (after, limit) =>
      ask(() => statements.questionChanges.all(after, limit).map(toQuestionChange)),

    lastQuestionChange: () => ask(() => Number(statements.lastChange.get()?.last)),

    recentCalls: ({ digest, chatId, askerId, since, limit }) =>
      ask(() => statements.recentCalls.all(digest, since, chatId, exactText(askerId), limit).map(toCallMark)),

    grants: (keys) =>
      ask(() => {
        const rows: Row[] = [];
        for (let from = 0; from < keys.length; from += 4) {
          const [one = null, two = null, three = null, four = null] = keys.slice(from, from + 4);
          rows.push(...statements.grants.all(one, two, three, four));
        }
        return rows.map(toGrant);
      }),

    grantsOf: ({ personId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? end : readCursor(cursor);
        const rows = statements.grantsOf.all(exactText(personId), at, row, limit + 1);
        return pageOf(rows, limit, toUsedGrant, (grant) => ({
          at: Number(grant.created_at),
          row: Number(grant.number),
        }));
      }),

    revoke: (id, personId) => ask(() => statements.revoke.run(id, exactText(personId)).changes > 0),

    claimLease: (chatId, { owner, until }, now) =>
      ask(() => {
        const held = statements.claimLease.run(owner, until, chatId, owner, now).changes > 0;
        if (held && until <= now) wakes.wake({ chatId, reason: 'release' });
        return held;
      }),

    orphans: (now) => ask(() => statements.orphans.all(now).map(toChatId)),

    requestStop: (chatId, runId) =>
      ask(() => {
        statements.requestStop.run(runId, chatId);
        wakes.wake({ chatId, reason: 'stop' });
      }),

    stopRequested: (chatId, runId) => ask(() => statements.stopRequested.get(chatId, runId) !== undefined),

    announce: ({ id, until, outdated }, now) =>
      ask(() => {
        const self = exactText(id);
        let live: Row[] = [];
        transaction(db, () => {
          statements.announce.run(self, until, JSON.stringify(outdated));
          statements.forgetInstances.run(now, self);
          live = statements.instances.all(now, self);
          return { keep: true };
        });
        return live.map(toInstance);
      }),

    retire: (id) =>
      ask(() => {
        statements.retire.run(exactText(id));
      }),

    cursorKey: () => ask(() => toCursorKey(statements.cursorKey.get())),
    ...sqliteSessions(statements, ask),

    subscribe: (listener) => {
      assertOpen();
      return wakes.subscribe(listener);
    },

    close: async () => {
      if (closed) return;
      await told(async () => {
        closed = true;
        await Promise.allSettled([...underWay]);
        wakes.clear();
        try {
          checkpoint(db);
        } finally {
          db.close();
        }
      });
    },
  };
}
