import { createApprovalFlow } from 'countersign';
import { insights } from 'countersign/plugins/insights';
import { scriptedModel } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { fixtureRows } from './support/restored.ts';
import { twoVersions } from './support/two-versions.ts';

const postgres = setUpPostgres();
const rows = storesOfThisRun(fixtureRows(postgres), 'SQLite');
const operator = { id: 'olga', name: 'Olga' };

/** Counts of questions asked within a report's reach, of a flow that counts. */
function counting(store: FlowStore) {
  const logger = { warn: () => {}, error: () => {} };
  const flow = createApprovalFlow({
    store,
    model: scriptedModel([]),
    logger,
    mayOperate: () => true,
    plugins: [insights()],
  });
  onTestFinished(() => flow.close());
  return async () => (await flow.insights.read({ principal: operator, since: 0 })).all;
}

/** The settled questions of a store, by state. */
async function settledIn(store: FlowStore) {
  const { items = [] } = (await store.questions.settled({ limit: 200 })) ?? {};
  const count = (...states: string[]) => items.filter(({ state }) => states.includes(state)).length;
  return {
    settled: items.length,
    approved: count('approved'),
    denied: count('denied'),
    expired: count('expired'),
  };
}

describe.each(rows)('%s: a database of the previous version', (_name, restore) => {
  it('is counted from its first question on [0052.5]', async () => {
    const store = await restore();
    const settled = await settledIn(store);
    expect(settled.settled).toBeGreaterThan(2);
    expect(await counting(store)()).toMatchObject(settled);
  });
});

it('questions that an instance of the previous version settles are counted by this one [0052.5]', async () => {
  const { before, today } = await twoVersions(postgres());
  const report = counting(today.store);
  const { settled } = await report();
  await before.chat('new').say('pay {"to":"alice","amount":30}; pay {"to":"bob","amount":40}');
  await before.chat('new').answer(true);
  await before.chat('new').answer(false);
  expect((await report()).settled).toBe(settled + 2);
});
