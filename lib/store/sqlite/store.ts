import { type Append, CountersignError, type FlowStore, type Logger } from '../../vocabulary/index.ts';
import { checkAppend } from '../check-append.ts';
import { type Place, pageOf, readCursor } from '../cursor.ts';
import { createGroups } from '../groups.ts';
import { exactText } from '../row-text.ts';
import { createWakes } from '../wakes.ts';
import { appendTogether } from './append.ts';
import { checkpoint, openDatabase } from './database.ts';
import {
  hourOf,
  type Row,
  toChatId,
  toEvent,
  toGrant,
  toHead,
  toQuestion,
  toQuestionChange,
  toUsedGrant,
} from './rows.ts';
import { prepareStatements } from './statements.ts';
import { transaction } from './transaction.ts';

/** What `sqliteStore` takes. */
export type SqliteStoreSettings = {
  /** A file, made with its folder when missing; or `:memory:`, gone with the process. */
  readonly path: string;
  /** Hears of subscribers that throw. */
  readonly logger?: Logger;
};

/** Places before the first row of an ascending list, and of a descending one. */
const start: Place = { at: Number.MIN_SAFE_INTEGER, row: -1 };
const end: Place = { at: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };

/**
 * The embedded `FlowStore`: one SQLite file, through Node's own driver, no server and nothing to build.
 *
 * Calls run on the calling thread: appends that come together are one transaction and one fsync, a read is bounded by
 * its limit.
 * A write waits up to 5 s for another process's write. Several stores may share a file, and the log stays
 * correct; but `subscribe` hears only of changes made through the same store, so several processes that serve
 * one chat should use Postgres.
 *
 * @throws CountersignError `internal` when the file cannot be used; afterwards every call rejects with
 *   `internal` when the database fails (its own error is the `cause`) or the store is closed, and with `invalid-request` for a foreign cursor
 * @source DESIGN, "Rooms"; ADR 0005
 */
export function sqliteStore({ path, logger }: SqliteStoreSettings): FlowStore {
  const db = openDatabase(path);
  const statements = prepareStatements(db);
  const wakes = createWakes(logger);
  let closed = false;

  const assertOpen = () => {
    if (closed) throw new CountersignError('internal', 'The store is closed: close it after its last use.');
  };
  const ask = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    assertOpen();
    try {
      return await work();
    } catch (error) {
      if (error instanceof CountersignError) throw error;
      // No path and no text of the driver: what a request throws may reach a client.
      throw new CountersignError('internal', 'The store failed. Trying again is safe.', {}, { cause: error });
    }
  };
  const appends = createGroups(async (batches: readonly Append[]) => appendTogether(db, statements, batches));

  return {
    append: (batch) =>
      ask(async () => {
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

    rename: (chatId, title) =>
      ask(() => {
        statements.rename.run(exactText(title), chatId);
      }),

    erase: (chatId, by, at) =>
      ask(() => {
        const { keep: erased } = transaction(db, () => {
          statements.keepLastChange.run();
          const keep = statements.eraseChat.run(chatId).changes > 0;
          if (keep) statements.recordErasure.run(chatId, exactText(by), at);
          return { keep };
        });
        if (!erased) return;
        wakes.wake({ chatId, reason: 'erase' });
        // What was erased is still legible in the write-ahead log.
        checkpoint(db);
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
        return pageOf(rows, limit, toQuestion, (question) => ({
          at: Number(question.requested_at),
          row: Number(question.question),
        }));
      }),

    dueQuestions: (now, limit) => ask(() => statements.dueQuestions.all(now, limit).map(toQuestion)),

    questionChanges: (after, limit) =>
      ask(() => statements.questionChanges.all(after, limit).map(toQuestionChange)),

    lastQuestionChange: () => ask(() => Number(statements.lastChange.get()?.last)),

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

    subscribe: (listener) => {
      assertOpen();
      return wakes.subscribe(listener);
    },

    close: async () => {
      if (closed) return;
      await ask(async () => {
        closed = true;
        await appends.idle();
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
