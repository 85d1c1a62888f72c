import type { UIMessage, UIMessageChunk } from 'ai';
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { checkResponseTiming, type ScriptedPart, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { clientMessage, messageOf } from '../support/client-message.ts';
import { lasting, questionIn, types } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { type ConnectRaw, rawChat } from '../support/raw-client.ts';
import { serveFixture } from '../support/serve-fixture.ts';

const release = 'hold-after-question';
const pay = (amount: number): ScriptedPart => ({ call: 'pay', input: { to: 'alice', amount } });
const weather: ScriptedPart = { call: 'weather', id: 'sky', input: { city: 'Rome' } };
const text = ['text-start', 'text-delta', 'text-end'];
const shown = ['tool-input-start', 'tool-input-available'];
const question = [...shown, 'tool-approval-request'];
const predicates = [
  sse.sendAutomaticallyWhen,
  bidi.sendAutomaticallyWhen,
  lastAssistantMessageIsCompleteWithApprovalResponses,
];

async function open(connect: ConnectRaw, script: ScriptedStep[]) {
  const served = await serveFixture(script, { release });
  const chat = rawChat(await connect(served.url));
  const client = clientMessage();
  const responses: UIMessageChunk[][] = [];
  const read = async (chunks: UIMessageChunk[]) => {
    responses.push(chunks);
    await client.read(chunks);
    return chunks;
  };
  return {
    ...served,
    responses,
    client,
    resume: chat.resume,
    say: async () => read(await chat.say('Go.')),
    /** Answers the open question, as a client that sends automatically would. */
    async answer(approved: boolean) {
      const id = questionIn(responses.at(-1) ?? []);
      client.answer(id, approved);
      expect(predicates.map((isTime) => isTime({ messages: [client.value] }))).toEqual([true, true, true]);
      return read(await chat.answer(id, approved));
    },
    async stored(): Promise<{ messages: UIMessage[]; draft?: string }> {
      return (await fetch(`${served.url}/api/chat/${chat.id}`)).json();
    },
    /** The turn is over: its responses keep the rules, and every reader has the same message. */
    async expectEnded() {
      expect(checkResponseTiming(responses, { release, finished: true })).toEqual([]);
      expect(predicates.map((isTime) => isTime({ messages: [client.value] }))).toEqual([false, false, false]);
      expect((await this.stored()).messages.at(-1)).toEqual(client.value);
      expect(await messageOf((await this.resume()) ?? [])).toEqual(client.value);
    },
  };
}

const drafted = (chunks: readonly UIMessageChunk[]) =>
  chunks
    .flatMap((chunk) => (chunk.type === 'data-draft' ? [chunk.data as { delta: string }] : []))
    .map(({ delta }) => delta)
    .join('');

describe.each(modes)('%s: a turn that is held after its first question', (_mode, connect) => {
  it('streams up to the question, and withholds what follows it until the last answer [T17]', async () => {
    const chat = await open(connect, [
      [{ text: 'Looking. ' }, weather],
      [{ text: 'Sunny. ' }, pay(1), { text: 'Please confirm. ' }],
      [{ text: 'Once more. ' }, pay(2)],
      [{ text: 'Done.' }],
    ]);
    expect(types(await chat.say())).toEqual([
      ...['start', 'start-step', ...text, ...shown, 'tool-output-available', 'finish-step'],
      ...['start-step', ...text.slice(0, 2), ...text.slice(0, 2), 'text-end', 'text-end', ...question],
      ...['finish-step', 'finish'],
    ]);
    expect(drafted(chat.responses[0] ?? [])).toBe('');
    const second = await chat.answer(true);
    expect(types(second)).toEqual([
      ...['start', 'start-step', 'tool-approval-response', ...question, 'finish-step', 'finish'],
    ]);
    expect(drafted(second)).toBe('Once more. ');
    const last = await chat.answer(true);
    expect(types(last)).toEqual([
      ...['start', 'start-step', 'tool-approval-response', ...text, ...text],
      ...['tool-output-available', 'tool-output-available', 'finish-step', 'finish'],
    ]);
    expect(lasting(last).flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.delta] : []))).toEqual([
      'Once more. ',
      'Done.',
    ]);
    await chat.expectEnded();
  });

  it('sends the outcomes of parallel calls that ended before the question, and no other [T17]', async () => {
    const chat = await open(connect, [
      [pay(1), weather, pay(2)],
      [{ call: 'weather', id: 'later', input: { city: 'Oslo' } }],
      [{ text: 'Done.' }],
    ]);
    const outcomes = (chunks: UIMessageChunk[]) =>
      chunks.flatMap((chunk) => (chunk.type === 'tool-output-available' ? [chunk.toolCallId] : []));
    expect(outcomes(await chat.say())).toEqual(['sky']);
    expect(outcomes(await chat.answer(true))).toEqual([]);
    expect(outcomes(await chat.answer(true))).toEqual(['call-0-0', 'call-0-2', 'later']);
    await chat.expectEnded();
  });

  it('denies a call, and says so with the other withheld outcomes [T8, T17]', async () => {
    const chat = await open(connect, [[{ text: 'Paying. ' }, pay(1), pay(2)], [{ text: 'Done.' }]]);
    await chat.say();
    expect(types(await chat.answer(false))).not.toContain('tool-output-denied');
    expect(types(await chat.answer(true)).slice(-4)).toEqual([
      ...['tool-output-denied', 'tool-output-available', 'finish-step', 'finish'],
    ]);
    expect(chat.ran).toMatchObject([{ input: { amount: 2 } }]);
    await chat.expectEnded();
  });

  it('streams a whole turn in which nothing is asked [T10, T17]', async () => {
    const chat = await open(connect, [[{ text: 'Looking. ' }, weather], [{ text: 'Sunny.' }]]);
    const response = await chat.say();
    expect(types(response).indexOf('tool-output-available')).toBeLessThan(
      types(response).lastIndexOf('text-start'),
    );
    await chat.expectEnded();
  });

  it('gives a page that reloads between the answers what was sent, and the rest as a draft [T17]', async () => {
    const chat = await open(connect, [
      [{ text: 'First. ' }, pay(1)],
      [{ text: 'Second. ' }, pay(2)],
      [{ text: 'Done.' }],
    ]);
    await chat.say();
    await chat.answer(true);
    const { messages, draft } = await chat.stored();
    expect(draft).toBe('Second. ');
    expect(messages.at(-1)).toEqual(chat.client.value);
    const replay = (await chat.resume()) ?? [];
    expect(await messageOf(replay)).toEqual(chat.client.value);
    expect(drafted(replay)).toBe('Second. ');
    await chat.answer(true);
    await chat.expectEnded();
  });

  it('releases what was withheld when the turn fails [T16, T17]', async () => {
    const chat = await open(connect, [
      [{ text: 'First. ' }, pay(1)],
      [{ text: 'Half of ' }, { error: new Error('The vendor is down.') }],
    ]);
    await chat.say();
    expect(types(await chat.answer(true))).toEqual([
      ...['start', 'start-step', 'tool-approval-response', ...text],
      ...['tool-output-available', 'finish-step', 'error'],
    ]);
    expect((await chat.stored()).messages.at(-1)).toEqual(chat.client.value);
  });
});
