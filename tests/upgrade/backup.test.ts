import type { ToolExecutionOptions, ToolSet } from 'ai';
import { verifyAudit } from 'countersign/audit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { auditKey, fixtureTools } from './fixture-flow.ts';
import { ownerOf } from './support/chats.ts';
import { fixtureRows } from './support/restored.ts';
import { answerAll, type Page, todaysFlow, untilAtRest } from './support/todays-flow.ts';

const postgres = setUpPostgres();
const rows = storesOfThisRun(fixtureRows(postgres), 'Postgres');
const keyed = z.object({ idempotencyKey: z.string().min(40) });

/** A payment service that pays once per key, regardless of repetitions. */
function paymentService() {
  const requests: string[] = [];
  const tools = Object.fromEntries(
    Object.entries(fixtureTools().tools).map(([name, tool]) => {
      const { execute } = tool;
      if (!execute) return [name, tool];
      const pay = (input: never, options: ToolExecutionOptions<never>) => {
        requests.push(keyed.parse(options.context).idempotencyKey);
        return execute(input, options);
      };
      return [name, { ...tool, execute: pay }];
    }),
  );
  return { tools: tools as ToolSet, requests, payments: () => new Set(requests).size };
}

describe.each(rows)('%s: a restored backup', (_name, restore) => {
  /** Does the same on the database and then, as after data loss, on the restored backup. */
  async function twice(act: (flow: ReturnType<typeof todaysFlow>) => Promise<unknown>) {
    const service = paymentService();
    for (const store of [await restore(), await restore()])
      await act(todaysFlow(store, { tools: service.tools }));
    return service;
  }
  const page = (flow: ReturnType<typeof todaysFlow>, id: string): Page => flow.chat(id, ownerOf(id));

  it('asks an open question again, and its call runs again under the same key', async () => {
    const service = await twice((flow) => answerAll(page(flow, 'open'), true));
    expect(service.requests).toHaveLength(2);
    expect(service.payments()).toBe(1);
  });

  it('gives each call of a model step its own key, different in each chat', async () => {
    const service = await twice(async (flow) => {
      await answerAll(page(flow, 'two'), true);
      await answerAll(page(flow, 'open'), true);
    });
    expect(service.requests).toHaveLength(6);
    expect(service.payments()).toBe(3);
  });

  it('runs an interrupted idempotent call again under its key, and no other call', async () => {
    const service = await twice(async (flow) => {
      await flow.flow.recover();
      for (const id of ['crashed', 'crashed-idempotent', 'crashed-provider'])
        await untilAtRest(page(flow, id));
    });
    expect(service.requests).toHaveLength(2);
    expect(service.payments()).toBe(1);
  });

  it('cannot protect a call that is missing from the backup: the model makes a new one', async () => {
    let attempt = 0;
    const service = await twice(async (flow) => {
      attempt += 1;
      for (let said = 0; said < attempt; said += 1) await page(flow, 'ended').say('Hello.');
      await page(flow, 'ended').say('pay {"to":"alice","amount":60}');
      await answerAll(page(flow, 'ended'), true);
    });
    expect(service.requests).toHaveLength(2);
    expect(service.payments()).toBe(2);
  });

  it('has records that do not reach the heads saved after it', async () => {
    const after = todaysFlow(await restore());
    await answerAll(page(after, 'open'), true);
    const request = { chatId: page(after, 'open').id, principal: ownerOf('open') };
    const { head: notedHead } = await after.flow.audit.read(request);

    const { entries, head } = await todaysFlow(await restore()).flow.audit.read(request);
    expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
    expect(verifyAudit(entries, { key: auditKey, head, notedHead })).toMatchObject({
      message: expect.stringContaining('does not reach the noted head'),
    });
  });
});
