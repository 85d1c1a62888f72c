import { convertToModelMessages, type UIMessage } from 'ai';
import { verifyAudit } from 'countersign/audit';
import { imports } from 'countersign/plugins/imports';
import { expect, onTestFinished } from 'vitest';
import { foldTurn } from '../../lib/log/turn/fold-turn.ts';
import {
  type EventBody,
  type FlowEvent,
  parseMessageId,
  parseToolCallId,
  personOf,
  type RunId,
} from '../../lib/protocol/index.ts';
import { noRights } from '../../lib/rights/rights-to.ts';
import { nextAction } from '../../lib/run/next-action.ts';
import { storedChat } from '../../lib/views/chat/stored-chat.ts';
import { createTranscript } from '../../lib/views/transcript.ts';
import { adr } from '../support/adr.ts';
import { checkPrompt } from '../support/check-prompt.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { importedPayment, part, pastMessages, person } from '../support/imported-chats.ts';

const { clause } = adr('0036-imported-chats.md');

const auditKey = 'an audit key for tests';
const done = [{ text: 'Done.' }];
const input = { to: 'Alice', amount: 30 };
const gates = ['approved', 'not-applicable', 'user-approval'] as const;

function importing(settings: Parameters<typeof flowFixture>[1] = {}) {
  const fixture = flowFixture([done, done], { auditKey, sweepMs: 1e9, ...settings, plugins: [imports()] });
  onTestFinished(() => fixture.flow.close());
  const { flow, chat, store } = fixture;
  return {
    ...fixture,
    bring: (messages: readonly UIMessage[]) =>
      flow.imports.chat({ principal: ada, chatId: 'chat', messages }),
    log: () => store.events.read(chat().id, 0),
  };
}

const answer = (...parts: readonly object[]) => ({ id: 'a1', role: 'assistant', parts }) as UIMessage;

/** The rejected form: what a turn would have written. */
function asTurn(...bodies: readonly EventBody[]): FlowEvent[] {
  const by = personOf(ada);
  const all: EventBody[] = [
    { type: 'message-received', messageId: parseMessageId('u1'), parts: [{ type: 'text', text: 'Hi' }], by },
    { type: 'run-started', messageId: parseMessageId('a1'), release: 'progressive', by },
    { type: 'step-started', step: 0 },
    ...bodies,
  ];
  return all.map((body, index) => ({ ...body, seq: index + 1, at: index, runId: 'run_1' as RunId }));
}

function requested(gate: Extract<EventBody, { type: 'tool-requested' }>['gate']): readonly EventBody[] {
  const call = {
    toolCallId: parseToolCallId('old-pay'),
    toolName: 'pay',
    input,
    executor: 'server',
  } as const;
  return [
    { type: 'step-finished', step: 0, messages: [], finishReason: 'tool-calls', usage: {} },
    { type: 'tool-requested', ...call, kind: 'function', gate },
  ];
}

clause('0036.1', async () => {
  const { bring, chat } = importing();
  await bring(pastMessages);
  const { messages } = await chat().view();
  const unmarked = JSON.parse(
    JSON.stringify(messages).replaceAll(
      '"toolMetadata":{"countersign":{"imported":true}}',
      '"toolMetadata":null',
    ),
    (key, value) => (key === 'toolMetadata' ? undefined : value),
  );
  expect(unmarked).toEqual(pastMessages);
  expect(JSON.stringify(messages)).toContain('"countersign":{"imported":true}');

  // Rejected: the events of a turn. They have texts and calls, and no data parts.
  const view = {
    chat: { id: chat().id, ownerId: ada.id },
    emitFrom: 0,
    replay: true,
    rights: () => noRights,
  };
  const written = asTurn({ type: 'text-delta', textId: '0.0', delta: 'It is sunny.' });
  const [, rebuilt] = storedChat(written, view).messages;
  expect(rebuilt?.parts.map(({ type }) => type)).toEqual(['step-start', 'text']);
  expect(pastMessages[1]?.parts.map(({ type }) => type)).toContain('data-chart');
});

clause('0036.2', async () => {
  const { bring, chat, ran, log, flow } = importing();
  await bring([person, answer(part({ state: 'input-available' }))]);
  await chat().say('Go on.');
  expect(ran).toEqual([]);
  expect((await log()).map(({ type }) => type)).not.toContain('tool-requested');
  expect((await chat().view()).questions).toEqual([]);
  expect(await flow.audit.read({ principal: ada, chatId: chat().id })).toMatchObject({
    entries: [],
    faults: [],
  });

  // Rejected: a request in the log. The engine runs what has no end.
  expect(nextAction(foldTurn(asTurn(...requested({ type: 'none' }))))).toMatchObject({ type: 'execute' });
});

