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

// Other files of this worker share its modules: neither theirs nor these may meet the other `ai`.
vi.resetModules();
const { flowFixture, questionIn, types } = await import('../../support/flow-fixture.ts');
afterAll(() => void vi.resetModules());

it('uses `streamText` if the SDK has no low-memory variant', async () => {
  const { ran, say, answer } = flowFixture([
    [{ text: 'I will.' }, { call: 'pay', input: { to: 'bob', amount: 1 } }],
    [{ text: 'Paid.' }],
  ]);
  const last = types(await answer(questionIn(await say('Pay Bob.')), true));
  expect(last).toContain('text-delta');
  expect(last).toContain('tool-output-available');
  expect(ran).toHaveLength(1);
  expect(streamed).toHaveBeenCalledTimes(2);
});
