import type { Clock } from 'countersign';
import { postgresStore } from 'countersign/store';
import pg from 'pg';
import { openOn } from '../contestants/countersign.ts';
import { createTill } from './payment-script.ts';

/** Opening connections, and the clock that the listening connection reads from time to time. */
const isUpkeep = /set_config|^listen |clock_timestamp/;

/** Queries to Postgres of a flow (message, question, answer, question, answer, final), and of the first of its answers. */
export async function countQueries(connectionString: string): Promise<{ answer: number; flow: number }> {
  let queries = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = new Proxy(query, {
    apply(target, client, [asked, ...rest]) {
      if (!isUpkeep.test(asked.text ?? asked)) queries += 1;
      return Reflect.apply(target, client, [asked, ...rest]);
    },
  });
  const store = postgresStore({ connectionString });
  // No timer fires, so no sweep is counted.
  const clock: Clock = { now: () => Date.now(), after: () => () => {} };
  const contestant = openOn(store, createTill(), { clock });
  try {
    let counts = { answer: 0, flow: 0 };
    // The first flow migrates the schema. The second is counted.
    for (const id of ['queries-1', 'queries-2']) {
      queries = 0;
      const chat = contestant.chat(id);
      const [first = ''] = await chat.begin('chain');
      const asked = queries;
      const [second = ''] = await chat.answer(first);
      const answer = queries - asked;
      await chat.answer(second);
      counts = { answer, flow: queries };
    }
    return counts;
  } finally {
    await contestant.close();
    pg.Client.prototype.query = query;
  }
}
