import { type EscalationState, escalation } from 'countersign/plugins/escalation';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import { checkLog } from '../support/check-log.ts';
import { max, minute, role } from '../support/escalation-fixture.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';

const count = countsOf('Escalation', 'questions', 'steps recorded', 'answers that won');
const postgres = setUpPostgres();
const rows = rowsOfThisRun(storeRows(postgres), ([name]) => name === 'SQLite');

const script: Script = ({ prompt }) =>
  prompt.at(-1)?.role === 'tool'
    ? [{ text: 'Done.' }]
    : [{ call: 'pay', input: { to: 'alice', amount: 30 } }];

const plan = {
  steps: [
    { afterMs: minute, to: role('manager'), remindEveryMs: minute },
    { afterMs: 3 * minute, to: () => true },
  ],
  end: { afterMs: 5 * minute, then: 'deny' as const },
};

describe.each(rows)('escalation with two instances on %s', (_name, create) => {
  /** Two instances, each with its own connection, and one clock. */
  async function setUp() {
    const database = await create();
    onTestFinished(() => database.remove());
    const clock = fakeClock();
    const shared = { now: () => clock.now(), measure: async () => {} };
    const stores = database.openTwo().map((store): FlowStore => ({ ...store, clock: shared }));
    const instances = stores.map((store) => {
      const fixture = flowFixture(script, {
        plugins: [escalation(plan)],
        ...{ store, clock, sweepMs: 10_000 * minute },
        logger: { warn: () => {}, error: () => {} },
      });
      onTestFinished(() => fixture.flow.close());
      return fixture;
    });
    const [first, second] = instances;
    const [store] = stores;
    if (!first || !second || !store) throw new Error('There are two instances.');
    return { first, second, store, clock };
  }

  it('records each step and each reminder once, when both sweep at once', async () => {
    const { first, second, store, clock } = await setUp();
    await Promise.all(['a', 'b', 'c'].map((name) => first.chat(name).say('Pay.')));
    for (let round = 0; round < 5; round += 1) {
      clock.advance(minute);
      await Promise.all([first, second, first, second].map(({ flow }) => flow.recover()));
    }
    for (const name of ['a', 'b', 'c']) {
      const log = await store.events.read(parseChatId(name), 0);
      const happened = log.flatMap((event) => {
        if (event.type === 'plugin-event') {
          const { step, reminders } = event.says as EscalationState;
          return [event.name === 'escalated' ? `step ${step}` : `reminder ${reminders}`];
        }
        return event.type === 'approval-withdrawn' ? [event.reason] : [];
      });
      expect(happened).toEqual(['step 1', 'reminder 1', 'step 2', 'expired']);
      expect(checkLog(log)).toEqual([]);
      count('questions');
      count('steps recorded');
    }
  });

  it('lets either an answer or the end win, and a step does not refuse an answer', async () => {
    const { first, second, store, clock } = await setUp();
    for (let round = 0; round < 8; round += 1) {
      const chat = first.chat(`race-${round}`);
      const approvalId = parseApprovalId(questionIn(await chat.say('Pay.')));
      const answer = (principal: typeof ada) =>
        first.flow.approvals.answer({ principal, approvalId, approved: true, via: 'http' }).then(
          () => true,
          () => false,
        );
      clock.advance(minute);
      await second.flow.recover();
      // A step is due in the first half of the rounds, the end in the others.
      clock.advance((round < 4 ? 2 : 4) * minute);
      const [isAccepted] = await Promise.all([answer(round % 2 ? ada : max), second.flow.recover()]);
      await chat.resume();
      const types = (await store.events.read(chat.id, 0)).map(({ type }) => type);
      expect(isAccepted).toBe(round < 4);
      expect(types.filter((type) => type === 'tool-started')).toHaveLength(isAccepted ? 1 : 0);
      const settling = ['approval-answered', 'approval-withdrawn'];
      expect(types.filter((type) => settling.includes(type))).toHaveLength(1);
      expect(checkLog(await store.events.read(chat.id, 0))).toEqual([]);
      if (isAccepted) count('answers that won');
    }
  });
});
