import { parseApprovalId } from 'countersign';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import type { Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Principal } from '../../../lib/protocol/index.ts';
import type { FlowSettings } from '../../../lib/settings/flow-settings.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const feeds = 20;
const eve: Principal = { id: 'eve', name: 'Eve' };
const pay = { call: 'pay', input: { to: 'Alice', amount: 30 } };

/** Every chat asks once. */
const script: Script = ({ prompt }) => (prompt.at(-1)?.role === 'tool' ? [{ text: 'Done.' }] : [pay]);

/** A flow whose reads of the feed are counted, and what rules were asked. */
function counted(settings: Partial<FlowSettings> = {}) {
  const inner = sqliteStore({ path: ':memory:' });
  const reads = { changes: 0, last: 0 };
  const store: FlowStore = {
    ...inner,
    questions: {
      ...inner.questions,
      changes(after, limit) {
        reads.changes += 1;
        return inner.questions.changes(after, limit);
      },
      lastChange() {
        reads.last += 1;
        return inner.questions.lastChange();
      },
    },
  };
  // A sweep looks at the feed, too.
  const fixture = flowFixture(script, { store, sweepMs: 3_600_000, ...settings });
  onTestFinished(async () => {
    await fixture.flow.close();
    await inner.close();
  });
  return { ...fixture, reads };
}

type Flow = ReturnType<typeof counted>['flow'];

async function open(flow: Flow, principals: readonly Principal[]) {
  return Promise.all(
    principals.map(async (principal) => (await flow.approvals.feed({ principal })).changes.getReader()),
  );
}

const repeated = (principal: Principal) => Array.from({ length: feeds }, () => ({ ...principal }));

/** The states that a feed tells, until so many came. */
async function statesOf(reader: Awaited<ReturnType<typeof open>>[number], count: number): Promise<string[]> {
  const states: string[] = [];
  while (states.length < count) states.push((await reader.read()).value?.question.state ?? 'over');
  return states;
}

/** Everything that feeds had to do for one turn with a question, after they were open. */
async function turnBeside(principals: readonly Principal[], settings: Partial<FlowSettings> = {}) {
  const { flow, chat, reads } = counted(settings);
  const readers = await open(flow, principals);
  const told = readers.map((reader) => statesOf(reader, 2));
  const before = { ...reads };
  const { say, answer } = chat();
  await answer(questionIn(await say('Pay.')), true);
  const result = { told, reads: { changes: reads.changes - before.changes, last: reads.last - before.last } };
  return { ...result, flow };
}

describe('feeds of one instance share their work', () => {
  it('reads each change once, however many feeds are open', async () => {
    const one = await turnBeside([ada]);
    expect(await Promise.all(one.told)).toEqual([['open', 'approved']]);
    const many = await turnBeside(repeated(ada));
    expect(await Promise.all(many.told)).toEqual(Array(feeds).fill(['open', 'approved']));
    expect(many.reads.changes).toBeLessThanOrEqual(one.reads.changes + 2);
    expect(many.reads.last).toBeLessThanOrEqual(one.reads.last + 2);
  });

  it('calls the rules for one feed of a principal as often as for all of them', async () => {
    const [once, all] = await Promise.all([askedFor([eve]), askedFor(repeated(eve))]);
    expect(once).toBeGreaterThan(0);
    expect(all).toBe(once);
  });

  /** How often the rules were asked about this user, for a turn beside these feeds. */
  async function askedFor(principals: readonly Principal[]): Promise<number> {
    let asked = 0;
    const mayAnswer: FlowSettings['mayAnswer'] = async ({ id }) => {
      if (id === eve.id) asked += 1;
      return true;
    };
    const { told } = await turnBeside(principals, { mayAnswer });
    expect(await Promise.all(told)).toEqual(principals.map(() => ['open', 'approved']));
    return asked;
  }

  it('keeps principals apart that only look the same, and one user with different roles', async () => {
    class Login implements Principal {
      readonly id = eve.id;
      readonly name = eve.name;
      readonly #isManager: boolean;
      constructor(isManager: boolean) {
        this.#isManager = isManager;
      }
      isManager(): boolean {
        return this.#isManager;
      }
    }
    const isManager = (principal: Principal) =>
      principal instanceof Login ? principal.isManager() : principal.role === 'manager';
    const principals = [
      { ...eve, role: 'manager' },
      { ...eve, role: 'clerk' },
      new Login(true),
      new Login(false),
      eve,
    ];
    const { told, flow } = await turnBeside(principals, {
      mayAnswer: (principal) => isManager(principal) || principal.id === ada.id,
    });
    await flow.close();
    expect(await Promise.all(told)).toEqual([
      ['open', 'approved'],
      ['over', 'over'],
      ['open', 'approved'],
      ['over', 'over'],
      ['over', 'over'],
    ]);
  });

  it('sends every feed every change, even if changes arrive during a read', async () => {
    const { flow, chat } = counted({ mayAnswer: () => true });
    const chats = Array.from({ length: 10 }, (_, index) => chat(`chat-${index}`));
    const [first, ...others] = await open(flow, repeated(eve));
    const settled = async (reader: typeof first) => {
      const ids = new Set<string>();
      while (ids.size < chats.length) {
        const next = await reader?.read();
        if (next?.done !== false) break;
        if (next.value.question.state === 'denied') ids.add(next.value.question.chatId);
      }
      return ids.size;
    };
    const told = [first, ...others].map(settled);
    await Promise.all(
      chats.map(async ({ say }) => {
        const approvalId = parseApprovalId(questionIn(await say('Pay.')));
        await flow.approvals.answer({ principal: eve, approvalId, approved: false, via: 'test' });
      }),
    );
    expect(await Promise.all(told)).toEqual(Array(feeds).fill(chats.length));
  });
});
