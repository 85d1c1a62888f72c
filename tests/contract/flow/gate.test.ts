import { type ToolSet, tool } from 'ai';
import { checkResponseTiming } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { flowFixture } from '../../support/flow-fixture.ts';

type Approval = FlowSettings['toolApproval'];
type Outcome = 'runs' | 'asks' | 'is denied' | 'runs, shown as approved';

/** One tool whose effect can be counted, gated as the row says. */
function gated({ needsApproval, toolApproval, name = 'act' }: Omit<Row, 'case' | 'outcome' | 'reason'>) {
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
    logger: { warn: () => {}, error: () => {} },
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

describe('T1, T3, DESIGN: the SDK’s own gate decides', () => {
  it.each(rows.map((row) => [row.case, row.outcome, row] as const))(
    'with %s, a call %s',
    async (_case, outcome, row) => {
      const { chat, ran } = gated(row);
      const { say, view, events } = chat();
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
    'a model that calls a tool named %s, which nobody gave, runs nothing',
    async (name) => {
      const { chat, ran } = flowFixture([[{ call: name, input: {} }], [{ text: 'Sorry.' }]]);
      const response = await chat().say('Go.');
      expect(response.filter((chunk) => chunk.type === 'tool-input-error')).toMatchObject([
        { toolName: name },
      ]);
      expect(ran).toEqual([]);
    },
  );

  it('a gate that throws fails the turn, and the call does not run', async () => {
    const { chat, ran } = gated({
      toolApproval: status(() => {
        throw new Error('secret detail');
      }),
    });
    const { say, view } = chat();
    const response = await say('Go.');
    expect(JSON.stringify(response)).not.toContain('secret');
    expect(ran).toEqual([]);
    expect((await view()).run.status).not.toBe('active');
  });

  it('a later step sees the gate anew, with the results of the earlier one', async () => {
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
