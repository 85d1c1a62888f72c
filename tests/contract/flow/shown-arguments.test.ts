import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { approveThenCrash } from '../../support/approve-then-crash.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const cents = z.object({ to: z.string(), amount: z.number().transform((euros) => euros * 100) });
const raw = { to: 'alice', amount: 30 };
const parsed = { to: 'alice', amount: 3000 };
const call = [{ call: 'pay', id: 'pay-1', input: raw }];
const done = [{ text: 'Done.' }];

function paying(
  settings: Partial<FlowSettings> & { schema?: z.ZodType; gate?: unknown; output?: unknown } = {},
  script: Script = [call, done],
) {
  const { schema = cents, gate = true, output = 'paid', ...more } = settings;
  const ran: unknown[] = [];
  const pay = tool({
    inputSchema: schema as z.ZodType<unknown>,
    needsApproval: gate as boolean,
    execute: (input) => {
      ran.push(input);
      return output;
    },
  });
  const logged: string[] = [];
  const log = (message: string, facts: object) => void logged.push(message + JSON.stringify(facts));
  const logger = { warn: log, error: log };
  const fixture = flowFixture(script, { tools: { pay } as ToolSet, logger, ...more });
  return { ...fixture, ran, logged };
}

describe('the question shows the arguments as written and as run [H13, ADR 0020]', () => {
  it('contains the parsed arguments, on the wire, in the list and in the record', async () => {
    const { chat, flow, say, view, id: chatId } = paying({ auditKey: 'a key of more than sixteen' });
    const chunks = await say('Pay.');
    const id = questionIn(chunks);
    expect(chunks.find(({ type }) => type === 'tool-input-available')).toMatchObject({ input: raw });
    expect(chunks.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
      approvalDescriptor: { runsAs: parsed },
    });
    const approvalId = parseApprovalId(id);
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({
      input: raw,
      runsAs: parsed,
    });
    expect((await view()).questions).toMatchObject([{ input: raw, runsAs: parsed }]);
    await chat().answer(id, true);
    const { entries } = await flow.audit.read({ principal: ada, chatId });
    expect(entries.map(({ type, ...facts }) => [type, 'runsAs' in facts ? facts.runsAs : undefined])).toEqual(
      [
        ['asked', parsed],
        ['answered', undefined],
        ['started', parsed],
        ['ended', undefined],
      ],
    );
  });

  it('contains nothing more if the schema does not change them', async () => {
    const { say, view, events } = paying({ schema: z.object({ to: z.string(), amount: z.number() }) });
    await say('Pay.');
    expect((await view()).questions[0]).not.toHaveProperty('runsAs');
    for (const event of await events()) expect(event).not.toHaveProperty('runsAs');
  });

  it.each<[string, Partial<FlowSettings>, unknown]>([
    ['needsApproval', {}, (input: unknown) => seen.push(input) > 0],
    [
      'toolApproval of one tool',
      { toolApproval: { pay: (input: unknown) => ask(input) } as never },
      undefined,
    ],
    [
      'toolApproval of all tools',
      { toolApproval: (({ toolCall }: { toolCall: { input: unknown } }) => ask(toolCall.input)) as never },
      undefined,
    ],
  ])('%s gets the parsed arguments', async (_form, settings, gate) => {
    seen.length = 0;
    const { chat } = paying({ ...settings, gate });
    questionIn(await chat().say('Pay.'));
    expect(seen).toEqual([parsed]);
  });

  it('rules, describe and summarize get the parsed arguments too', async () => {
    const got: unknown[] = [];
    const details = {
      describe: (input: unknown) => {
        got.push(['describe', input]);
        return 'Pays.';
      },
      summarize: (_output: unknown, input: unknown) => {
        got.push(['summarize', input]);
        return { summary: 'Paid.' };
      },
      approvers: (_principal: unknown, { input }: { input: unknown }) => {
        got.push(['approvers', input]);
        return true;
      },
    };
    const { say, answer } = paying({ toolDetails: { pay: details as never } });
    await answer(questionIn(await say('Pay.')), true, { input: { to: 'bob', amount: 30 } });
    expect(got).toContainEqual(['describe', parsed]);
    expect(got).toContainEqual(['approvers', parsed]);
    expect(got).toContainEqual(['approvers', { to: 'bob', amount: 3000 }]);
    expect(got).toContainEqual(['summarize', { to: 'bob', amount: 3000 }]);
    expect(JSON.stringify(got)).not.toContain('300000');
    expect(JSON.stringify(got)).not.toContain('30}');
  });

  it('describe gets a Date if the schema creates one', async () => {
    const { say, view } = paying(
      {
        schema: z.object({ at: z.string().transform((text) => new Date(text)) }),
        toolDetails: { pay: { describe: (({ at }: { at: Date }) => `In ${at.getUTCFullYear()}.`) as never } },
      },
      [[{ call: 'pay', input: { at: '2031-05-06' } }], done],
    );
    await say('Pay.');
    expect((await view()).questions).toMatchObject([{ description: 'In 2031.' }]);
  });

  it('hides secrets, even if the schema moves them', async () => {
    const secret = '4242424242424242';
    const moved = z.object({ card: z.object({ number: z.string() }) }).transform(({ card }) => ({
      cardNumber: card.number,
      note: `card ${card.number}`,
      at: new Map([['n', card]]),
    }));
    const {
      flow,
      ran,
      say,
      answer,
      view,
      events,
      id: chatId,
    } = paying(
      {
        schema: moved,
        auditKey: 'a key of more than sixteen',
        toolDetails: {
          pay: {
            secrets: { input: ['card.number'] },
            describe: ((input: unknown) => JSON.stringify(input)) as never,
            summarize: ((_output: unknown, input: unknown) => ({ summary: JSON.stringify(input) })) as never,
          },
        },
      },
      [[{ call: 'pay', input: { card: { number: secret } } }], done],
    );
    const asked = await say('Pay.');
    const answered = await answer(questionIn(asked), true);
    const record = await flow.audit.read({ principal: ada, chatId });
    const { items } = await flow.approvals.list({ principal: ada, state: 'approved' });
    const surfaces = JSON.stringify([asked, answered, await view(), await events(), record, items]);
    expect(surfaces).not.toContain(secret);
    expect(surfaces).toContain('cardNumber');
    expect(ran).toMatchObject([{ cardNumber: secret }]);
  });
});

