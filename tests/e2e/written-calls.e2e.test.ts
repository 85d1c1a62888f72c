import type { UIMessageChunk } from 'ai';
import type { Release } from 'countersign';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../lib/client/chat/chat-items.ts';
import { unreleased } from '../../lib/client/chat/live/draft.ts';
import { initialLiveParts, reduceLiveParts } from '../../lib/client/chat/live/live-parts.ts';
import { barrier } from '../support/barrier.ts';
import { clientMessage, messageOf } from '../support/client-message.ts';
import { questionIn, types } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { type ConnectRaw, rawChat } from '../support/raw-client.ts';
import { serveFixture } from '../support/serve-fixture.ts';

const sky = JSON.stringify({ city: 'Rome' });
const payment = JSON.stringify({ to: 'alice', amount: 1 });

/** A step that writes two calls, the second one gated. The model pauses before it makes them. */
function twoCalls() {
  const paused = barrier();
  const script: ScriptedStep[] = [
    [
      { text: 'Let me see.' },
      { writes: 'weather', id: 'sky', input: [sky.slice(0, 6), sky.slice(6)] },
      { writes: 'pay', id: 'bill', input: payment },
      { wait: paused.wait },
      { call: 'weather', id: 'sky', input: JSON.parse(sky) },
      { call: 'pay', id: 'bill', input: JSON.parse(payment) },
      { text: 'One moment.' },
    ],
    [{ text: 'Done.' }],
  ];
  return { paused, script };
}

/** Reads the first response, and lets the model go on when both calls are visible. */
async function play(connect: ConnectRaw, release: Release) {
  const { paused, script } = twoCalls();
  const { url } = await serveFixture(script, { release });
  const client = await connect(url);
  const chat = rawChat(client);
  const first: UIMessageChunk[] = [];
  const message = chat.userMessage('Go.');
  for await (const chunk of await client.open({ id: 'chat', trigger: 'submit-message', message })) {
    first.push(chunk);
    if (JSON.stringify(chunk).includes('alice')) paused.lift();
  }
  const reader = clientMessage();
  await reader.read(first);
  reader.answer(questionIn(first), true);
  const last = await chat.answer(questionIn(first), true);
  await reader.read(last);
  const stored = await (await fetch(`${url}/api/chat/chat`)).json();
  const replayed = (await chat.resume()) ?? [];
  return { first, last, replayed, message: reader.value, stored: stored.messages.at(-1) };
}

const written = (chunks: readonly UIMessageChunk[], id: string) =>
  chunks
    .flatMap((chunk) =>
      chunk.type === 'data-tool-input' ? [chunk.data as { toolCallId: string; delta: string }] : [],
    )
    .flatMap(({ toolCallId, delta }) => (toolCallId === id ? [delta] : []))
    .join('');

/** What a page shows in the end, and its texts and calls after each chunk of a response, in the order of its items. */
async function shown(chunks: readonly UIMessageChunk[]) {
  let live = initialLiveParts(undefined);
  const views: string[][] = [];
  for (const [index, chunk] of chunks.entries()) {
    if (
      chunk.type === 'data-tool-input' ||
      chunk.type === 'data-tool-lifecycle' ||
      chunk.type === 'data-draft'
    )
      live = reduceLiveParts(live, { type: 'received', part: chunk });
    const message = await messageOf(chunks.slice(0, index + 1));
    const view = { isLast: true, isRunning: true, draft: unreleased(live.draft, message) };
    views.push(
      itemsOf(message, live, view).map((item) => ('text' in item ? item.text : item.call.toolCallId)),
    );
  }
  return views;
}

describe.each(modes)('%s: calls that the model is writing [T18]', (_mode, connect) => {
  it('are transient parts in final release, and in a replay as well', async () => {
    const { first, last, replayed, message, stored } = await play(connect, 'final');
    expect([written(first, 'sky'), written(first, 'bill')]).toEqual([sky, payment]);
    expect([written(replayed, 'sky'), written(replayed, 'bill')]).toEqual([sky, payment]);
    expect(types(first)).toEqual([
      ...['start', 'start-step', 'tool-input-start', 'tool-input-available', 'tool-approval-request'],
      ...['finish-step', 'finish'],
    ]);
    expect(types([...first, ...last])).not.toContain('tool-input-delta');
    expect(stored).toEqual(message);
    expect(await messageOf(replayed)).toEqual(message);
  });

  it('are parts in progressive release, if they can never ask', async () => {
    const { first, last, replayed, message, stored } = await play(connect, 'progressive');
    expect([written(first, 'sky'), written(first, 'bill')]).toEqual(['', payment]);
    const deltas = first.flatMap((chunk) =>
      chunk.type === 'tool-input-delta' ? [chunk.inputTextDelta] : [],
    );
    expect(deltas.join('')).toBe(sky);
    const starts = [...first, ...last].flatMap((chunk) =>
      chunk.type === 'tool-input-start' ? [chunk.toolCallId] : [],
    );
    expect(starts).toEqual(['sky', 'bill']);
    expect(stored).toEqual(message);
    expect(await messageOf(replayed)).toEqual(message);
  });

  it.each<Release>(['final', 'progressive', 'hold-after-question'])(
    'stand from their first word where they stay, with %s',
    async (release) => {
      const { first } = await play(connect, release);
      const views = await shown(first);
      const end = views.at(-1) ?? [];
      expect([...end].sort()).toEqual(['Let me see.', 'One moment.', 'bill', 'sky']);
      for (const view of views) {
        expect(view).toEqual(end.filter((item) => view.includes(item)));
      }
    },
  );
});
