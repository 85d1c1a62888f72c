import type { UIMessageChunk } from 'ai';
import type { FlowEvent } from 'countersign/plugin';
import { fakeClock, type ScriptedPart } from 'countersign/testing';
import { expect } from 'vitest';
import { parseApprovalId, parseMessageId } from '../../lib/protocol/index.ts';
import { createTranscript } from '../../lib/views/transcript.ts';
import { adr } from '../support/adr.ts';
import { checkPrompt } from '../support/check-prompt.ts';
import { messageOf, plain } from '../support/client-message.ts';
import { ada, flowFixture, questionIn, types, userMessage } from '../support/flow-fixture.ts';
import { withPlainCuts } from './rejected/plain-cut.ts';

const { clause } = adr('0021-what-ran-stays-in-the-chat.md');
const day = 24 * 60 * 60 * 1000;
const regenerate = { trigger: 'regenerate-message' as const };
const pay = (id: string): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount: 30 }, id });
const weather: ScriptedPart = { call: 'weather', input: { city: 'Oslo' }, id: 'weather' };
const text = (words: string): ScriptedPart[] => [{ text: words }];

/** The ids of the calls that a message shows. */
function shown(message: { readonly parts: readonly object[] } | undefined): unknown[] {
  return (message?.parts ?? []).flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));
}

function repeatIn(chunks: readonly UIMessageChunk[]): unknown {
  const asked = chunks.find((chunk) => chunk.type === 'tool-approval-request' && !chunk.isAutomatic);
  return (asked as { approvalDescriptor: { repeatOf?: unknown } }).approvalDescriptor.repeatOf;
}

/** The model's prompt for this log. */
function promptOf(log: readonly FlowEvent[]): string {
  const transcript = createTranscript();
  for (const event of log) transcript.apply(event);
  return JSON.stringify(transcript.messages());
}

