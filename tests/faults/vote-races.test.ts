import type { FlowSettings, Principal } from 'countersign';
import { votes } from 'countersign/plugins/votes';
import { dyingStore } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { administeredSqlite } from '../support/administered-store.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { bob, byApprovers, cleo, dan, votingAgain, votingFixture } from '../support/votes-fixture.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';
import { expectOneWinner } from './support/one-winner.ts';
import { type AskedChat, type Outcome, twoInstances } from './support/two-instances.ts';

const count = countsOf('Vote races', 'rounds', 'answered', 'withdrawn');
const postgres = setUpPostgres();
const roundsOfMain = 20;
/** `npm test` runs each race on one store, in turn; the matrix on both. */
const storesOfMain = ['SQLite', 'Postgres'] as const;
/** Each order and each head start three times. */
const rounds = 60;

const voting: Partial<FlowSettings> = {
  mayChange: () => true,
  toolDetails: { pay: { approvers: byApprovers, votes: { count: 2 } } },
  plugins: [votes()],
};

type Flows = ReturnType<typeof twoInstances>['flows'];
type Race = {
  /** Who has voted before. */
  readonly before: readonly Principal[];
  readonly racers: (flows: Flows, chat: AskedChat) => readonly (() => Promise<Outcome>)[];
  /** How many votes there are, besides the answer that settles. */
  readonly votes: readonly number[];
};

const races: readonly (readonly [name: string, race: Race])[] = [
  [
    'two last votes at once',
    {
      before: [bob],
      racers: ([a, b], chat) => [() => chat.respond(a, true, cleo), () => chat.answer(b, true, dan)],
      votes: [1],
    },
  ],
  [
    'two first votes and a last one at once',
    {
      before: [],
      racers: ([a, b], chat) => [
        () => chat.answer(a, true, bob),
        () => chat.answer(b, true, cleo),
        () => chat.respond(b, true, dan),
      ],
      votes: [1],
    },
  ],
  [
    'the last vote and a withdrawal',
    {
      before: [bob],
      racers: ([a, b], chat) => [() => chat.answer(a, true, cleo), () => chat.stop(b)],
      votes: [1],
    },
  ],
  [
    'a first vote and a withdrawal',
    {
      before: [],
      racers: ([a, b], chat) => [() => chat.answer(a, true, bob), () => chat.stop(b)],
      votes: [0, 1],
    },
  ],
  [
    'the same person’s vote, twice at once',
    {
      before: [],
      racers: ([a, b], chat) => [() => chat.answer(a, true, bob), () => chat.respond(b, true, bob)],
      votes: [1],
    },
  ],
  [
    'a last approval and a denial',
    {
      before: [bob],
      racers: ([a, b], chat) => [() => chat.respond(a, true, cleo), () => chat.answer(b, false, dan)],
      votes: [1],
    },
  ],
];

describe.each(storeRows(postgres))(
  'Concurrent votes on %s: one settles, and the call runs once',
  (store, create) => {
    const rows = races.flatMap((race, index) => {
      const isOfMain = storesOfMain[index % 2] === store;
      return [...(isOfMain ? [roundsOfMain] : []), rounds].map((many) => [...race, many] as const);
    });
    it.each(rowsOfThisRun(rows, ([, , many]) => many === roundsOfMain))(
      '%s',
      async (_, { before, racers, votes }, many) => {
        const database = await create();
        const instances = twoInstances(database, voting);
        const { flows } = instances;
        try {
          for (let round = 0; round < many; round += 1) {
            const chat = await instances.ask(`round-${round}`);
            for (const principal of before)
              expect(await chat.answer(flows[0], true, principal)).toBe('served');
            const acts = racers(flows, chat);
            const inTurn = round % 2 === 0 ? acts : acts.toReversed();
            await Promise.all(inTurn.map((act, index) => after(index === 0 ? 0 : (round >> 1) % 10, act)));
            // A race of first votes leaves the question open: then it is settled.
            for (const principal of [cleo, dan]) await chat.answer(flows[1], true, principal);
            for (const flow of flows) await chat.rests(flow);
            count(await expectOneWinner(instances, chat));
            count('rounds');
            const { timeline } = await chat.seenBy(flows[0]);
            const cast = timeline.filter(({ type }) => type === 'answer-recorded');
            expect(votes).toContain(cast.length);
            const people = timeline.flatMap((event) =>
              event.type === 'answer-recorded' || event.type === 'approval-answered' ? [event.by.id] : [],
            );
            expect(new Set(people).size).toBe(people.length);
          }
        } finally {
          await instances.close();
          await database.remove();
        }
      },
    );
  },
);

describe('A process that is killed at a vote', () => {
  it.each([
    ['before', []],
    ['after', ['bob']],
  ] as const)('loses nothing that was acknowledged, %s the vote is written', async (when, kept) => {
    const { store, another } = administeredSqlite();
    const dying = dyingStore(store, { when, event: 'answer-recorded' });
    const { vote, approvalId, toolDetails } = await votingFixture({ store: dying.store });
    void vote(bob);
    await dying.died;

    const { flow, ran, read } = votingAgain({ store: another(), toolDetails });
    const asked = await flow.approvals.read({ principal: bob, approvalId });
    expect(asked.state).toBe('open');
    expect(asked.answers?.map(({ by }) => by.id) ?? []).toEqual(kept);
    // The client repeats a request without a reply.
    const answer = { approvalId, approved: true, via: 'http' } as const;
    expect(await flow.approvals.answer({ ...answer, principal: bob })).toMatchObject({
      state: 'open',
      hasAnswered: true,
    });
    expect(await flow.approvals.answer({ ...answer, principal: cleo })).toMatchObject({ state: 'approved' });
    const stream = await flow.chats.resume({ principal: bob, chatId: asked.chatId });
    if (stream) await read(stream);
    expect(ran).toHaveLength(1);
  });

  it('runs the call once, killed after the answer that settles is written', async () => {
    const { store, another } = administeredSqlite();
    const dying = dyingStore(store, { when: 'after', event: 'approval-answered' });
    // The start of the call may be in the same append. An idempotent call is then made again.
    const first = await votingFixture({ store: dying.store, leaseMs: 10_000 }, { idempotent: true });
    await first.vote(bob);
    void first.vote(cleo);
    await dying.died;
    await first.clock.advance(10_001);
    const { clock, toolDetails, approvalId } = first;
    const { flow, ran, read } = votingAgain({ store: another(), toolDetails, clock, leaseMs: 10_000 });
    await flow.recover();
    const { chatId } = await flow.approvals.read({ principal: bob, approvalId });
    const stream = await flow.chats.resume({ principal: bob, chatId });
    if (stream) await read(stream);
    expect(first.ran.length + ran.length).toBe(1);
  });
});

async function after<Result>(ticks: number, act: () => Promise<Result>): Promise<Result> {
  for (let tick = 0; tick < ticks; tick += 1) await null;
  return act();
}
