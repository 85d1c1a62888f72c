import { ToolEventsClient } from 'countersign/plugins/tool-events/client';
import { sqliteStore } from 'countersign/store';
import { collect, fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storedConversationSchema } from '../../../lib/plugins/tool-events/client/schema.ts';
import { cutOffStore } from '../../support/cut-off-store.ts';
import { passTime, passTimeUntil } from '../../support/pass-time.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';
import { framesWithIds, openToolEvents, resumeToolEvents, untilFrame } from './support/tool-events-client.ts';

/** A turn with two steps. Its instance loses the store in the second; the one at `url` takes the run over. */
async function interrupted() {
  const clock = fakeClock();
  const store = sqliteStore({ path: ':memory:' });
  const line = cutOffStore(store);
  const settings = { clock, leaseMs: 10_000 };
  const held = gate();
  onTestFinished(held.open);
  const first: Script = [
    [{ text: 'One. ' }, { call: 'weather', id: 'w', input: { city: 'Oslo' } }],
    [{ text: 'Two ' }, { wait: held.passed }],
  ];
  const { url, flow } = await serveDialects([[{ text: ['Two ', 'and three.'] }]], { ...settings, store });
  const lost = await serveDialects(first, { ...settings, store: line.store });
  const posted = await openToolEvents(lost.url, 'Count');
  const { conversationId } = await untilFrame(posted, 'message_start');
  return {
    url,
    clock,
    conversationId,
    breakOff: async () => {
      line.cut();
      await passTime(clock, 14_000, 500);
      await flow.recover();
    },
  };
}

describe('tool events: a model step that another instance makes again', () => {
  it('leaves its text once, for a reader that stays, that comes later, and in the stored message [A20, A22]', async () => {
    const { url, clock, conversationId, breakOff } = await interrupted();
    const client = new ToolEventsClient({ url });
    onTestFinished(() => client.close());
    const textNow = () =>
      client.state.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const half = gate();
    client.subscribe(() => {
      if (textNow() === 'One. Two ') half.open();
    });
    const reading = collect(client.resume(conversationId));
    await passTimeUntil(clock, half.passed);
    await breakOff();
    await reading;
    expect(textNow()).toBe('One. Two and three.');
    expect([client.state.isRunning, client.state.failure]).toEqual([false, undefined]);

    const stored = await fetch(`${url}/api/dialects/tool-events?conversationId=${conversationId}`);
    const { messages } = storedConversationSchema.parse(await stored.json());
    expect(messages.at(-1)?.content).toEqual(client.state.content);
    const frames = await collect(framesWithIds(await resumeToolEvents(url, conversationId)));
    const replayed = frames.map(({ event }) => (event.type === 'text_delta' ? event.content : '')).join('');
    expect(replayed).toBe('One. Two and three.');
  });
});
