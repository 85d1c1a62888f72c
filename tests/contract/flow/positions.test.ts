import type { UIMessage, UIMessageChunk } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../../lib/client/chat/chat-items.ts';
import { unreleased } from '../../../lib/client/chat/live/draft.ts';
import {
  initialLiveParts,
  type LiveParts,
  reduceLiveParts,
} from '../../../lib/client/chat/live/live-parts.ts';
import { checkResponseTiming } from '../../../lib/testing/response-timing/check-response-timing.ts';
import { clientMessage } from '../../support/client-message.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const weather = { call: 'weather', input: { city: 'Oslo' } };
const search = { call: 'search', input: { query: 'users' } };
const pay = { call: 'pay', input: { to: 'Alice', amount: 30 } };
const script: ScriptedStep[] = [
  [
    { text: 'First the weather.' },
    { ...weather, id: 'weather' },
    { text: 'Now the rows.' },
    { ...search, id: 'search' },
  ],
  [{ text: 'Now I pay.' }, { ...pay, id: 'pay' }],
  [{ text: 'All done.' }],
];
const made = ['First the weather.', 'weather', 'Now the rows.', 'search', 'Now I pay.', 'pay', 'All done.'];

/** What our components show of a message, in order. `live`: while its turn is under way. */
function shownOf(message: unknown, live?: LiveParts): string[] {
  const shown = message as UIMessage;
  const draft = live ? unreleased(live.draft, shown) : [];
  const view = { isLast: true, isRunning: live !== undefined, draft };
  const items = itemsOf(shown, live ?? initialLiveParts(undefined), view);
  return items.map((item) => ('text' in item ? item.text : item.key));
}

/** What is known beside the message after these chunks. */
function liveAfter(chunks: readonly UIMessageChunk[], live: LiveParts): LiveParts {
  return chunks.reduce((known, part) => reduceLiveParts(known, { type: 'received', part }), live);
}

describe('text and calls are shown in the order in which they were made [T3]', () => {
  it('from the stream and from the stored chat, while both keep the order of T3', async () => {
    const { say, answer, view } = flowFixture(script);
    const client = clientMessage();
    const responses = [await say('Go.')];
    for (let asked = 0; asked < 2; asked += 1) {
      responses.push(await answer(questionIn(responses.at(-1) ?? []), true));
    }
    for (const response of responses) await client.read(response);
    expect(checkResponseTiming(responses, { finished: true })).toEqual([]);
    expect(shownOf(client.value)).toEqual(made);
    expect(shownOf((await view()).messages.at(-1))).toEqual(made);
  });

  it('at each moment of the turn, with drafts and reports [T6]', async () => {
    const { say, answer } = flowFixture(script);
    const before: (readonly UIMessageChunk[])[] = [];
    let live = initialLiveParts(undefined);
    /** Reads one response chunk by chunk. @returns what is shown at its end */
    const read = async (response: readonly UIMessageChunk[]): Promise<string[]> => {
      let shown: string[] = [];
      live = reduceLiveParts(live, { type: 'response-began' });
      for (const [index, chunk] of response.entries()) {
        live = liveAfter([chunk], live);
        const client = clientMessage();
        for (const chunks of [...before, response.slice(0, index + 1)]) await client.read(chunks);
        shown = shownOf(client.value, live);
        // The place of a call is in the chunk after this one, which is sent with it.
        if (chunk.type !== 'tool-input-start')
          expect(shown).toEqual(made.filter((one) => shown.includes(one)));
      }
      before.push(response);
      return shown;
    };

    const first = await say('Go.');
    expect(await read(first)).toEqual(made.slice(0, 4));
    const second = await answer(questionIn(first), true);
    expect(await read(second)).toEqual(made.slice(0, 6));
    expect(await read(await answer(questionIn(second), true))).toEqual(made);
  });

  it('after a reload, before and after the replay, which brings the calls that no part shows [H2, H4]', async () => {
    const { say, answer, view, resume } = flowFixture(script);
    await answer(questionIn(await say('Go.')), true);
    const { messages, drafts = [] } = await view();
    const loaded = reduceLiveParts(initialLiveParts({ drafts, questions: [] }), { type: 'response-began' });
    const asked = made.filter((one) => one !== 'weather' && one !== 'All done.');
    expect(shownOf(messages.at(-1), loaded)).toEqual(asked);
    expect(shownOf(messages.at(-1), liveAfter((await resume()) ?? [], loaded))).toEqual(made.slice(0, -1));
  });

  it('even if the call of a question was withdrawn, and with invalid input', async () => {
    const invalid = { call: 'weather', input: { town: 'Oslo' }, id: 'invalid' };
    const { say, view } = flowFixture([
      [{ text: 'One.' }, invalid, { text: 'Two.' }, { ...pay, id: 'pay' }],
      [{ text: 'Fine.' }],
    ]);
    await say('Go.');
    await say('Stop.');
    const stopped = (await view()).messages.at(1);
    expect(shownOf(stopped)).toEqual(['One.', 'invalid', 'Two.', 'pay']);
    expect(stopped?.parts).toContainEqual(
      expect.objectContaining({
        callProviderMetadata: { countersign: { withdrawn: 'superseded', position: expect.any(Number) } },
      }),
    );
  });

  it('in `progressive` by the wire alone: its parts have no position', async () => {
    const { say, view } = flowFixture([[{ text: 'One.' }, weather], [{ text: 'Two.' }]], {
      release: 'progressive',
    });
    expect(JSON.stringify(await say('Go.'))).not.toContain('position');
    expect(shownOf((await view()).messages.at(-1)).map((key) => key.slice(0, 4))).toEqual([
      'One.',
      'call',
      'Two.',
    ]);
  });
});
