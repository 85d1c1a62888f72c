import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApprovalFlow, notTheAsker } from 'countersign';
import { postgresStore } from 'countersign/store';
import { collect, dyingStore, fakeClock, type KillPoint, scriptedModel } from 'countersign/testing';
import { uiMessageChunks } from 'countersign/views';
import { inject, onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import { parseApprovalId, parseChatId } from '../../../lib/protocol/index.ts';
import { userMessage } from '../../support/flow-fixture.ts';
import type { TestPostgres } from '../../support/postgres/postgres.ts';
import { timedBy } from '../../support/timed-by.ts';
import {
  ada,
  auditKey,
  fixtureDetails,
  fixtureTools,
  followOrders,
  leaseMs,
  madeAt,
} from '../fixture-flow.ts';
import { restoreSchema } from './restored.ts';

const todaysEngine = { createApprovalFlow, notTheAsker, uiMessageChunks };
type Engine = typeof todaysEngine;
type CreateStore = typeof postgresStore;
type Clock = ReturnType<typeof fakeClock>;
type Tools = ReturnType<typeof fixtureTools>['tools'];

/** The engine of the previous version and its store, as its users ran them. */
async function loadBefore(): Promise<Engine & { readonly postgresStore: CreateStore }> {
  const module: unknown = await import(pathToFileURL(join(inject('upgradeFixture'), 'engine.mjs')).href);
  return module as Engine & { readonly postgresStore: CreateStore };
}

/** An instance of either version, with pages on its chats. */
function instanceOf(
  engine: Engine,
  { store: whole, clock, more, dies }: { store: FlowStore; clock: Clock; more: Tools; dies?: KillPoint },
) {
  const { store, died } = dyingStore(whole, dies);
  const { tools, ran } = fixtureTools();
  const model = scriptedModel(followOrders);
  const flow = engine.createApprovalFlow({
    ...{ store, model, clock, auditKey, leaseMs },
    tools: { ...tools, ...more },
    toolDetails: fixtureDetails(engine.notTheAsker),
    logger: { warn: () => {}, error: () => {} },
  });
  // A dead instance would wait forever.
  if (!dies) onTestFinished(() => flow.close());

  return {
    flow,
    store,
    died,
    ran: ran as readonly string[],
    model,
    chat(id: string) {
      const by = { chatId: parseChatId(id), principal: ada };
      const ask = async (request: object) => {
        const stream = await flow.chats.respond({
          ...by,
          trigger: 'submit-message',
          via: 'test',
          ...request,
        });
        return collect(engine.uiMessageChunks(stream));
      };
      const view = () => flow.chats.read(by);
      return {
        chatId: by.chatId,
        view,
        say: (text: string) => ask({ message: userMessage(`${text}-${id}`, text) }),
        answer: async (approved: boolean) =>
          ask({ answers: [{ approvalId: parseApprovalId((await view()).open), approved }] }),
        stop: () => flow.chats.stop(by),
        /** Reads until nothing runs. */
        async rests() {
          for (let { run } = await view(); run.status === 'active'; { run } = await view()) {
            const stream = await flow.chats.resume(by);
            if (stream) await collect(engine.uiMessageChunks(stream));
          }
          return view();
        },
      };
    },
  };
}

/**
 * Two instances on the database of the previous version: first one of that version, then one of the current version,
 * which migrates the schema. They share a clock.
 *
 * @param settings.more additional tools for both
 * @param settings.dies when an instance of a version dies; default: both survive
 */
export async function twoVersions(
  postgres: TestPostgres,
  {
    more = {},
    dies = {},
  }: { more?: Tools; dies?: { readonly before?: KillPoint; readonly today?: KillPoint } } = {},
) {
  const engine = await loadBefore();
  const { connectionString } = postgres;
  const schema = await restoreSchema(postgres);
  const clock = fakeClock(madeAt + 24 * 3_600_000);
  const open = async (create: CreateStore) => {
    const store = create({ connectionString, schema });
    onTestFinished(() => store.close());
    await store.questions.lastChange();
    return timedBy(store, clock);
  };
  const common = { clock, more };
  const oldStore = await open(engine.postgresStore);
  const before = instanceOf(engine, { store: oldStore, dies: dies.before, ...common });
  const today = instanceOf(todaysEngine, {
    store: await open(postgresStore),
    dies: dies.today,
    ...common,
  });
  return { before, today, clock };
}
