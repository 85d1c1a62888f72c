import type { FlowStore, StoreClock } from '../../log/store/index.ts';
import type { Logger, SessionStore } from '../../protocol/index.ts';
import {
  checkSettings,
  logger as loggerCheck,
  type SettingCheck,
  text,
  timer,
  wholeNumber,
} from '../../protocol/settings.ts';
import { checkAppend } from '../check-append.ts';
import { toCursorKey } from '../cursor.ts';
import { createGroups } from '../groups.ts';
import { type Access, createAccess } from './access.ts';
import { appendTogether } from './append/append.ts';
import type { AskedAppend } from './append/append-rows.ts';
import { checkSchema, describeAddress } from './connection/address.ts';
import { withRetry } from './connection/retry.ts';
import { postgresChats } from './methods/chats.ts';
import { postgresErasures } from './methods/erasures.ts';
import { postgresQuestions } from './methods/questions.ts';
import { postgresRecords } from './methods/records.ts';
import { postgresResults } from './methods/results.ts';
import { postgresRuns } from './methods/runs.ts';
import { postgresSessions } from './methods/sessions.ts';
import { postgresSubscriptions } from './methods/subscriptions.ts';

/** The settings of `postgresStore`. */
export type PostgresStoreSettings = {
  /**
   * `postgres://user:password@host:5432/database`. Connect to the server itself: `LISTEN` does not work through a
   * transaction pooler.
   */
  readonly connectionString: string;
  /** The schema for all tables, created if it does not exist. Default `countersign`. */
  readonly schema?: string;
  /** Connections for queries, in addition to the one that listens. Default 10. */
  readonly maxConnections?: number;
  /** How long a call is retried while Postgres is unreachable, in milliseconds. Default 10,000. */
  readonly retryMs?: number;
  /** Receives the errors of subscribers and of broken connections. */
  readonly logger?: Logger;
};

const checks = {
  connectionString: text(),
  schema: text(0),
  maxConnections: wholeNumber(1),
  retryMs: timer(0),
  logger: loggerCheck,
} satisfies Record<keyof PostgresStoreSettings, SettingCheck>;

/**
 * A `FlowStore`, with the registry of `sessions`, for any number of instances: one Postgres database (13 or newer), through the
 * package `pg`.
 *
 * Connects with the first call, which also migrates the schema. Concurrent appends share one statement and one round
 * trip. `subscribe` reports the changes of every instance. A call made during a restart of the server waits for it.
 * After a lost acknowledgement the append is looked up in the log. The listening connection keeps the process alive
 * until `close`.
 *
 * @throws CountersignError `invalid-settings` for invalid settings. The first call rejects with `internal` when the
 * database cannot be used, and the next call tries again. Later calls reject with `internal` when the database fails
 * (its error is the `cause`; `transient` if a retry may succeed) or the store is closed, and with `invalid-request`
 * for an invalid cursor.
 * @source ADR 0009
 */
export function postgresStore(
  settings: PostgresStoreSettings,
): FlowStore & { readonly sessions: SessionStore } {
  checkSettings('postgresStore', settings, checks, ['connectionString']);
  const { connectionString, maxConnections = 10, retryMs = 10_000, logger } = settings;
  const schema = checkSchema(settings.schema ?? 'countersign');
  describeAddress(connectionString);
  const access = createAccess({ connectionString, schema, maxConnections, retryMs, logger });
  const { statements, subscribers, ask, assertOpen, withStoreErrors } = access;
  const appends = createGroups(
    async (asked: readonly AskedAppend[]) =>
      appendTogether({ ...access, connections: await access.open() }, asked),
    ({ batch }) => batch.chatId,
  );
  const { idle: chatsIdle, ...chats } = postgresChats(access);
  const { idle: questionsIdle, ...questions } = postgresQuestions(access);
  const { idle: recordsIdle, ...records } = postgresRecords(access);
  const { idle: runsIdle, ...runs } = postgresRuns(access);
  const { idle: sessionsIdle, ...sessions } = postgresSessions(access);
  const allIdle = [appends.idle, chatsIdle, questionsIdle, recordsIdle, runsIdle, sessionsIdle];

  return {
    clock: clockOf(access),
    append: (batch) =>
      withStoreErrors(async () => {
        checkAppend(batch);
        return appends.add({ batch, askedAt: performance.now() });
      }),
    ...chats,
    ...questions,
    ...runs,
    ...records,
    ...sessions,
    results: postgresResults(access),
    erasures: postgresErasures(access),
    subscriptions: postgresSubscriptions(access),
    cursorKey: async () => toCursorKey((await ask(statements.cursorKey))[0]),
    subscribe(listener) {
      assertOpen();
      return subscribers.subscribe(listener);
    },
    close: () => access.close(() => Promise.all(allIdle.map((idle) => idle()))),
  };
}

function clockOf({ time, statements, retryLimit, open, withStoreErrors }: Access): StoreClock {
  return {
    now: time.now,
    measure: () =>
      withStoreErrors(async () => {
        const connections = await open();
        const askTime = async () => Number((await connections.query(statements.time, []))[0]?.now);
        await withRetry(retryLimit, () => time.measure(askTime));
      }),
  };
}
