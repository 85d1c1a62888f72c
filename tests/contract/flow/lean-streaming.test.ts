import { afterAll, expect, it, vi } from 'vitest';

const streamed = vi.hoisted(() => vi.fn());

/** An `ai` in which the experimental function has gone. */
vi.mock('ai', async (importOriginal) => {
  const ai = await importOriginal<typeof import('ai')>();
  const streamText: typeof ai.streamText = (options) => {
    streamed();
    return ai.streamText(options);
  };
  return { ...ai, streamText, experimental_streamTextLowMemory: undefined };
});

it('uses `streamText` where the SDK no longer has a leaner function', async () => {
  const { chat, ran } = flowFixture([
    [{ text: 'I will.' }, { call: 'pay', input: { to: 'bob', amount: 1 } }],
    [{ text: 'Paid.' }],
  ]);
  const { say, answer } = chat();
  const last = types(await answer(questionIn(await say('Pay Bob.')), true));
  expect(last).toContain('text-delta');
  expect(last).toContain('tool-output-available');
  expect(ran).toHaveLength(1);
  expect(streamed).toHaveBeenCalledTimes(2);
});
