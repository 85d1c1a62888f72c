import { expect, it } from 'vitest';
import { parseToolCallId } from '../../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';

const pay = (id: string) => ({ call: 'pay', id, input: { to: 'alice', amount: 30 } });

it.each([
  ['the call that waits for an answer', 'a', true, 'cancelled'],
  ['a call that is not asked about yet', 'b', false, 'open'],
  ['an unknown call', 'c', false, 'open'],
])('cancelling %s: the first question is then %s', async (_what, named, isCancelled, state) => {
  const { flow, chat } = flowFixture([[pay('a'), pay('b')], [{ text: 'Done.' }]]);
  const { id, say, view } = chat();
  questionIn(await say('Pay twice.'));
  const toolCallId = parseToolCallId(named);
  expect(await flow.chats.cancelCall({ chatId: id, principal: ada, toolCallId })).toBe(isCancelled);
  expect((await view()).questions[0]).toMatchObject({ toolCallId: 'a', state });
});
