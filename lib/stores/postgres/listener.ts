import type { Client } from 'pg';
import type { Wake } from '../../log/store-port.ts';
import { CountersignError, type Logger } from '../../protocol/index.ts';
import { pause } from '../backoff.ts';
import { type Row, toWake } from './rows.ts';
import type { ServerTime } from './server-time.ts';
import type { Statement, Statements } from './statements.ts';
import { codeOf } from './transient.ts';
import { parseWakeText } from './wake-text.ts';

type ListenerOptions = {
  /** A connection of its own, not yet opened: notifications arrive where `listen` was said. */
  readonly createClient: () => Client;
  readonly statements: Statements;
  readonly channel: string;
  /** Looks at the server's clock with each ping. */
  readonly time: ServerTime;
  readonly onWake: (wake: Wake) => void;
  /** Ends the listening. */
  readonly signal: AbortSignal;
  readonly logger?: Logger;
};

const pingMs = 10_000;
const firstPauseMs = 50;
const longestPauseMs = 5_000;

/**
 * Listens for wakes until the signal, through broken connections. What was notified while none stood is made up
 * for: the database is asked which chats changed since, and each is told.
 *
 * "Since" is a transaction id: every change below it had ended when it was asked for. Each ping asks anew, and
 * what a break goes back to is the answer before the last, since notifications of the last may still be under
 * way. A chat that is told once too often costs its readers one read.
 *
 * @returns once the first connection listens: from then on no change goes untold
 * @throws what `pg` threw when the first connection could not be made
 */
export function listen({
  createClient,
  statements,
  channel,
  time,
  onWake,
  signal,
  logger,
}: ListenerOptions): Promise<void> {
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
    if (heard) for (const row of await ask(statements.missedSince, [heard.before])) onWake(toWake(row));
    heard = { before: begin, last: begin };
    onListening();
    while (!alive.aborted) {
      await pause(pingMs, alive);
      if (!alive.aborted) heard = { before: heard.last, last: await position() };
    }
  }

  async function keepHearing(): Promise<void> {
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const client = createClient();
      const gone = new AbortController();
      const alive = AbortSignal.any([signal, gone.signal]);
      client.on('notification', ({ payload }) => {
        const wake = parseWakeText(payload);
        if (wake) onWake(wake);
      });
      client.on('error', (error) => gone.abort(error));
      client.on('end', () => gone.abort());
      let reason: unknown;
      try {
        await hear(client, alive, () => {
          pauseMs = firstPauseMs;
          listening.resolve();
        });
        reason = gone.signal.reason;
      } catch (error) {
        reason = error;
      }
      void client.end().catch(() => undefined);
      if (!heard) return listening.reject(reason);
      if (signal.aborted) return;
      logger?.warn('The connection that listens for changes was lost; connecting again.', {
        code: codeOf(reason),
      });
      await pause(pauseMs, signal);
    }
    // Closed before it had begun; afterwards nobody waits for it.
    listening.reject(new CountersignError('internal', 'The store was closed while it opened.'));
  }

  void keepHearing();
  return listening.promise;
}
