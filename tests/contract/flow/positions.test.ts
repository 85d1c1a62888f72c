import type { UIMessage } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../../lib/client/chat/chat-items.ts';
import { initialLiveParts } from '../../../lib/client/chat/live-parts.ts';
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

/** What our components show of a message, in order. */
function shownOf(message: unknown): string[] {
  const view = { isLast: true, isRunning: false, draft: '' };
  const items = itemsOf(message as UIMessage, initialLiveParts(undefined), view);
  return items.map((item) => ('text' in item ? item.text : item.key));
}

describe('text and calls are shown in the order in which they were made [T3]', () => {
  it('from the stream and from the stored chat, while both keep the order of T3', async () => {
    const { chat } = flowFixture(script);
    const { say, answer, view } = chat();
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

  it('also when the call of a question was withdrawn, and with invalid input', async () => {
    const invalid = { call: 'weather', input: { town: 'Oslo' }, id: 'invalid' };
    const { chat } = flowFixture([
      [{ text: 'One.' }, invalid, { text: 'Two.' }, { ...pay, id: 'pay' }],
      [{ text: 'Fine.' }],
    ]);
    const { say, view } = chat();
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
    const { chat } = flowFixture([[{ text: 'One.' }, weather], [{ text: 'Two.' }]], {
      release: 'progressive',
    });
    const { say, view } = chat();
    expect(JSON.stringify(await say('Go.'))).not.toContain('position');
    expect(shownOf((await view()).messages.at(-1)).map((key) => key.slice(0, 4))).toEqual([
      'One.',
      'call',
      'Two.',
    ]);
  });
});
