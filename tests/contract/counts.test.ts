import { expect, it } from 'vitest';
import { countFlow, type FlowCounts, storedBytesPerFlow } from '../bench/support/count-flow.ts';

/**
 * What a flow costs in things that can be counted: two answers, three model steps, two tools. Times drift and are the
 * bench's business; a count grows only when somebody makes it grow. Whoever lowers a count lowers its bound here.
 */
const perTurn = {
  // Two of them: the mark of the call that was approved, and the look for one like the call that is asked about.
  statementsPerAnswer: 18,
  durableWritesPerAnswer: 2,
  appendsPerTurn: 6,
  eventsPerTurn: 26,
  durableWritesPerFlow: 6,
};

const bounds: readonly ['sse' | 'bidi', FlowCounts][] = [
  ['sse', { ...perTurn, bytesPerAnswer: 115 }],
  ['bidi', { ...perTurn, bytesPerAnswer: 286 }],
];

it.each(bounds)(
  'makes no more store calls and sends no more bytes than before, over %s',
  async (transport, bound) => {
    const counts = await countFlow(transport);
    expect.soft(counts.statementsPerAnswer).toBeLessThanOrEqual(bound.statementsPerAnswer);
    expect.soft(counts.durableWritesPerAnswer).toBeLessThanOrEqual(bound.durableWritesPerAnswer);
    expect.soft(counts.bytesPerAnswer).toBeLessThanOrEqual(bound.bytesPerAnswer);
    expect.soft(counts.appendsPerTurn).toBeLessThanOrEqual(bound.appendsPerTurn);
    expect.soft(counts.eventsPerTurn).toBeLessThanOrEqual(bound.eventsPerTurn);
    expect.soft(counts.durableWritesPerFlow).toBeLessThanOrEqual(bound.durableWritesPerFlow);
  },
);

it('stores a finished flow in no more bytes than before', async () => {
  expect(await storedBytesPerFlow(50)).toBeLessThanOrEqual(7_500);
});
