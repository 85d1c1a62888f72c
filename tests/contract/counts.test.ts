import { expect, it } from 'vitest';
import { countFlow, type FlowCounts, storedBytesPerFlow } from '../bench/support/count-flow.ts';
import { countQueries } from '../bench/support/count-queries.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';

const postgres = setUpPostgres();

/**
 * What a flow costs in things that can be counted: two answers, three model steps, two tools. Times drift and are the
 * bench's business. A count changes only with a line in the commit that says why.
 *
 * An answer is 13 statements on SQLite: the read of the chat's head; in the append of the answer and of the start of its call
 * `begin`, head, events, question, the call's mark, `commit`; the search for an earlier call like the one that is asked about next;
 * in the append of the outcome and of the next question `begin`, head, events, question, `commit`.
 */
const perTurn = {
  statementsPerAnswer: 13,
  durableWritesPerAnswer: 2,
  appendsPerTurn: 6,
  eventsPerTurn: 26,
  durableWritesPerFlow: 6,
};

it.each<['sse' | 'bidi', FlowCounts]>([
  ['sse', { ...perTurn, bytesPerAnswer: 115, promisesPerFlow: 6_845 }],
  ['bidi', { ...perTurn, bytesPerAnswer: 286, promisesPerFlow: 6_689 }],
])(
  'makes as many store calls, sends as many bytes, and makes as many promises within 2%, as before, over %s',
  async (transport, { promisesPerFlow, ...counts }) => {
    const { promisesPerFlow: made, ...counted } = await countFlow(transport);
    expect(counted).toEqual(counts);
    // Chunks that arrive together are read together, so a busy machine makes a few less.
    expect(Math.abs(made / promisesPerFlow - 1)).toBeLessThan(0.02);
  },
);

it('makes as many queries to Postgres as before', async () => {
  // A flow is six appends; the read of the head by the message and each answer; for each question the search for an earlier call.
  expect(await countQueries(postgres().connectionString)).toEqual({ answer: 4, flow: 11 });
});

it('stores a finished flow in no more bytes than before', async () => {
  expect(await storedBytesPerFlow(50)).toBeLessThanOrEqual(7_500);
});
