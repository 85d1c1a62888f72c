import type { DatabaseSync } from 'node:sqlite';
import { CountersignError, type Logger } from '../../protocol/index.ts';
import { createSubscribers, type Subscribers } from '../subscribers.ts';
import { checkpoint, emptyLog, openDatabase } from './database.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { isTransient } from './transient.ts';
import { whenFree } from './when-free.ts';

export type Access = {
  readonly db: DatabaseSync;
  readonly statements: Statements;
  readonly subscribers: Subscribers;
  readonly retryMs?: number;
  /** @throws CountersignError `internal` after `close` */
  assertOpen(): void;
  /** Runs work on the database, and replaces its errors by those of the store. */
  withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same, when no other process holds the lock. */
  ask<Result>(work: () => Result): Promise<Result>;
  /** Deleted text is readable in the write-ahead log until the log is emptied. */
  forgetDeleted(): Promise<void>;
  close(): Promise<void>;
};

/** Opens the file of a store. @throws CountersignError `internal` when the file cannot be used */
export function openAccess(settings: {
  readonly path: string;
  readonly retryMs?: number;
  readonly logger?: Logger;
}): Access {
  const { path, retryMs, logger } = settings;
  const db = openDatabase(path);
  const statements = prepareStatements(db);
  const subscribers = createSubscribers(logger);
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  function assertOpen(): void {
    if (closed) throw new CountersignError('internal', 'The store is closed. Close it after its last use.');
  }

  async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    assertOpen();
    const working = work();
    underWay.add(working);
    try {
      return await working;
    } catch (error) {
      if (CountersignError.is(error)) throw error;
      // Contains no path and no text of the driver, because a request's error may reach a client.
      const options = { cause: error, transient: isTransient(error) };
      throw new CountersignError('internal', 'The store failed. Trying again is safe.', {}, options);
    } finally {
      underWay.delete(working);
    }
  }

  async function forgetDeleted(): Promise<void> {
    if (await emptyLog(db, retryMs)) return;
    logger?.warn(
      'Another process is using the write-ahead log. It may contain deleted text until that process ends.',
      {},
    );
  }

  async function close(): Promise<void> {
    if (closed) return;
    await withStoreErrors(async () => {
      closed = true;
      await Promise.allSettled([...underWay]);
      subscribers.clear();
      try {
        checkpoint(db);
      } finally {
        db.close();
      }
    });
  }

  return {
    ...{ db, statements, subscribers, retryMs, assertOpen, withStoreErrors, forgetDeleted, close },
    ask: (work) => withStoreErrors(() => whenFree(work, retryMs)),
  };
}
