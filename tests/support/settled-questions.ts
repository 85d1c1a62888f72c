import type { Principal } from 'countersign';
import { createApprovalFlow, type FlowSettings } from 'countersign';
import { insights } from 'countersign/plugins/insights';
import { sqliteStore } from 'countersign/store';
import { fakeClock, scriptedModel } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseChatId, type Question } from '../../lib/protocol/index.ts';
import { batch, question, text } from '../contract/store-batches.ts';

export const olga: Principal = { id: 'olga', name: 'Olga', role: 'operator' };
export const mayOperate = ({ role }: Principal) => role === 'operator';

/** Midnight, UTC, of a Monday. */
export const monday = Date.UTC(2026, 5, 1);
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** What a test says about a question. `after`: how long it waited for its answer, in milliseconds. */
export type Told = Partial<Question> & {
  readonly at?: number;
  readonly after?: number;
  readonly by?: string;
};

/** A settled question. Without `after`, it ended without an answer. */
export function told(
  id: string,
  { at = monday, after, by = 'ben', state = 'approved', ...more }: Told,
): Question {
  const input = more.answer?.input;
  const answer = {
    ...{ approved: state === 'approved', by: { id: by, name: by.toUpperCase() }, via: 'http' },
    ...{ at: at + (after ?? 0), ...(input !== undefined && { input }) },
  };
  const { answer: _, ...rest } = more;
  return question(id, {
    ...{ chatId: parseChatId(`chat-${id}`), requestedAt: at, state },
    ...rest,
    ...(after !== undefined && { answer }),
  });
}

/** Writes questions to a store, each in a chat of its own, as they are. */
export async function write(store: FlowStore, questions: readonly Question[]): Promise<void> {
  for (const one of questions) {
    const head = { ownerId: one.ownerId, status: 'idle' as const };
    await store.append(
      batch(one.chatId, 0, [text()], { at: one.requestedAt, questions: [one], head, lease: null }),
    );
  }
}

/** A flow that counts, a day after Monday, on a store with these questions. */
export async function countingFlow(questions: readonly Told[], settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  clock.advance(monday + day - clock.now());
  const store = settings.store ?? sqliteStore({ path: ':memory:' });
  await write(
    store,
    questions.map((one, index) => told(`q${index}`, one)),
  );
  const flow = createApprovalFlow({
    ...{ model: scriptedModel([]), clock, mayOperate, ...settings, store },
    plugins: [insights()],
  });
  onTestFinished(() => flow.close());
  return {
    ...{ flow, store, clock },
    report: (more: Partial<Parameters<typeof flow.insights.read>[0]> = {}) =>
      flow.insights.read({ principal: olga, ...more }),
  };
}
