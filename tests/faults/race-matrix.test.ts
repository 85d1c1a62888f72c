import { fakeClock } from 'countersign/testing';
import { describe, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';
import { expectOneWinner } from './support/one-winner.ts';
import { type AskedChat, type Outcome, twoInstances } from './support/two-instances.ts';

/** Either racer begins, and the other is up to 24 ticks late: each of these once. The matrix does it four times. */
const everyOrder = 50;
/** In `npm test`, the other is up to 9 ticks late. */
const ordersOfMain = 20;
/** `npm test` runs each race on one store, in turn; the matrix on both. */
const storesOfMain = ['SQLite', 'Postgres'] as const;
const deadlineMs = 60_000;
const count = countsOf('Race matrix', 'rounds', 'requests', 'losers refused', 'answered', 'withdrawn');
const postgres = setUpPostgres();

type Arena = {
  readonly flows: ReturnType<typeof twoInstances>['flows'];
  readonly chat: AskedChat;
  readonly round: number;
  /** Lets the deadline pass. */
  readonly expire: () => Promise<void>;
};

/** The concurrent actions. Which one starts first changes from round to round. */
type Race = (arena: Arena) => readonly (() => Promise<Outcome>)[];

const races: readonly (readonly [name: string, race: Race])[] = [
  [
    'two tabs with different answers',
    ({ flows: [a], chat }) => [() => chat.respond(a, true), () => chat.respond(a, false)],
  ],
  ['a double click', ({ flows: [a], chat }) => [() => chat.respond(a, true), () => chat.respond(a, true)]],
  [
    'one request, replayed fifty times at once',
    ({ flows, chat }) => Array.from({ length: 50 }, (_, i) => () => chat.respond(flows[i % 2 ? 1 : 0], true)),
  ],
  [
    'an answer and its expiry',
    ({ flows: [a, b], chat, expire }) => [
      () => chat.answer(a, true),
      async () => {
        await expire();
        await b.recover();
        return 'served';
      },
    ],
  ],
  [
    'an answer and a new message',
    ({ flows: [a], chat }) => [() => chat.respond(a, true), () => chat.say(a, 'Never mind.')],
  ],
  [
    'two instances: a page on one, an inbox on the other',
    ({ flows: [a, b], chat }) => [() => chat.respond(a, true), () => chat.answer(b, false)],
  ],
  ['a stop and an answer', ({ flows: [a, b], chat }) => [() => chat.stop(a), () => chat.respond(b, true)]],
];

describe.each(storeRows(postgres))(
  'Concurrent decisions on %s: one wins, with one execution and one recorded outcome',
  (store, create) => {
    const rows = races.flatMap((race, index) =>
      [ordersOfMain, 4 * everyOrder].map((rounds) => [...race, rounds, storesOfMain[index % 2]] as const),
    );
    const isRepresentative = ([, , rounds, inMain]: (typeof rows)[number]) =>
      rounds === ordersOfMain && store === inMain;
    it.each(rowsOfThisRun(rows, isRepresentative))('%s', async (_, race, rounds) => {
      const database = await create();
      const clock = fakeClock();
      const instances = twoInstances(database, { clock, deadlineMs });
      const { flows } = instances;
      try {
        for (let round = 0; round < rounds; round += 1) {
          const chat = await instances.ask(`round-${round}`);
          const expire = async () => clock.advance(deadlineMs);
          const racers = race({ flows, chat, round, expire });
          const outcomes = await Promise.all(
            inTurns(racers, round).map(([racer, ticks]) => after(ticks, racer)),
          );
          for (const flow of flows) await chat.rests(flow);
          const settled = await expectOneWinner(instances, chat);

          count('rounds');
          count('requests', outcomes.length);
          count('losers refused', outcomes.filter((outcome) => outcome !== 'served').length);
          count(settled);
        }
      } finally {
        await instances.close();
        await database.remove();
      }
    });
  },
);

/** The actions in an order that changes, and by how many ticks each is delayed. */
function inTurns(racers: ReturnType<Race>, round: number): [racer: () => Promise<Outcome>, ticks: number][] {
  const ordered = round % 2 === 0 ? racers : racers.toReversed();
  return ordered.map((racer, index) => [racer, index === 0 ? 0 : (round >> 1) % 25]);
}

async function after<Result>(ticks: number, act: () => Promise<Result>): Promise<Result> {
  for (let tick = 0; tick < ticks; tick += 1) await null;
  return act();
}
