import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStore, sqliteStore } from 'countersign/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyAuditStore } from '../../../lib/views/audit/index.ts';
import { invariants } from '../../simulator/invariants/index.ts';
import { recordStableState } from '../../simulator/schedule/finale.ts';
import { auditKey } from '../../simulator/schedule/stage.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { setUpPostgres } from '../../support/postgres/postgres.ts';
import { messageOf, playToItsEnd, send } from './answers.ts';
import { coveringRows, coveringSubset, twoValuesOf } from './covering-rows.ts';
import { features } from './features.ts';
import { plugins } from './plugins.ts';
import { type Member, openStage } from './stage.ts';

const members: Readonly<Record<string, Member>> = { ...plugins, ...features };
const pluginNames = Object.keys(plugins);
const pairs = pluginNames.flatMap((name, place) =>
  [...pluginNames.slice(place + 1), ...Object.keys(features)].map((other) => [name, other] as const),
);

const postgres = setUpPostgres();

const stores = {
  memory: async () => sqliteStore({ path: ':memory:' }),
  async SQLite() {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-pairs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    return sqliteStore({ path: join(folder, 'store.db') });
  },
  Postgres: async () =>
    postgresStore({ connectionString: postgres().connectionString, schema: postgres().newSchema() }),
} as const;

const combinations = (['memory', 'SQLite', 'Postgres'] as const).flatMap((store) =>
  (['SSE', 'BIDI'] as const).flatMap((transport) =>
    (['final', 'progressive', 'hold-after-question'] as const).map((release) => ({
      store,
      transport,
      release,
    })),
  ),
);

const rows = coveringRows(pairs, combinations);
const subset = coveringSubset(rows);

describe('each pair of plugins, and each plugin with each feature of the kernel', () => {
  it.for(
    rowsOfThisRun(
      rows.map((row) => ({ ...row.settings, both: row.pair.join(' with '), row })),
      ({ row }) => subset.has(row),
    ),
  )(
    '$both on $store over $transport, release $release: both act, and every invariant of the simulator holds',
    async ({ row: { pair, settings } }) => {
      const raw = await stores[settings.store]();
      onTestFinished(() => raw.close());
      const stage = await openStage(
        raw,
        settings,
        pair.map((name) => members[name] as Member),
      );
      onTestFinished(() => stage.close());
      const { setup, history } = stage;
      for (const prepare of setup.before) await prepare();
      await send(stage, 'send', { trigger: 'submit-message', message: messageOf(setup, 'm0') });
      await playToItsEnd(stage);
      for (const play of setup.after) await play();
      const proved = [];
      for (const { of, holds } of setup.proofs) proved.push([of, await holds()]);
      expect(proved).toEqual(pair.map((name) => [name, true]));
      await recordStableState({ ...stage, instances: [{ ...stage.reached, flow: stage.flow }] });
      history.record = verifyAuditStore(await Array.fromAsync(stage.flow.audit.export()), { key: auditKey });
      for (const { name, check } of invariants)
        expect([name, (await check(history)).faults]).toEqual([name, []]);
      expect(history.executions.length).toBeGreaterThan(1);
      expect(stage.failures).toEqual([]);
    },
  );
});

it('each folder of lib/plugins has a member', () => {
  expect(pluginNames.toSorted()).toEqual(readdirSync('lib/plugins').sort());
});

it('each plugin meets each two values of store, transport and release', () => {
  const all = new Set(combinations.flatMap(twoValuesOf));
  for (const name of pluginNames) {
    const own = rows.filter(({ pair }) => pair.some((each) => each === name));
    expect(new Set(own.flatMap(({ settings }) => twoValuesOf(settings)))).toEqual(all);
  }
});