const seen: unknown[] = [];
function ask(input: unknown) {
  seen.push(input);
  return 'user-approval';
}

describe('arguments that parse to something other than what was shown do not run [H10, ADR 0020]', () => {
  /** A schema that makes something else of the same arguments each time. */
  const counting = () => {
    let count = 0;
    return z.object({ to: z.string() }).transform(({ to }) => ({ to, number: ++count }));
  };
  const script: Script = [[{ call: 'pay', input: { to: 'alice' } }], done];

  it('runs a call without a question with its recorded arguments', async () => {
    const { ran, say, events } = paying({ schema: counting(), gate: false }, script);
    await say('Pay.');
    const started = (await events()).find((event) => event.type === 'tool-started');
    expect(ran).toHaveLength(1);
    expect(started).toMatchObject({ input: { to: 'alice' }, runsAs: ran[0] });
  });

  it.each<[string, Partial<FlowSettings>]>([
    ['a rule', { toolApproval: { pay: 'approved' } as never }],
    ['a remembered approval', {}],
  ])('does not run a call that is approved by %s', async (what, settings) => {
    const steady = z.object({ to: z.string() });
    const store = sqliteStore({ path: ':memory:' });
    let schema: z.ZodType = steady;
    const shifting = z.unknown().transform((value) => schema.parse(value));
    const common = { store, schema: shifting, plugins: [remembered()], ...settings };
    if (what !== 'a rule') {
      const { chat } = paying(common, script);
      const first = chat('first');
      const remember = { scope: 'me', match: 'tool' } as const;
      await first.answer(questionIn(await first.say('Pay.')), true, { plugins: { remembered: remember } });
    }
    schema = counting();
    const { chat, ran, model } = paying(common, script);
    await chat('second').say('Pay.');
    expect(ran).toEqual([]);
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('each time');
  });

  it('fails a call whose arguments no longer fit, and the turn continues', async () => {
    let fits = true;
    const schema = z.object({ to: z.string() }).refine(() => fits, 'Closed.');
    const { ran, model, say, answer } = paying({ schema }, script);
    const id = questionIn(await say('Pay.'));
    fits = false;
    await answer(id, true);
    expect(ran).toEqual([]);
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Closed.');
  });

  it('keeps the log and the second attempt unchanged by a tool that modifies its arguments', async () => {
    const got: unknown[] = [];
    const pay = tool({
      inputSchema: z.object({ to: z.string() }),
      execute: (input) => {
        got.push({ ...input });
        input.to = 'mallory';
        if (got.length === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        return 'paid';
      },
    });
    const { say, events } = flowFixture(script, {
      tools: { pay } as ToolSet,
      toolDetails: { pay: { idempotent: true } },
    });
    await say('Pay.');
    expect(got).toEqual([{ to: 'alice' }, { to: 'alice' }]);
    expect(JSON.stringify(await events())).not.toContain('mallory');
  });
});

describe('approvalValidForMs [ADR 0020]', () => {
  const schema = z.object({ to: z.string(), amount: z.number() });

  it.each<[string, Partial<FlowSettings>, object, number, boolean]>([
    ['runs in time', { approvalValidForMs: 60_000 }, {}, 60_000, true],
    ['is asked again later', { approvalValidForMs: 60_000 }, {}, 60_001, false],
    ['is asked again later, by the tool’s own time', {}, { approvalValidForMs: 60_000 }, 60_001, false],
    ['runs by the tool’s own time', { approvalValidForMs: 1 }, { approvalValidForMs: 90_000 }, 60_001, true],
    ['runs whenever it can, without a limit', {}, {}, 9_000_000, true],
  ])('an approved call %s', async (_what, settings, details, later, runs) => {
    const clock = fakeClock();
    const store = sqliteStore({ path: ':memory:' });
    const common = { ...settings, clock, store, schema, toolDetails: { pay: details } };
    const asking = paying(common, [call]);
    const { say, id: chatId } = asking.chat();
    const id = questionIn(await say('Pay.'));
    await approveThenCrash(store, chatId, clock);
    await asking.flow.close();
    clock.advance(later);
    const after = paying(common, [done]);
    await after.flow.recover();
    await expect.poll(async () => (await store.chats.head(chatId))?.status).toBe(runs ? 'idle' : 'waiting');
    expect(after.ran).toHaveLength(runs ? 1 : 0);
    if (runs) return;
    const { questions } = await after.chat().view();
    expect(questions).toMatchObject([
      { id, state: 'approved' },
      { state: 'open', replaces: id },
    ]);
    await after.chat().answer(String(questions[1]?.id), true);
    expect(after.ran).toEqual([raw]);
  });

  it.each([
    ['runs if it starts in time', 60_000, true],
    ['is asked again if the instance stood still before the start', 60_001, false],
  ])('a call that was approved here %s', async (_what, later, runs) => {
    const clock = fakeClock();
    const plain = sqliteStore({ path: ':memory:' });
    const store: FlowStore = {
      ...plain,
      async append(batch) {
        if (batch.events.some(({ type }) => type === 'approval-answered')) clock.advance(later);
        return plain.append(batch);
      },
    };
    const limited = { approvalValidForMs: 60_000, leaseMs: 600_000, clock, store, schema };
    const { flow, ran, say, answer, view } = paying(limited);
    // While anything is paused, the start follows the append of the answer.
    await flow.tools.pause({ principal: ada, tool: 'other', reason: 'Not now.' });
    const id = questionIn(await say('Pay.'));
    await answer(id, true);
    expect(ran).toHaveLength(runs ? 1 : 0);
    if (runs) return;
    expect((await view()).questions).toMatchObject([
      { id, state: 'approved' },
      { state: 'open', replaces: id },
    ]);
  });
});
