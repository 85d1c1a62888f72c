import type { UIMessageChunk } from 'ai';
import { fakeClock, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { type ApprovalId, parseApprovalId, parseMessageId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn, userMessage } from '../../support/flow-fixture.ts';
import { passTime } from '../../support/pass-time.ts';
import { untilIdle } from '../../support/until-idle.ts';

const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const script = [[pay(1), pay(2)], [{ text: 'Two.' }], [{ text: 'Three.' }]];

type Fixture = ReturnType<typeof asking>;

function asking() {
  const clock = fakeClock();
  const fixture = flowFixture(script, { clock, deadlineMs: 60_000 });
  const answer = (id: string, approved: boolean, via: string) =>
    fixture.ask({ answers: [{ approvalId: parseApprovalId(id), approved }], via }).then(fixture.read);
  return { ...fixture, clock, answer };
}

/** The messages that a response says have changed, and what comes before. */
function changedIn(chunks: readonly UIMessageChunk[]): unknown[] {
  return chunks.flatMap((chunk, index) =>
    chunk.type === 'data-message-changed' ? [chunks[index - 1]?.type, chunk.transient, chunk.data] : [],
  );
}

describe('the response to a message names the earlier one that has changed [H8, S18]', () => {
  it.each<[string, (fixture: Fixture, approvalId: ApprovalId) => unknown]>([
    ['cancels its question', () => {}],
    ['brings its denial', (_, approvalId) => ({ answers: [{ approvalId, approved: false }] })],
    ['brings its approval', (_, approvalId) => ({ answers: [{ approvalId, approved: true }] })],
    ['comes after it was stopped', ({ stop }) => stop()],
    [
      'comes after its last question was answered elsewhere',
      async ({ flow, answer }, id) => {
        const approvalId = parseApprovalId(questionIn(await answer(id, true, 'sse')));
        await flow.approvals.answer({ principal: ada, via: 'http', approvalId, approved: false });
        await untilIdle();
      },
    ],
    ['comes after its questions have expired', ({ clock }) => passTime(clock, 120_000, 60_000)],
  ])('if the new one %s', async (_how, before) => {
    const fixture = asking();
    const { say, view, ask, read } = fixture;
    const id = parseApprovalId(questionIn(await say('One.')));
    const more = (await before(fixture, id)) ?? {};
    const message = userMessage('next', 'Next.');
    const via = 'sse';
    const changed = ['start', true, { messageId: (await view()).messages[1]?.id }];
    expect(changedIn(await read(await ask({ message, via, ...more })))).toEqual(changed);
    expect(changedIn(await read(await ask({ message, via })))).toEqual(changed);
  });

  it.each<[string, object]>([
    ['a message after a turn that its page has read', { message: userMessage('next', 'Next.') }],
    ['a regenerate', { trigger: 'regenerate-message' }],
    ['an edit', { message: userMessage('user-1', 'Edited.'), messageId: parseMessageId('user-1') }],
  ])('but none for %s', async (_what, request) => {
    const { say, answer, ask, read } = asking();
    const next = questionIn(await answer(questionIn(await say('One.')), true, 'sse'));
    await answer(next, true, 'sse');
    expect(changedIn(await read(await ask(request)))).toEqual([]);
  });
});
