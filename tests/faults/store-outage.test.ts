import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ToolSet, tool } from 'ai';
import { postgresStore, sqliteStore } from 'countersign/store';
import { interceptedStore } from 'countersign/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { flowFixture } from '../support/flow-fixture.ts';
import { setUpOwnPostgres } from '../support/postgres/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-outage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const postgres = setUpOwnPostgres();

/** A call whose end cannot be written at first, and a store that works again after the third attempt. */
async function outage(
  inner: FlowStore,
  fail: () => Promise<void> | void,
  recover: () => Promise<void> | void,
) {
  let attempts = 0;
  const store = interceptedStore(inner, async ({ events }) => {
    if (!events.some(({ type }) => type === 'tool-completed')) return;
    attempts += 1;
    if (attempts === 3) await recover();
  });
  const pay = tool({
    inputSchema: z.object({}),
    execute: async () => {
      await fail();
      return 'paid';
    },
  });
  const { say, events, view } = flowFixture([[{ call: 'pay' }], [{ text: 'Paid.' }]], {
    store,
    tools: { pay } as ToolSet,
    logger: { warn: () => {}, error: () => {} },
  });
  await say('Pay.');
  return { attempts, log: await events(), view: await view() };
}

describe('a call that ends during a store outage keeps its outcome', () => {
  it('on SQLite, while another process holds the lock longer than an append waits', async () => {
    const path = join(folder, 'locked.sqlite');
    const store = sqliteStore({ path, retryMs: 50 });
    const other = new DatabaseSync(path);
    const { attempts, log, view } = await outage(
      store,
      () => other.exec('begin immediate'),
      () => other.exec('rollback'),
    );
    other.close();
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect(log.filter(({ type }) => type === 'tool-completed')).toMatchObject([{ output: 'paid' }]);
    expect(log.at(-1)?.type).toBe('run-completed');
    expect(JSON.stringify(view.messages)).not.toContain('unknown');
    await store.close();
  });

  it('on Postgres, while the server is read-only, like a standby before failover', async () => {
    const { connectionString, newSchema, query } = postgres();
    const store = postgresStore({ connectionString, schema: newSchema(), retryMs: 50 });
    const readOnly = async (value: 'on' | 'off') => {
      await query(`alter system set default_transaction_read_only = ${value}`);
      await query('select pg_reload_conf()');
      await expect
        .poll(
          async () =>
            (
              await query<{ value: string }>(
                "select current_setting('default_transaction_read_only') as value",
              )
            )[0]?.value,
        )
        .toBe(value);
    };
    const { attempts, log, view } = await outage(
      store,
      () => readOnly('on'),
      () => readOnly('off'),
    );
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect(log.filter(({ type }) => type === 'tool-completed')).toMatchObject([{ output: 'paid' }]);
    expect(log.at(-1)?.type).toBe('run-completed');
    expect(JSON.stringify(view.messages)).not.toContain('unknown');
    await store.close();
  });
});