clause('0021.1', async () => {
  const { read, model, ran, store, id, say, answer, ask, view } = flowFixture([
    [pay('paid')],
    text('Paid.'),
    text('Done.'),
  ]);
  await answer(questionIn(await say('Pay.')), true);
  await read(await ask(regenerate));
  expect(ran).toHaveLength(1);
  expect(model.calls[2]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(shown((await view()).messages[1])).toEqual(['paid']);
  // Rejected: a cut that keeps nothing. The model does not know of the payment, and pays again.
  const log = await store.events.read(id, 0);
  expect(promptOf(log)).toContain('"toolCallId":"paid"');
  expect(promptOf(withPlainCuts(log))).not.toContain('"toolCallId":"paid"');
});

clause('0021.2', async () => {
  const { read, model, ran, say, answer, ask, view } = flowFixture([
    [pay('paid')],
    text('Paid.'),
    text('Done.'),
  ]);
  await answer(questionIn(await say('Pay Alice.')), true);
  const messageId = parseMessageId((await view()).messages[0]?.id ?? '');
  await read(await ask({ message: userMessage(messageId, 'Pay Bob.'), messageId }));
  const prompt = model.calls[2]?.prompt ?? [];
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(prompt[0]?.content).toMatchObject([{ text: 'Pay Alice.' }]);
  expect(prompt[3]?.content).toMatchObject([{ text: 'Pay Bob.' }]);
  expect(checkPrompt(prompt)).toEqual([]);
  const { messages } = await view();
  expect(messages[0]?.parts).toMatchObject([{ text: 'Pay Bob.' }]);
  expect(shown(messages[1])).toEqual(['paid']);
  expect(ran).toHaveLength(1);
});

clause('0021.3', async () => {
  const { read, model, say, answer, ask, view, stop } = flowFixture(
    [[weather, pay('denied')], text('Denied.'), text('Done.')],
    {
      toolDetails: { weather: { idempotent: true } },
    },
  );
  await answer(questionIn(await say('Pay.')), false);
  await read(await ask(regenerate));
  expect(model.calls[2]?.prompt.map(({ role }) => role)).toEqual(['user']);
  expect(shown((await view()).messages[1])).toEqual([]);

  const stopped = flowFixture([[pay('withdrawn'), pay('never')], text('Done.')]);
  const other = stopped.chat();
  await other.say('Pay.');
  await other.stop();
  await stopped.read(await other.ask(regenerate));
  expect(stopped.model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['user']);
  await stop();
});

clause('0021.4', async () => {
  for (const release of ['final', 'progressive'] as const) {
    const script = [
      [pay('one')],
      text('Paid.'),
      [pay('two')],
      text('Again.'),
      text('Edited.'),
      text('Anew.'),
    ];
    const { read, say, answer, ask, view, resume } = flowFixture(script, { release });
    const agree = async (responses: readonly UIMessageChunk[]) => {
      const message = plain((await view()).messages[1]);
      expect(await messageOf(responses)).toEqual(message);
      expect(await messageOf((await resume()) ?? [])).toEqual(message);
    };
    await answer(questionIn(await say('Pay.')), true);
    const asked = await read(await ask(regenerate));
    await agree([...asked, ...(await answer(questionIn(asked), true))]);
    const messageId = parseMessageId((await view()).messages[0]?.id ?? '');
    await agree(await read(await ask({ message: userMessage(messageId, 'Edited.'), messageId })));
    await agree(await read(await ask(regenerate)));
    expect(shown((await view()).messages[1]).toSorted()).toEqual(['one', 'two']);
  }
});

clause('0021.5', async () => {
  const logger = { warn: () => {}, error: () => {} };
  const { say, answer, events, view } = flowFixture([[pay('paid')], [], []], { logger });
  const last = await answer(questionIn(await say('Pay.')), true);
  expect(types(last)).not.toContain('error');
  expect((await events()).at(-1)).toMatchObject({ type: 'run-completed', why: 'silent' });
  expect(types(await say('And?')).at(-1)).toBe('error');
  expect((await view()).run.status).toBe('failed');
});

clause('0021.6', async () => {
  const clock = fakeClock();
  const script = [
    [pay('one')],
    text('Paid.'),
    [pay('two')],
    [pay('three')],
    [pay('four')],
    [pay('five')],
    [pay('six')],
  ];
  const { chat, say, answer } = flowFixture(script, { clock });
  const first = await say('Pay.');
  expect(repeatIn(first)).toBeUndefined();
  await answer(questionIn(first), true);
  const found = { outcome: 'completed', chatId: 'chat', toolCallId: 'one' };
  expect(repeatIn(await say('Pay.'))).toMatchObject(found);
  expect(repeatIn(await chat('other').say('Pay.'))).toMatchObject(found);
  expect(repeatIn(await chat('hers', { id: 'bea', name: 'Bea' }).say('Pay.'))).toBeUndefined();
  await clock.advance(day);
  expect(repeatIn(await chat('tomorrow').say('Pay.'))).toMatchObject(found);
  await clock.advance(1);
  expect(repeatIn(await chat('later').say('Pay.'))).toBeUndefined();
});

clause('0021.7', async () => {
  const bob = { id: 'bob', name: 'Bob' };
  const { chat, flow } = flowFixture([[pay('one')], text('Paid.'), [pay('two')]], {
    toolDetails: { pay: { approvers: () => true } },
  });
  const first = chat('first');
  await first.answer(questionIn(await first.say('Pay.')), true);
  const approvalId = parseApprovalId(questionIn(await chat('second').say('Pay.')));
  const asBob = await flow.approvals.read({ approvalId, principal: bob });
  expect(asBob.repeatOf).toEqual({ at: expect.any(Number), outcome: 'completed' });
  const asAda = await flow.approvals.read({ approvalId, principal: ada });
  expect(asAda.repeatOf).toEqual({ ...asBob.repeatOf, chatId: 'first', toolCallId: 'one' });
  expect(JSON.stringify(await chat('second').events())).not.toContain('first');
});

clause('0021.8', async () => {
  for (const edit of [regenerate, {}]) {
    const { read, model, ran, say, answer, ask, view } = flowFixture([
      [pay('paid')],
      text('Paid.'),
      text('Bob it is.'),
    ]);
    const alice = { ...userMessage('u1', 'Pay Alice.'), metadata: { at: 1 } };
    await answer(questionIn(await say('', { message: alice })), true);
    await read(await ask({ message: { ...alice, metadata: { at: 2 } } }));
    expect(model.calls).toHaveLength(2);
    await read(await ask({ message: userMessage('u1', 'Pay Bob.'), ...edit }));
    // Rejected: to answer the stored text. The page shows the new one.
    expect(model.calls[2]?.prompt.at(-1)?.content).toMatchObject([{ text: 'Pay Bob.' }]);
    const { messages } = await view();
    expect(messages[0]?.parts).toMatchObject([{ text: 'Pay Bob.' }]);
    expect(shown(messages[1])).toEqual(['paid']);
    expect(ran).toHaveLength(1);
  }
});
