import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import type { Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { administeredSqlite } from '../../support/administered-store.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

type Row = {
  name: string;
  schema: z.ZodType;
  /** As the model gives it. */
  raw: Record<string, unknown>;
  /** What the tool gets. */
  runs: unknown;
  /** As a person edits it, and what the tool gets then. */
  edit: Record<string, unknown>;
  runsEdited: unknown;
};

const when = '2030-01-02T03:04:05.000Z';

const rows: Row[] = [
  {
    name: 'a default',
    schema: z.object({ to: z.string(), note: z.string().default('none') }),
    raw: { to: 'alice' },
    runs: { to: 'alice', note: 'none' },
    edit: { to: 'bob' },
    runsEdited: { to: 'bob', note: 'none' },
  },
  {
    name: 'a transform of a number',
    schema: z.object({ to: z.string(), amount: z.number().transform((euros) => euros * 100) }),
    raw: { to: 'alice', amount: 30 },
    runs: { to: 'alice', amount: 3000 },
    edit: { to: 'bob', amount: 30 },
    runsEdited: { to: 'bob', amount: 3000 },
  },
  {
    name: 'a transform to another type',
    schema: z.object({ to: z.string(), amount: z.string().transform(Number) }),
    raw: { to: 'alice', amount: '30' },
    runs: { to: 'alice', amount: 30 },
    edit: { to: 'bob', amount: '30' },
    runsEdited: { to: 'bob', amount: 30 },
  },
  {
    name: 'a coercion',
    schema: z.object({ to: z.string(), amount: z.coerce.number() }),
    raw: { to: 'alice', amount: '30' },
    runs: { to: 'alice', amount: 30 },
    edit: { to: 'bob', amount: '31' },
    runsEdited: { to: 'bob', amount: 31 },
  },
  {
    name: 'a Date',
    schema: z.object({ to: z.string(), at: z.string().transform((text) => new Date(text)) }),
    raw: { to: 'alice', at: when },
    runs: { to: 'alice', at: new Date(when) },
    edit: { to: 'bob', at: when },
    runsEdited: { to: 'bob', at: new Date(when) },
  },
  {
    name: 'a Map',
    schema: z.object({
      shares: z.record(z.string(), z.number()).transform((shares) => new Map(Object.entries(shares))),
    }),
    raw: { shares: { alice: 1 } },
    runs: { shares: new Map([['alice', 1]]) },
    edit: { shares: { bob: 2 } },
    runsEdited: { shares: new Map([['bob', 2]]) },
  },
  {
    name: 'a bigint',
    schema: z.object({ to: z.string(), amount: z.string().transform((digits) => BigInt(digits)) }),
    raw: { to: 'alice', amount: '9007199254740993' },
    runs: { to: 'alice', amount: 9007199254740993n },
    edit: { to: 'bob', amount: '9007199254740993' },
    runsEdited: { to: 'bob', amount: 9007199254740993n },
  },
  {
    name: 'an asynchronous refinement',
    schema: z.object({
      to: z
        .string()
        .refine(async (name) => Promise.resolve(name !== 'eve'))
        .transform(async (name) => `${name}@example.com`),
    }),
    raw: { to: 'alice' },
    runs: { to: 'alice@example.com' },
    edit: { to: 'bob' },
    runsEdited: { to: 'bob@example.com' },
  },
];

/** Flows of one tool `act` over one database; what the tools got is gathered over all of them. */
function flowsOf(schema: z.ZodType, settings: Partial<FlowSettings> & { gated?: boolean } = {}) {
  const { gated = true, ...more } = settings;
  const { another } = administeredSqlite();
  const got: unknown[] = [];
  const act = tool({
    inputSchema: schema as z.ZodType<unknown>,
    needsApproval: gated,
    execute: (input) => {
      got.push(input);
      return 'done';
    },
  });
  const open = (script: Script) => {
    const fixture = flowFixture(script, {
      tools: { act } as ToolSet,
      store: another(),
      ...more,
    });
    onTestFinished(() => fixture.flow.close());
    return fixture;
  };
  return { open, got };
}

const call = (raw: unknown, id = 'act-1') => [{ call: 'act', id, input: raw as Record<string, unknown> }];
const done = [{ text: 'Done.' }];

describe('the tool’s arguments are always parsed from those that the model wrote', () => {
  it.each(rows)('$name: unedited', async ({ schema, raw, runs }) => {
    const { open, got } = flowsOf(schema);
    const { say, answer, events } = open([call(raw), done]);
    await answer(questionIn(await say('Go.')), true);
    expect(got).toEqual([runs]);
    const inputs = (await events()).flatMap((event) =>
      event.type === 'tool-requested' || event.type === 'tool-started' ? [event.input] : [],
    );
    expect(inputs).toEqual([raw, raw]);
  });

  it.each(rows)('$name: edited', async ({ schema, raw, edit, runsEdited }) => {
    const { open, got } = flowsOf(schema);
    const { say, answer, events } = open([call(raw), done]);
    await answer(questionIn(await say('Go.')), true, { input: edit });
    expect(got).toEqual([runsEdited]);
    const answered = (await events()).find((event) => event.type === 'approval-answered');
    expect(answered).toMatchObject({ input: edit });
  });

  it.each(rows)('$name: remembered', async ({ schema, raw, runs }) => {
    const { open, got } = flowsOf(schema, { plugins: [remembered()] });
    const { say, answer, events } = open([call(raw), done, call(raw, 'act-2'), done]);
    const remember = { scope: 'me', match: 'exact-arguments' } as const;
    await answer(questionIn(await say('Go.')), true, { plugins: { remembered: remember } });
    await say('Again.');
    expect(got).toEqual([runs, runs]);
    expect((await events()).filter((event) => event.type === 'approval-granted')).toHaveLength(1);
  });

  it.each(rows)('$name: ungated', async ({ schema, raw, runs }) => {
    const { open, got } = flowsOf(schema, { gated: false });
    const { chat } = open([call(raw), done]);
    await chat().say('Go.');
    expect(got).toEqual([runs]);
  });

  it.each(rows)('$name: answered after a restart', async ({ schema, raw, runs }) => {
    const { open, got } = flowsOf(schema);
    const before = open([call(raw)]);
    const id = questionIn(await before.chat().say('Go.'));
    await before.flow.close();
    await before.store.close();
    await open([done]).chat().answer(id, true);
    expect(got).toEqual([runs]);
  });

  it.each(rows)('$name: edited on another instance', async ({ schema, raw, edit, runsEdited }) => {
    const { open, got } = flowsOf(schema);
    const id = questionIn(
      await open([call(raw)])
        .chat()
        .say('Go.'),
    );
    const { flow } = open([done]);
    const given = { approvalId: parseApprovalId(id), principal: ada, via: 'http', approved: true };
    await flow.approvals.answer({ ...given, input: edit });
    await expect.poll(() => got).toEqual([runsEdited]);
  });
});
