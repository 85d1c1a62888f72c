import { type ToolSet, tool } from 'ai';
import { checkResponseTiming } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { ada, flowFixture } from '../../support/flow-fixture.ts';

type Approval = FlowSettings['toolApproval'];
type Outcome = 'runs' | 'asks' | 'is denied' | 'runs, shown as approved';

/** One tool whose effect can be counted, gated as the row says. */
function gated(
  { needsApproval, toolApproval, name = 'act' }: Omit<Row, 'case' | 'outcome' | 'reason'>,
  logger: FlowSettings['logger'] = { warn: () => {}, error: () => {} },
) {
  const ran: unknown[] = [];
  const act = tool({
    inputSchema: z.object({ amount: z.number() }),
    ...(needsApproval === undefined ? {} : { needsApproval: needsApproval as boolean }),
    execute: async (input) => {
      ran.push(input);
      return 'acted';
    },
  });
  const fixture = flowFixture([[{ call: name, input: { amount: 5 } }], [{ text: 'Done.' }]], {
    tools: Object.fromEntries([[name, act]]) as ToolSet,
    toolApproval,
    logger,
  });
  return { ...fixture, ran };
}

type Row = {
  case: string;
  needsApproval?: boolean | ((input: { amount: number }) => boolean | Promise<boolean>);
  toolApproval?: Approval;
  name?: string;
  outcome: Outcome;
  reason?: string;
};

const status = (value: unknown) => ({ act: value }) as Approval;

const rows: Row[] = [
  { case: 'no gate', outcome: 'runs' },
  { case: 'needsApproval: true', needsApproval: true, outcome: 'asks' },
  { case: 'needsApproval: false', needsApproval: false, outcome: 'runs' },
  { case: 'needsApproval says yes', needsApproval: ({ amount }) => amount > 1, outcome: 'asks' },
  { case: 'needsApproval says no', needsApproval: async ({ amount }) => amount > 9, outcome: 'runs' },
  { case: 'the string not-applicable', toolApproval: status('not-applicable'), outcome: 'runs' },
  { case: 'the string approved', toolApproval: status('approved'), outcome: 'runs, shown as approved' },
  { case: 'the string denied', toolApproval: status('denied'), outcome: 'is denied' },
  { case: 'the string user-approval', toolApproval: status('user-approval'), outcome: 'asks' },
  { case: 'the object not-applicable', toolApproval: status({ type: 'not-applicable' }), outcome: 'runs' },
  {
    case: 'the object approved',
    toolApproval: status({ type: 'approved', reason: 'Small.' }),
    outcome: 'runs, shown as approved',
    reason: 'Small.',
  },
  {
    case: 'the object denied',
    toolApproval: status({ type: 'denied', reason: 'Frozen.' }),
    outcome: 'is denied',
    reason: 'Frozen.',
  },
  {
    case: 'the object user-approval',
    toolApproval: status({ type: 'user-approval', reason: 'Large.' }),
    outcome: 'asks',
    reason: 'Large.',
  },
  {
    case: 'a per-tool function that asks',
    toolApproval: status(({ amount }: { amount: number }) => (amount > 1 ? 'user-approval' : 'approved')),
    outcome: 'asks',
  },
  {
    case: 'a per-tool function that says nothing',
    toolApproval: status(() => undefined),
    outcome: 'runs',
  },
  {
    case: 'one function for all that asks',
    toolApproval: ({ toolCall }) => (toolCall.toolName === 'act' ? 'user-approval' : undefined),
    outcome: 'asks',
  },
  { case: 'one function for all that says nothing', toolApproval: () => undefined, outcome: 'runs' },
  {
    case: 'the map above the tool’s own yes',
    needsApproval: true,
    toolApproval: status('not-applicable'),
    outcome: 'runs',
  },
  {
    case: 'the map above the tool’s own no',
    needsApproval: false,
    toolApproval: status('user-approval'),
    outcome: 'asks',
  },
  {
    case: 'a map that does not name the tool',
    needsApproval: true,
    toolApproval: {} as Approval,
    outcome: 'asks',
  },
  {
    case: 'one function for all above the tool’s own yes',
    needsApproval: true,
    toolApproval: () => undefined,
    outcome: 'runs',
  },
  ...['constructor', 'toString', 'hasOwnProperty', 'valueOf'].map(
    (name): Row => ({
      case: `a tool named ${name}, with a map that does not name it`,
      name,
      needsApproval: true,
      toolApproval: {} as Approval,
      outcome: 'asks',
    }),
  ),
];

