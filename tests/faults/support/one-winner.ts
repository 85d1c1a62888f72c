import { expect } from 'vitest';
import type { AskedChat, twoInstances } from './two-instances.ts';

const ends = ['tool-completed', 'tool-failed', 'tool-denied', 'tool-cancelled'];
const runEnds = ['run-suspended', 'run-completed', 'run-failed', 'run-cancelled'];

/**
 * Checks a finished chat after a race: its question was settled once, its call ran at most once and only after
 * approval, every run has one end, and both instances show the same.
 *
 * @returns how the question was settled
 */
export async function expectOneWinner(
  instances: ReturnType<typeof twoInstances>,
  chat: AskedChat,
): Promise<'answered' | 'withdrawn'> {
  const [seen, other] = await Promise.all(instances.flows.map((flow) => chat.seenBy(flow)));
  expect(other).toEqual(seen);
  if (!seen) throw new Error('No instance has a view of the chat.');
  const { timeline, question } = seen;
  expect(seen.chat.run.status).toBe('idle');
  expect(seen.chat.open).toBeUndefined();

  const settled = timeline.filter(
    ({ type }) =>
      type === 'approval-answered' || type === 'approval-withdrawn' || type === 'approval-granted',
  );
  expect(settled.map(({ type }) => type)).toHaveLength(1);
  const [answer] = settled;
  const approved = answer?.type === 'approval-answered' && answer.approved;
  expect(question.state).toBe(
    answer?.type === 'approval-withdrawn' ? answer.reason : approved ? 'approved' : 'denied',
  );

  const call = timeline.filter((event) => 'toolCallId' in event);
  const started = call.filter(({ type }) => type === 'tool-started').length;
  const [end, ...more] = call.filter(({ type }) => ends.includes(type));
  expect(more).toEqual([]);
  expect(started).toBeLessThanOrEqual(approved ? 1 : 0);
  // A stop may come between the durable start and `execute`. Then nothing ran, and the record says so.
  expect(instances.paid(chat.chatId)).toBe(end?.type === 'tool-cancelled' ? 0 : started);

  for (const { runId } of timeline.filter(({ type }) => type === 'run-started')) {
    const ended = timeline.filter((event) => event.runId === runId && runEnds.includes(event.type));
    expect(ended).toHaveLength(1);
  }
  return answer?.type === 'approval-withdrawn' ? 'withdrawn' : 'answered';
}
