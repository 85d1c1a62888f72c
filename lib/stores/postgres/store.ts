import type { Append, FlowStore } from '../../log/store-port.ts';
import { type ChatId, CountersignError, type Logger, type SessionStore } from '../../protocol/index.ts';
import {
  checkSettings,
  logger as loggerCheck,
  type SettingCheck,
  text,
  timer,
  wholeNumber,
} from '../../protocol/settings.ts';
import { checkAppend } from '../check-append.ts';
import { type Place, pageOf, placedPageOf, readCursor, toCursorKey } from '../cursor.ts';
import { createGroups } from '../groups.ts';
import { exactText } from '../row-text.ts';
import { createWakes } from '../wakes.ts';
import { checkSchema, describeAddress } from './address.ts';
import { appendTogether } from './append.ts';
import type { Connections } from './connections.ts';
import { openDatabase } from './database.ts';
import { patiently } from './patience.ts';
import {
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
import { createServerTime } from './server-time.ts';
import { postgresSessions } from './sessions.ts';
import { type Statement, statementsFor } from './statements.ts';
import { isTransient } from './transient.ts';
import { wakeText } from './wake-text.ts';

/** What `postgresStore` takes. */
export type PostgresStoreSettings = {
  /** `postgres://user:password@host:5432/database`, to the server itself: `LISTEN` does not pass a transaction pooler. */
  readonly connectionString: string;
  /** Everything is kept in this schema, made when missing; default `countersign`. */
  readonly schema?: string;
  /** Connections for queries, besides the one that listens; default 10. */
  readonly maxConnections?: number;
  /** How long a call tries again while Postgres cannot be reached, in milliseconds; default 10,000. */
  readonly patienceMs?: number;
  /** Hears of subscribers that throw and of connections that break. */
  readonly logger?: Logger;
};

const checks = {
  connectionString: text(),
  schema: text(0),
  maxConnections: wholeNumber(1),
  patienceMs: timer(0),
  logger: loggerCheck,
} satisfies Record<keyof PostgresStoreSettings, SettingCheck>;

/** Places before the first row of an ascending list, and of a descending one. */
const start: Place = { at: Number.MIN_SAFE_INTEGER, row: -1 };
const end: Place = { at: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };

/**
 * The `FlowStore` and `SessionStore` for any number of instances: one Postgres (13 or newer), through the package `pg`.
 *
 * Nothing is connected until the first call, which also brings the schema up to date. Appends that come together are
 * one statement and one round trip; `subscribe` hears what every instance changes. A call during a restart of the
 * server waits for it, and an append whose acknowledgement was lost is looked up, not guessed. Listening keeps the process
 * alive until `close`.
 *
 * @throws CountersignError `invalid-settings` for settings that cannot be meant; the first call rejects with `internal`
 *   when the database cannot be used, and the next one tries anew. Afterwards calls reject with `internal` when the
 *   database fails (its own error is the `cause`; `transient` when it may pass) or the store is closed, and with `invalid-request` for a foreign cursor
 * @source DESIGN, "Rooms"; ADR 0009
 */
export function postgresStore(settings: PostgresStoreSettings): FlowStore & SessionStore {
  checkSettings('postgresStore', settings, checks, ['connectionString']);
  const { connectionString, maxConnections = 10, patienceMs = 10_000, logger } = settings;
  const schema = checkSchema(settings.schema ?? 'countersign');
  describeAddress(connectionString);
  const statements = statementsFor(schema);
  const wakes = createWakes(logger);
  const time = createServerTime();
  const closing = new AbortController();
  const patience = { ms: patienceMs, signal: closing.signal };
  const channel = `${schema}.wakes`;
  let opening: Promise<Connections> | undefined;
  let closed: Promise<void> | undefined;

  const open = () => {
    opening ??= openDatabase({
      ...{ connectionString, schema, maxConnections, statements, channel, patience, time, logger },
      onWake: wakes.wake,
    });
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  const assertOpen = () => {
    if (closed) throw new CountersignError('internal', 'The store is closed: close it after its last use.');
  };
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    assertOpen();
    try {
      return await work();
    } catch (error) {
      if (error instanceof CountersignError) throw error;
      // No address and no text of the server: what a request throws may reach a client.
      const options = { cause: error, transient: !closed && isTransient(error) };
      throw new CountersignError('internal', 'The store failed. Trying again is safe.', {}, options);
    }
  };
  const query = async (statement: Statement, ...values: readonly unknown[]): Promise<Row[]> => {
    const connections = await open();
    return patiently(patience, () => connections.query(statement, values));
  };
  const ask = (...asked: Parameters<typeof query>): Promise<Row[]> => told(() => query(...asked));
  const appends = createGroups(
    async (batches: readonly Append[]) =>
      appendTogether({ connections: await open(), statements, patience, channel }, batches),
    ({ chatId }) => chatId,
  );
  const heads = createGroups(async (chatIds: readonly ChatId[]) => {
    const found = new Map(
      (await query(statements.heads, chatIds)).map((row) => [toChatId(row), toHead(row)]),
    );
    return chatIds.map((chatId) => found.get(chatId));
  });
  const grants = createGroups(async (keys: readonly (readonly string[])[]) => {
    const found = (await query(statements.grants, keys.flat())).map(toGrant);
    return keys.map((each) => found.filter(({ key }) => each.includes(key)));
  });
  const repeats = createGroups(async (asked: readonly Parameters<FlowStore['recentCalls']>[0][]) => {
    const columns = [
      asked.map(({ chatId }) => chatId),
      asked.map(({ digest }) => digest),
      asked.map(({ since }) => since),
      asked.map(({ askerId }) => exactText(askerId)),
      asked.map(({ limit }) => limit),
    ];
    const rows = await query(statements.recentCalls, ...columns);
    return asked.map((_, index) =>
      rows
        .filter(({ nth }) => Number(nth) === index + 1)
        .map(toCallMark)
        .sort((a, b) => b.at - a.at),
    );
  });
  const registry = postgresSessions(statements, { query, ask, told });
  const first = async <Result>(rows: Promise<Row[]>, parse: (row: Row) => Result) => {
    const [row] = await rows;
    return row && parse(row);
  };

  return {
    clock: {
      now: time.now,
      measure: () =>
        told(async () => {
          const connections = await open();
          const askTime = async () => Number((await connections.query(statements.time, []))[0]?.now);
          await patiently(patience, () => time.measure(askTime));
        }),
    },

    append: (batch) =>
      told(async () => {
        checkAppend(batch);
        return appends.add(batch);
      }),

    read: async (chatId, after, limit) =>
      (await ask(statements.events, chatId, after, limit ?? null)).map(toEvent),

    head: (chatId) => told(() => heads.add(chatId)),

    chats: async ({ ownerId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? end : readCursor(cursor);
      return pageOf(
        await ask(statements.chats, exactText(ownerId), at, row, limit + 1),
        limit,
        (chat) => ({ ...toHead(chat), openCount: Number(chat.open_count) }),
        (chat) => ({ at: Number(chat.updated_at), row: Number(chat.chat) }),
      );
    },

    staleChats: async (before, limit) => (await ask(statements.staleChats, before, limit)).map(toChatId),

    restingHeads: async (since, limit, cursor) => {
      const { at, row } = cursor === undefined ? start : readCursor(cursor);
      return pageOf(await ask(statements.restingHeads, since, at, row, limit + 1), limit, toHead, (chat) => ({
        at: Number(chat.updated_at),
        row: Number(chat.chat),
      }));
    },

    rename: async (chatId, title) => {
      await ask(statements.rename, chatId, exactText(title));
    },

    reassign: async (from, to) => {
      const { reassignCalls, reassignQuestions, reassignGrants, reassignChats } = statements;
      // One after the other: a statement that holds rows of several tables could stand in an append's way.
      for (const statement of [reassignCalls, reassignQuestions, reassignGrants, reassignChats]) {
        await ask(statement, exactText(from), exactText(to));
      }
    },

    erase: async (chatId, by, at, record, seq) => {
      const wake = wakeText({ chatId, reason: 'erase' });
      const kept = record === undefined ? null : exactText(record);
      await ask(statements.erase, chatId, exactText(by), at, kept, channel, wake, seq ?? null);
    },

    keptRecords: async ({ chatId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? end : readCursor(cursor);
      const rows =
        chatId === undefined
          ? ask(statements.keptRecords, at, row, limit + 1)
          : ask(statements.keptRecordsOf, chatId, at, row, limit + 1);
      return placedPageOf(await rows, limit, toKeptRecord, (record) => ({
        at: Number(record.at),
        row: Number(record.erasure),
      }));
    },

    dropRecords: async (query) => {
      const dropped =
        'chatId' in query
          ? ask(statements.dropRecordsOf, query.chatId)
          : ask(statements.dropRecordsBefore, query.before);
      return (await dropped).length;
    },

    question: (id) => first(ask(statements.question, exactText(id)), toQuestion),

    questions: async ({ state, ownerId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? start : readCursor(cursor);
      const rows =
        ownerId === undefined
          ? ask(statements.questionsOfAll, state, at, row, limit + 1)
          : ask(statements.questionsOf, exactText(ownerId), state, at, row, limit + 1);
      return placedPageOf(await rows, limit, toQuestion, (question) => ({
        at: Number(question.requested_at),
        row: Number(question.question),
      }));
    },

    dueQuestions: async (now, limit) => (await ask(statements.dueQuestions, now, limit)).map(toQuestion),

    questionChanges: async (after, limit) =>
      (await ask(statements.questionChanges, after, limit)).map(toQuestionChange),

    lastQuestionChange: async () => Number((await ask(statements.lastChange))[0]?.last),

    recentCalls: (asked) => told(() => repeats.add(asked)),

    grants: (keys) => told(() => grants.add(keys)),

    grantsOf: async ({ personId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? end : readCursor(cursor);
      return pageOf(
        await ask(statements.grantsOf, exactText(personId), at, row, limit + 1),
        limit,
        toUsedGrant,
        (grant) => ({ at: Number(grant.created_at), row: Number(grant.number) }),
      );
    },

    revoke: async (id, personId) =>
      (await ask(statements.revoke, exactText(id), exactText(personId))).length > 0,

    claimLease: async (chatId, { owner, until }, now) =>
      (
        await ask(
          statements.claimLease,
          chatId,
          exactText(owner),
          until,
          now,
          channel,
          wakeText({ chatId, reason: 'release' }),
        )
      ).length > 0,

    orphans: async (now) => (await ask(statements.orphans, now)).map(toChatId),

    requestStop: async (chatId, runId) => {
      await ask(statements.requestStop, chatId, runId, channel, wakeText({ chatId, reason: 'stop' }));
    },

    stopRequested: async (chatId, runId) => (await ask(statements.stopRequested, chatId, runId)).length > 0,

    announce: async ({ id, until, outdated }, now) =>
      (await ask(statements.announce, exactText(id), until, JSON.stringify(outdated), now)).map(toInstance),

    retire: async (id) => {
      await ask(statements.retire, exactText(id));
    },

    cursorKey: async () => toCursorKey((await ask(statements.cursorKey))[0]),
    ...registry.sessions,

    subscribe: (listener) => {
      assertOpen();
      return wakes.subscribe(listener);
    },

    close: () => {
      closed ??= (async () => {
        wakes.clear();
        closing.abort();
        await Promise.all([appends.idle(), heads.idle(), grants.idle(), repeats.idle(), registry.idle()]);
        const connections = await opening?.catch(() => undefined);
        await connections?.close();
      })();
      return closed;
    },
  };
}
