import pg from 'pg';
import { openOnPostgres } from '../contestants/countersign.ts';
import { countFlow, storedBytesPerFlow } from '../support/count-flow.ts';
import { createTill } from '../support/payment-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { offer } from '../support/worker-process.ts';

/** What can be counted instead of timed. It counts by what it puts in front of the drivers. */
offer({
  countFlow,
  storedBytesPerFlow,

  /** @returns queries to Postgres, of one answer and of one flow */
  async postgresQueries(connectionString: string): Promise<{ answer: number; flow: number }> {
    let queries = 0;
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = new Proxy(query, {
      apply(target, client, values) {
        queries += 1;
        return Reflect.apply(target, client, values);
      },
    });
    const contestant = await openOnPostgres({
      folder: temporaryFolder(),
      connectionString,
      till: createTill(),
    });
    let answer = 0;
    let flow = 0;
    // The first flow opens connections and brings the schema up to date; the second is counted.
    for (const id of ['queries-1', 'queries-2']) {
      queries = 0;
      const chat = contestant.chat(id);
      const [first = ''] = await chat.begin('chain');
      const asked = queries;
      const [second = ''] = await chat.answer(first);
      answer = queries - asked;
      await chat.answer(second);
      flow = queries;
    }
    await contestant.close();
    return { answer, flow };
  },
});
