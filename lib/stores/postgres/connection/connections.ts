import type { PoolClient } from 'pg';
import type { Logger } from '../../../protocol/index.ts';
import type { Row } from '../../rows.ts';
import type { Statement } from '../statements.ts';
import { connectionConfig, type Driver } from './driver.ts';
import { codeOf, isAnswer } from './transient.ts';

export type Connections = {
  /** Runs one statement in its own transaction. The statement is prepared once per connection. */
  query(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Lends a connection for several statements. If `work` throws, the connection is discarded. */
  use<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result>;
  /** Waits for work in progress. */
  close(): Promise<void>;
};

/**
 * - `synchronous_commit`: a server configured to acknowledge before it writes would lose the last `tool-started` in a
 *   power failure.
 * - `plan_cache_mode`: every statement finds its rows by an index for any parameters. Planning each execution would
 *   cost more than running it.
 * - `enable_seqscan`, `enable_bitmapscan`, `enable_sort`: a plan that was made while a table was nearly empty would read the
 *   whole table until autovacuum counts its rows.
 * - `jit`: a plan that must sort gets a high cost from these settings, which would start a compilation.
 */
export const connectionSettings = `select set_config('plan_cache_mode', 'force_generic_plan', false),
  case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end,
  set_config(name, 'off', false) from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'jit']) as name`;

/** Opens connections on demand, at most `max`, and replaces broken ones. */
export function createConnections(
  driver: Driver,
  { connectionString, max, logger }: { connectionString: string; max: number; logger?: Logger },
): Connections {
  const pool = new driver.Pool({
    ...connectionConfig(driver, connectionString),
    max,
    onConnect: (client) => client.query(connectionSettings),
  });
  pool.on('error', (error) => {
    logger?.warn('An idle connection to Postgres was lost; another is opened when needed.', {
      code: codeOf(error),
    });
  });
  // The pool does not listen for errors while a connection is lent, and an unhandled error event ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));

  const underWay = new Set<Promise<unknown>>();
  /** The pool drops callers that wait for a connection when it ends. So it is ended when none waits. */
  function track<Result>(work: Promise<Result>): Promise<Result> {
    const end = () => underWay.delete(work);
    underWay.add(work);
    work.then(end, end);
    return work;
  }

  async function lend<Result>(
    work: (client: PoolClient) => Promise<Result>,
    usableAfter: (error: unknown) => boolean,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken = !usableAfter(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    query: (statement, values) =>
      track(
        lend(
          async (client) => (await client.query<Row>({ ...statement, values: [...values] })).rows,
          isAnswer,
        ),
      ),
    use: (work) => track(lend(work, () => false)),
    close: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await pool.end();
    },
  };
}