describe('the SDK’s own gate decides [T1, T3]', () => {
  it.each(rows.map((row) => [row.case, row.outcome, row] as const))(
    'with %s, a call %s',
    async (_case, outcome, row) => {
      const { ran, say, view, events } = gated(row);
      const response = await say('Go.');
      // An agent that can never ask streams live (T10).
      const begun = (await events()).find((event) => event.type === 'run-started');
      const release = begun?.type === 'run-started' ? begun.release : undefined;
      expect(checkResponseTiming([response], { release })).toEqual([]);
      const asked = response.filter((chunk) => chunk.type === 'tool-approval-request');
      const answered = response.filter((chunk) => chunk.type === 'tool-approval-response');
      const reason = row.reason === undefined ? {} : { reason: row.reason };
      switch (outcome) {
        case 'asks':
          expect(asked).toMatchObject([reason]);
          expect(asked[0]).not.toHaveProperty('isAutomatic');
          expect((await view()).run.status).toBe('waiting');
          break;
        case 'is denied':
          expect(answered).toMatchObject([{ approved: false, ...reason }]);
          expect(response.map((chunk) => chunk.type)).toContain('tool-output-denied');
          break;
        case 'runs, shown as approved':
          expect(asked).toMatchObject([{ isAutomatic: true }]);
          expect(answered).toMatchObject([{ approved: true, ...reason }]);
          break;
        case 'runs':
          expect([...asked, ...answered]).toEqual([]);
          break;
        default:
          outcome satisfies never;
      }
      expect(ran).toEqual(outcome.startsWith('runs') ? [{ amount: 5 }] : []);
      expect((await events()).filter((event) => event.type === 'approval-requested')).toHaveLength(
        outcome === 'asks' ? 1 : 0,
      );
    },
  );

  it.each([['__proto__'], ['toString'], ['constructor']])(
    'runs nothing when a model calls an unknown tool named %s',
    async (name) => {
      const { chat, ran } = flowFixture([[{ call: name, input: {} }], [{ text: 'Sorry.' }]]);
      const response = await chat().say('Go.');
      expect(response.filter((chunk) => chunk.type === 'tool-input-error')).toMatchObject([
        { toolName: name },
      ]);
      expect(ran).toEqual([]);
    },
  );

  const boom = () => {
    throw new Error('secret detail');
  };
  const failing: readonly (readonly [string, Pick<Row, 'needsApproval' | 'toolApproval'>])[] = [
    ['a per-tool function that throws', { toolApproval: status(boom) }],
    ['a per-tool function that rejects', { toolApproval: status(async () => boom()) }],
    ['one function for all that throws', { toolApproval: boom }],
    ['a needsApproval that throws', { needsApproval: boom }],
    ['a needsApproval that rejects', { needsApproval: async () => boom() }],
    ['a misspelt status', { toolApproval: status(() => 'user_approval') }],
    ['a misspelt status in an object', { toolApproval: status(async () => ({ type: 'ask' })) }],
    ['true', { toolApproval: status(() => true) }],
    ['false', { toolApproval: status(() => false) }],
    ['null', { toolApproval: status(() => null) }],
    ['one function for all that returns true', { toolApproval: (() => true) as never }],
    ['a reason that is not a string', { toolApproval: status(() => ({ type: 'approved', reason: 5 })) }],
  ];

  it.each(failing)('with %s, fails only the call, and the turn continues', async (_case, row) => {
    const logged: string[] = [];
    const log = (message: string, facts: object) => void logged.push(message + JSON.stringify(facts));
    const { ran, model, say, view, events } = gated(row, { warn: log, error: log });
    const response = await say('Go.');
    expect(response.filter(({ type }) => type === 'tool-output-error')).toMatchObject([
      { errorText: 'Not run: the approval rule of act failed.' },
    ]);
    expect(JSON.stringify([response, await view(), await events()])).not.toContain('secret');
    expect(response.filter(({ type }) => type === 'text-delta')).toMatchObject([{ delta: 'Done.' }]);
    expect(response.at(-1)).toMatchObject({ type: 'finish' });
    expect(response.map(({ type }) => type)).not.toContain('tool-approval-request');
    expect((await view()).run.status).toBe('idle');
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Not run: the approval rule of act failed.');
    expect(ran).toEqual([]);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/"toolName":"act"/);
    // The rule has seen the arguments, and its error may quote them.
    expect(logged[0]).not.toMatch(/secret|"amount"/);
  });

  it('does not affect the other calls of a step when a gate fails for one call', async () => {
    const { chat, ran } = flowFixture(
      [
        [
          { call: 'weather', input: { city: 'Oslo' } },
          { call: 'pay', input: { to: 'Eve', amount: 5 } },
        ],
        [{ text: 'Done.' }],
      ],
      { toolApproval: { pay: boom } as never, logger: { warn: () => {}, error: () => {} } },
    );
    const response = await chat().say('Go.');
    expect(ran.map(({ tool: name }) => name)).toEqual(['weather']);
    expect(response.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['tool-output-available', 'tool-output-error']),
    );
  });

  it('does not let a person’s retry bypass a failed gate', async () => {
    const { flow, ran, say, events, id } = gated({ toolApproval: status(boom) });
    await say('Go.');
    const requested = (await events()).find((event) => event.type === 'tool-requested');
    if (requested?.type !== 'tool-requested') throw new Error('Nothing was called.');
    const { toolCallId } = requested;
    await expect(flow.chats.retryCall({ principal: ada, chatId: id, toolCallId })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    expect(ran).toEqual([]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['0', 0],
    ['a text', 'no'],
  ])('asks a person when needsApproval returns %s, because only `false` means no', async (_what, answer) => {
    const { chat, ran } = gated({ needsApproval: (() => answer) as never });
    const response = await chat().say('Go.');
    expect(response.map(({ type }) => type)).toContain('tool-approval-request');
    expect(ran).toEqual([]);
  });

  it('calls the gate again in a later step, with the results of the earlier one', async () => {
    const seen: number[] = [];
    const { chat } = flowFixture(
      [
        [{ call: 'weather', input: { city: 'Tokyo' } }],
        [{ call: 'weather', input: { city: 'Oslo' } }],
        [{ text: 'Done.' }],
      ],
      {
        toolApproval: ({ messages }) => {
          seen.push(messages.length);
          return undefined;
        },
      },
    );
    await chat().say('Go.');
    expect(seen).toEqual([1, 3]);
  });
});
