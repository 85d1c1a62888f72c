import type { Client } from 'pg';
import type { StoreChange } from '../../../log/store/index.ts';
import { backoff } from '../../../protocol/clock/backoff.ts';
import { CountersignError, type Logger } from '../../../protocol/index.ts';
import { sleepInRealTime } from '../../backoff.ts';
import type { Row } from '../../rows.ts';
import { toNotification } from '../rows.ts';
import type { Statement, Statements } from '../statements.ts';
import { parseNotificationText } from './notification-text.ts';
import type { ServerTime } from './server-time.ts';
import { codeOf } from './transient.ts';

type ListenerOptions = {
  /** Creates an unopened connection. Notifications arrive on the connection that ran `listen`, so it needs its own. */
  readonly createClient: () => Client;
  readonly statements: Statements;
  readonly channel: string;
  /** Updated with each ping. */
  readonly time: ServerTime;
  readonly onNotification: (change: StoreChange) => void;
  /** Stops listening. */
  readonly signal: AbortSignal;
  readonly logger?: Logger;
};

const pingMs = 10_000;

/**
 * Listens for notifications until the signal aborts, reconnecting after failures. Missed notifications are
 * compensated: the database is queried for the chats that changed in the meantime, and each one is reported.
 *
 * The starting point of that query is a transaction id below which all transactions had ended. Each ping updates it.
 * After a failure the query starts from the value before the last, because notifications since the last one may still
 * be in transit. A chat that is reported twice costs its readers one read.
 *
 * @returns when the first connection is listening; no later change is missed
 * @throws the error of `pg` if the first connection could not be made
 */
export function listen(parts: ListenerOptions): Promise<void> {
  const { createClient, statements, channel, time, onNotification, signal, logger } = parts;
  const listening = Promise.withResolvers<void>();
  let heard: { before: string; last: string } | undefined;

  async function hear(client: Client, alive: AbortSignal, onListening: () => void): Promise<void> {
    const ask = (statement: Statement, values: unknown[] = []) =>
      client.query<Row>({ ...statement, values }).then(({ rows }) => rows);
    const position = async () => {
      let row: Row | undefined;
      await time.look(async () => {
        [row] = await ask(statements.position);
        return Number(row?.now);
      });
      return String(row?.position);
    };

    await client.connect();
    await client.query(`listen "${channel}"`);
    const begin = await position();
    await time.lookOften(async () => Number((await ask(statements.time))[0]?.now));
    if (heard)
      for (const row of await ask(statements.missedSince, [heard.before]))
        onNotification(toNotification(row));
    heard = { before: begin, last: begin };
    onListening();
    while (!alive.aborted) {
      await sleepInRealTime(pingMs, alive);
      if (!alive.aborted) heard = { before: heard.last, last: await position() };
    }
  }

  async function keepHearing(): Promise<void> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      const client = createClient();
      const gone = new AbortController();
      const alive = AbortSignal.any([signal, gone.signal]);
      client.on('notification', ({ payload }) => {
        const change = parseNotificationText(payload);
        if (change) onNotification(change);
      });
      client.on('error', (error) => gone.abort(error));
      client.on('end', () => gone.abort());
      let reason: unknown;
      try {
        await hear(client, alive, () => {
          failures = 1;
          listening.resolve();
        });
        reason = gone.signal.reason;
      } catch (error) {
        reason = error;
      }
      void client.end().catch(() => undefined);
      if (!heard) return listening.reject(reason);
      if (signal.aborted) return;
      logger?.warn('The connection that listens for changes was lost. Reconnecting.', {
        code: codeOf(reason),
      });
      await sleepInRealTime(backoff(failures, 50, 5_000), signal);
    }
    // Closed before it started. After that nothing waits for this promise.
    listening.reject(new CountersignError('internal', 'The store was closed while it was opening.'));
  }

  void keepHearing();
  return listening.promise;
}
