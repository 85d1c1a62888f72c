import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { postgresStore } from 'countersign/store';
import { collect, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../lib/protocol/clock/system-clock.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { barrier } from '../support/barrier.ts';
import { connectBidi } from '../support/connect-bidi.ts';
import { connectSse } from '../support/connect-sse.ts';
import { ada, flowFixture, questionIn, userMessage } from '../support/flow-fixture.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import type { RawResponse } from '../support/raw-client.ts';

const minutes = 60_000;
const postgres = setUpPostgres();

/** Pays for each message, then says that it did. */
const payEachTime: Script = ({ prompt }) =>
  prompt.at(-1)?.role === 'user' ? [{ call: 'pay' }] : [{ text: 'Done.' }];

/** Two served instances on one Postgres: the clock of the first is ten minutes slow, that of the second fast. */
async function slowAndFast({
  execute = async () => 'paid',
  ...settings
}: Partial<FlowSettings> & { execute?: () => Promise<unknown> } = {}) {
  const { connectionString, newSchema } = postgres();
  const schema = newSchema();
  const pay = tool({ inputSchema: z.object({}), needsApproval: true, execute });
  const instance = async (aheadMs: number) => {
    const store = postgresStore({ connectionString, schema });
    const warnings: string[] = [];
    const fixture = flowFixture(payEachTime, {
      tools: { pay } as ToolSet,
      auditKey: 'a key of these tests',
      ...settings,
      store,
      clock: { ...systemClock, now: () => Date.now() + aheadMs },
      logger: { warn: (message) => warnings.push(message), error: () => {} },
    });
    await fixture.flow.recover();
    const served = await serveFlow(fixture.flow, { authorize: () => ada });
    onTestFinished(async () => {
      await fixture.flow.close();
      await served.close();
      await store.close();
    });
    const { url } = served;
    return {
      ...fixture,
      url,
      warnings,
      openQuestions: async () => {
        const response = await fetch(`${url}/api/approvals?state=open`);
        const { approvals } = (await response.json()) as { approvals: { id: string }[] };
        return approvals.map(({ id }) => id);
      },
      answer: (approvalId: string) =>
        fetch(`${url}/api/approvals/${approvalId}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ approved: true }),
        }),
    };
  };
  return { slow: await instance(-10 * minutes), fast: await instance(10 * minutes) };
}

type Instance = Awaited<ReturnType<typeof slowAndFast>>['slow'];

let messages = 0;
/** Says something in the chat `chat`, over SSE or a socket. */
async function say(connect: typeof connectSse, { url }: Instance): Promise<RawResponse> {
  messages += 1;
  const message = { ...userMessage(`message-${messages}`, 'Pay.'), role: 'user' };
  return (await connect(url)).open({
    id: 'chat',
    trigger: 'submit-message',
    messages: [message],
  } as never);
}

describe('two instances on one Postgres, one clock ten minutes slow and one ten minutes fast', () => {
  it.each([
    ['SSE', connectSse],
    ['BIDI', connectBidi],
  ] as const)(
    '%s: a question of the slow one stays open, and the fast one accepts its answer',
    async (_, connect) => {
      const { slow, fast } = await slowAndFast({ deadlineMs: minutes });
      const approvalId = questionIn(await collect(await say(connect, slow)));
      await fast.flow.recover();
      expect(await fast.openQuestions()).toEqual([approvalId]);
      expect(await slow.openQuestions()).toEqual([approvalId]);
      expect((await fast.answer(approvalId)).status).toBe(200);
      await expect
        .poll(async () => (await fast.chat().events()).map(({ type }) => type))
        .toContain('run-completed');
      expect((await fast.chat().events()).map(({ type }) => type)).toContain('tool-completed');
    },
  );

  it('a question after its deadline also expires on the slow one', async () => {
    const { slow, fast } = await slowAndFast({ deadlineMs: 1 });
    await collect(await say(connectSse, fast));
    await expect.poll(slow.openQuestions).toEqual([]);
    expect((await slow.chat().events()).map(({ type }) => type)).toContain('approval-withdrawn');
  });

  it('the fast one does not take over the run of the slow one, and the tool runs once', async () => {
    const { wait, lift } = barrier();
    let runs = 0;
    const { slow, fast } = await slowAndFast({
      execute: async () => {
        runs += 1;
        await wait;
        return 'paid';
      },
    });
    const approvalId = questionIn(await collect(await say(connectSse, slow)));
    expect((await slow.answer(approvalId)).status).toBe(200);
    await expect.poll(() => runs).toBe(1);
    await fast.flow.recover();
    lift();
    await expect.poll(async () => (await slow.chat().events()).at(-1)?.type).toBe('run-completed');
    expect((await slow.chat().events()).map(({ type }) => type)).toContain('tool-completed');
    expect(fast.model.calls).toEqual([]);
    expect(runs).toBe(1);
  });

  it('their alternating events have the times of the database, in order', async () => {
    const { slow, fast } = await slowAndFast();
    for (const [asking, answering] of [
      [slow, fast],
      [fast, slow],
      [slow, slow],
      [fast, fast],
    ] as const) {
      const approvalId = questionIn(await collect(await say(connectBidi, asking)));
      expect((await answering.answer(approvalId)).status).toBe(200);
      await expect.poll(async () => (await asking.chat().events()).at(-1)?.type).toBe('run-completed');
    }
    const chatId = slow.chat().id;
    const [database] = await postgres().query<{ now: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
    );
    for (const { flow } of [slow, fast]) {
      const times = [
        (await flow.chats.timeline({ chatId, principal: ada })).map(({ at }) => at),
        (await flow.audit.read({ chatId, principal: ada })).entries.map(({ at }) => Date.parse(at)),
      ];
      for (const each of times) {
        expect(each).toEqual(each.toSorted((a, b) => a - b));
        // Neither clock: both are ten minutes away.
        for (const at of each) expect(Math.abs(at - (database?.now ?? 0))).toBeLessThan(5 * minutes);
      }
    }
  });

  it('each logs at start-up that its clock differs', async () => {
    const { slow, fast } = await slowAndFast();
    for (const { flow, warnings } of [slow, fast]) {
      await flow.recover();
      expect(warnings).toEqual([expect.stringMatching(/clock/)]);
    }
  });
});
