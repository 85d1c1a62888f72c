import { type FlowSettings, notTheAsker } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import { fakeClock } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { flowFixture } from '../../support/flow-fixture.ts';
import { auditKey, fixtureDetails, fixtureTools, followOrders, leaseMs, madeAt } from '../fixture-flow.ts';

const oneDay = 24 * 3_600_000;
const silent = { warn: () => {}, error: () => {} };

/** The current version on the older one's database, a day later, with the same tools and model. */
export function todaysFlow(store: FlowStore, settings: Omit<Partial<FlowSettings>, 'plugins'> = {}) {
  const { tools, ran } = fixtureTools();
  const clock = fakeClock(madeAt + oneDay);
  const fixture = flowFixture(followOrders, {
    ...{ store, tools, clock, auditKey, leaseMs, logger: silent },
    toolDetails: fixtureDetails(notTheAsker),
    ...settings,
    plugins: [remembered()],
  });
  onTestFinished(() => fixture.flow.close());
  return { ...fixture, ran, clock };
}

/** A chat of a flow, as `flowFixture` returns it. */
export type Page = ReturnType<ReturnType<typeof todaysFlow>['chat']>;

/** Reads a chat until nothing runs in it, like a page that was left open. */
export async function untilAtRest({ view, resume }: Page): Promise<void> {
  while ((await view()).run.status === 'active') await resume();
}

/** Answers questions until none is open. */
export async function answerAll({ view, answer }: Page, approved: boolean): Promise<void> {
  for (let { open } = await view(); open; { open } = await view()) await answer(open, approved);
}
