import { createConcurrencyLimit } from 'countersign/http/server';
import { describe, expect, it } from 'vitest';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { connectBidi } from '../support/connect-bidi.ts';
import { ada, questionIn, types } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { rawChat } from '../support/raw-client.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';
import { twoInstances } from './support/two-instances.ts';

/** More than one page of questions, and the thousand of the matrix. */
const crowds = [250, 1_000] as const;
const atOnce = 100;
/** On a slow machine, a thousand runs renew their leases later than the default of ten seconds allows. */
const leaseMs = 300_000;
const count = countsOf('Load', 'sockets', 'questions open at once', 'answers', 'calls run');
const postgres = setUpPostgres();

const rows = storeRows(postgres).flatMap(([store, create]) =>
  crowds.map((sockets) => ({ store, create, sockets })),
);
const isSmall = ({ store, sockets }: (typeof rows)[number]) => store === 'SQLite' && sockets === crowds[0];

describe('People at the same time, each with a socket and a question', () => {
  it.each(rowsOfThisRun(rows, isSmall))(
    'are all answered, and nothing runs twice: $sockets on $store',
    async ({ create, sockets }) => {
      const database = await create();
      const instances = twoInstances(database, { leaseMs });
      const [flow] = instances.flows;
      const concurrencyLimit = createConcurrencyLimit({ sockets, requests: sockets });
      const served = await serveFlow(flow, { authorize: () => ada, concurrencyLimit });
      const ids = Array.from({ length: sockets }, (_, index) => `chat-${index}`);
      try {
        const asked = await inBatches(ids, async (id) => {
          const chat = rawChat(await connectBidi(served.url), id);
          count('sockets');
          return { id, chat, approvalId: questionIn(await chat.say('Pay.')) };
        });
        const page = await flow.approvals.list({ principal: ada, state: 'open', limit: 200 });
        expect(page.next).toBeDefined();
        count('questions open at once', asked.length);

        const answered = await Promise.all(
          asked.map(async ({ id, chat, approvalId }) => {
            count('answers');
            return { id, response: await chat.answer(approvalId, true) };
          }),
        );
        for (const { id, response } of answered) {
          expect(types(response), JSON.stringify(response)).toContain('tool-output-available');
          expect(types(response).at(-1)).toBe('finish');
          expect(instances.paid(id)).toBe(1);
          count('calls run', instances.paid(id));
        }
        expect((await flow.approvals.list({ principal: ada, state: 'open' })).items).toEqual([]);
      } finally {
        await served.close();
        await instances.close();
        await database.remove();
      }
    },
  );
});

/** Runs a function for each item, a hundred at a time: a server's queue of new connections is limited. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  }
  return results;
}