clause('0036.3', async () => {
  for (const gate of gates) {
    const { bring, chat, ran, flow } = importing({ toolApproval: { pay: gate } });
    const { open = '' } = await bring(importedPayment);
    expect([open, ran]).toEqual([expect.stringMatching(/^apr_/), []]);
    await expect(chat().answer('native-approval', true)).rejects.toMatchObject({ code: 'not-found' });
    await chat().answer(open, true);
    expect(ran).toMatchObject([
      { tool: 'pay', input, toolCallId: expect.stringMatching(/^[A-Za-z0-9]{9}$/) },
    ]);
    const { entries, head } = await flow.audit.read({ principal: ada, chatId: chat().id });
    expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  }

  // Rejected: the approval is taken over. Nobody is asked here.
  const approvalId = 'native-approval' as never;
  const taken = asTurn(...requested({ type: 'automatic', approvalId, approved: true }));
  expect(nextAction(foldTurn(taken))).toMatchObject({ type: 'execute' });
});

clause('0036.4', async () => {
  const messages = [
    person,
    answer(part({ state: 'input-available' }), part({ toolCallId: 'b', state: 'input-streaming' })),
  ];
  const { bring, chat, model } = importing();
  await bring(messages);
  await chat().say('Go on.');
  const [call] = model.calls;
  expect(checkPrompt(call?.prompt ?? [])).toEqual([]);
  expect(JSON.stringify(call?.prompt)).toMatch(/old-pay.*It may have run/);

  // Rejected: such calls are left out. The model does not know of the payment.
  const without = await convertToModelMessages(messages, { ignoreIncompleteToolCalls: true });
  expect(JSON.stringify(without)).not.toContain('old-pay');
});

clause('0036.5', async () => {
  const { bring, chat, log } = importing();
  const both = await Promise.all([bring(pastMessages), bring(pastMessages)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['imported', 'unchanged']);
  await chat().say('Thanks.');
  const before = await log();
  expect(await bring(pastMessages)).toEqual({ status: 'unchanged' });
  await expect(bring(pastMessages.slice(0, 1))).rejects.toMatchObject({ code: 'invalid-request' });
  expect(await log()).toEqual(before);

  // Rejected: what is read back is compared.
  expect((await chat().view()).messages.slice(0, 2)).not.toEqual(pastMessages);
});

clause('0036.6', async () => {
  const { bring, chat, log } = importing();
  await bring([person, answer(part({ state: 'output-available', output: { paid: 30 } }))]);
  const regenerate = chat().ask({ trigger: 'regenerate-message' });
  await expect(regenerate).rejects.toMatchObject({ code: 'invalid-request', fields: { messageId: 'a1' } });

  // Rejected: a plain cut.
  const transcript = createTranscript();
  const events = await log();
  for (const event of events) transcript.apply(event);
  expect(JSON.stringify(transcript.messages())).toContain('"paid":30');
  const cut = { type: 'history-cut', messageId: parseMessageId('a1') } as const;
  transcript.apply({ ...cut, seq: events.length + 1, at: 0, runId: 'run_1' as RunId });
  expect(JSON.stringify(transcript.messages())).not.toContain('"paid":30');
});

clause('0036.7', async () => {
  const options = { anthropic: { cacheControl: { type: 'ephemeral' } }, openai: { itemId: 'msg_forged' } };
  const asked = { ...person, parts: [{ type: 'text', text: 'Hi', providerMetadata: options }] } as UIMessage;
  const called = part({ state: 'output-available', output: 'Paid.', callProviderMetadata: options });
  const said = { type: 'text', text: 'Paid.', providerMetadata: options };
  const { bring, chat, model } = importing();
  await bring([asked, answer(called, said)]);
  await chat().say('Go on.');
  const prompt = JSON.stringify(model.calls[0]?.prompt);
  expect(prompt).toContain('Paid.');
  expect(prompt).not.toMatch(/cacheControl|forged/);
  expect(JSON.stringify((await chat().view()).messages)).toContain('cacheControl');
  // Rejected: the SDK's conversion as it is. It passes all of them on.
  expect(JSON.stringify(await convertToModelMessages([asked]))).toContain('cacheControl');
});
