import { sqliteStore } from 'countersign/store';
import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import {
  continueStream,
  emptyStreamState,
  reduceStreamEvent,
} from '../../../lib/plugins/two-step-stream/client/reducer.ts';
import type { StreamEvent } from '../../../lib/plugins/two-step-stream/client/schema.ts';
import { gate } from './support/gate.ts';
import { answerOverHttp, type DialectSettings, serveDialects } from './support/serve-dialects.ts';
import { arrivingFrames, startStream, streamFrames, type WireFrame } from './support/two-step-client.ts';

const weather = (id: string) => ({ call: 'weather', id, input: { city: 'Oslo' } });
const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };
const never = new Promise<void>(() => {});
const eventsOf = (frames: readonly WireFrame[]) => frames.map(({ event }) => event);
/** What a client that knows `reset` shows. */
const shownIn = (events: readonly StreamEvent[], before = emptyStreamState) =>
  events.reduce(reduceStreamEvent, before);
/** What a client of an earlier version shows. */
const addedUp = (events: readonly StreamEvent[]) =>
  events.map((event) => (event.type === 'message_chunk' ? event.data.text : '')).join('');

/** Instances on one store, one after the other. Each closes before the next begins. */
function instances(settings: DialectSettings = {}) {
  const store = sqliteStore({ path: ':memory:' });
  let close = async () => {};
  return async (script: Script) => {
    await close();
    const served = await serveDialects(script, { ...settings, store });
    close = () => served.flow.close();
    await served.flow.recover();
    return served;
  };
}

/** Reads a stream until this text has come, and leaves. */
async function readTo(url: string, streamId: string, text: string, lastId?: string): Promise<WireFrame[]> {
  const seen: WireFrame[] = [];
  for await (const frame of arrivingFrames(url, streamId, lastId ? { 'last-event-id': lastId } : {})) {
    seen.push(frame);
    if (addedUp(eventsOf(seen)).endsWith(text)) break;
  }
  return seen;
}

async function storedText(url: string, chatId: string): Promise<string> {
  const { messages } = await (await fetch(`${url}/api/chat/${chatId}`)).json();
  const parts: { type: string; text?: string }[] = messages.at(-1).parts;
  return parts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');
}

describe('two-step stream: restarts during a turn', () => {
  it.each(['final', 'progressive', 'hold-after-question'] as const)(
    'shows the text once after three of them, to whoever reads when, with release %s [B19]',
    async (release) => {
      const restart = instances({ release });
      const first = await restart([
        [{ text: 'One. ' }, weather('a')],
        [{ text: 'Two ' }, { wait: never }],
      ]);
      const { stream_id, chat_id } = await startStream(first.url, 'Count');
      const seen = await readTo(first.url, stream_id, 'Two ');
      const second = await restart([[{ text: ['Two ', 'and '] }, { wait: never }]]);
      seen.push(...(await readTo(second.url, stream_id, 'and ', seen.at(-1)?.id)));
      // This reader comes between two restarts, and has nothing of the first attempt.
      const late = await readTo(second.url, stream_id, 'and ');
      const third = await restart([[{ text: 'Tw' }, { wait: never }]]);
      seen.push(...(await readTo(third.url, stream_id, 'Tw', seen.at(-1)?.id)));
      const last = await restart([[{ text: ['Two ', 'and three.'] }, weather('b')], [{ text: ' Four.' }]]);
      seen.push(...(await streamFrames(last.url, stream_id, { 'last-event-id': seen.at(-1)?.id ?? '' })));
      late.push(...(await streamFrames(last.url, stream_id, { 'last-event-id': late.at(-1)?.id ?? '' })));

      const whole = 'One. Two and three. Four.';
      expect(await storedText(last.url, chat_id)).toBe(whole);
      expect(shownIn(eventsOf(seen))).toMatchObject({ text: whole, done: 'complete' });
      expect(shownIn(eventsOf(late))).toMatchObject({ text: whole, done: 'complete' });
      const resets = eventsOf(seen).filter(({ type }) => type === 'reset');
      expect(resets).toEqual(Array.from({ length: 3 }, () => ({ type: 'reset', data: { text: 'One. ' } })));
      expect(eventsOf(late).filter(({ type }) => type === 'reset')).toHaveLength(1);

      const fresh = await streamFrames(last.url, stream_id);
      expect(addedUp(eventsOf(fresh))).toBe(whole);
      expect(eventsOf(fresh).map(({ type }) => type)).not.toContain('reset');
      // From whatever place a reader comes back, it ends with the whole text.
      for (const [index, { id }] of seen.slice(0, -1).entries()) {
        const rest = await streamFrames(last.url, stream_id, { 'last-event-id': id });
        expect(shownIn(eventsOf([...seen.slice(0, index + 1), ...rest])).text).toBe(whole);
      }
    },
  );

  it('goes on after one while a question is open, and a later one resets to the text of the whole turn [B18, B19]', async () => {
    const restart = instances();
    const first = await restart([[{ text: 'Paying. ' }, pay]]);
    const { stream_id, chat_id } = await startStream(first.url, 'Pay');
    const asked = eventsOf(await streamFrames(first.url, stream_id));
    const question = asked.find(({ type }) => type === 'approval_request');
    const approvalId = question?.type === 'approval_request' ? question.data.approval_id : '';
    const second = await restart([[{ text: 'Alm' }, { wait: never }]]);
    expect(eventsOf(await streamFrames(second.url, stream_id))).toEqual(asked);
    const { body } = await answerOverHttp(second.url, approvalId, { approved: true });
    const seen = await readTo(second.url, body.stream_id, 'Alm');
    const third = await restart([[{ text: 'Paid.' }]]);
    seen.push(...(await streamFrames(third.url, body.stream_id, { 'last-event-id': seen.at(-1)?.id ?? '' })));

    expect(eventsOf(seen).filter(({ type }) => type === 'reset')).toEqual([
      { type: 'reset', data: { text: 'Paying. ' } },
    ]);
    const state = shownIn(eventsOf(seen), continueStream(shownIn(asked)));
    expect(state).toMatchObject({ text: 'Paying. Paid.', done: 'complete' });
    expect(state.activities.get('pay')).toMatchObject({ status: 'completed', approvalId: undefined });
    expect(await storedText(third.url, chat_id)).toBe('Paying. Paid.');
    const fresh = eventsOf(await streamFrames(third.url, body.stream_id));
    expect(addedUp([...asked, ...fresh])).toBe('Paying. Paid.');
  });

  it('takes back what a failed model call said, which older clients see twice on this connection only [B19]', async () => {
    const held = gate();
    const { url } = await serveDialects(
      [
        [{ text: 'Hello the' }, { wait: held.passed }, { error: new Error('broken') }],
        [{ text: 'Hello there.' }],
      ],
      { streamRetries: 1 },
    );
    const { stream_id } = await startStream(url, 'Hi');
    const live: StreamEvent[] = [];
    for await (const { event } of arrivingFrames(url, stream_id)) {
      live.push(event);
      held.open();
    }
    expect(shownIn(live).text).toBe('Hello there.');
    expect(addedUp(live)).toBe('Hello theHello there.');
    expect(addedUp(eventsOf(await streamFrames(url, stream_id)))).toBe('Hello there.');
  });
});
