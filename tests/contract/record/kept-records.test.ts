import type { FlowSettings } from 'countersign';
import { type AuditSection, verifyAuditStore } from 'countersign/audit';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flowLogId, parseChatId } from '../../../lib/protocol/index.ts';
import { type AdministeredStore, administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';
import { timedBy } from '../../support/timed-by.ts';

const auditKey = 'an audit key for tests';
const pay = { call: 'pay', input: { to: 'alice', amount: 30 } };
const done = { text: 'Done.' };
const eve = { id: 'eve', name: 'Eve' };
/** Sweeps are made by the tests. */
const never = 1e9;

// In `npm test`, two of the tables below run on SQLite and two on Postgres.
const sqliteInMain = administeredStoresOfThisRun('SQLite');
const postgresInMain = administeredStoresOfThisRun('Postgres');

function recorded(create: () => AdministeredStore, script: Script, settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const created = create();
  const another = () => timedBy(created.another(), clock);
  const database = { ...created, store: timedBy(created.store, clock), another };
  const fixture = flowFixture(script, {
    auditKey,
    clock,
    sweepMs: never,
    ...settings,
    store: database.store,
  });
  onTestFinished(() => fixture.flow.close());
  const { flow, chat } = fixture;
  return {
    ...database,
    ...fixture,
    clock,
    paid: async (id: string) => {
      await chat(id).answer(questionIn(await chat(id).say('Pay Alice, she waits.')), true);
    },
    erase: (id: string) => flow.chats.erase({ principal: ada, chatId: parseChatId(id) }),
    kept: async (principal = ada) => (await flow.audit.kept({ principal })).items,
    /** Each sweep makes the checkpoint that is due. */
    noted: async () => {
      clock.advance(60_000);
      await flow.recover();
    },
    exported: async () => {
      const sections: AuditSection[] = [];
      for await (const section of flow.audit.export()) sections.push(JSON.parse(JSON.stringify(section)));
      return sections;
    },
  };
}

const faultsOf = (sections: readonly unknown[], key: string = auditKey, notedHead?: string) =>
  verifyAuditStore(sections, { key, notedHead });

describe.each(sqliteInMain)('erasing a chat, on %s', (_name, create) => {
  it('keeps the sealed record of what was executed, and nothing of the conversation', async () => {
    const world = recorded(create, [[pay], [done], [pay], [done]]);
    await world.paid('chat');
    await world.chat().answer(questionIn(await world.chat().say('And Bob.')), false, { reason: 'No.' });
    const { entries, head } = await world.flow.audit.read({ principal: ada, chatId: world.chat().id });
    await world.erase('chat');
    const [kept, ...more] = await world.kept();
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ chatId: 'chat', ownerId: 'ada', erasedBy: 'ada', head });
    expect(kept?.entries.map(({ entry }) => entry)).toEqual(JSON.parse(JSON.stringify(entries.slice(0, 4))));
    expect(JSON.stringify(kept)).not.toContain('she waits');
    expect(faultsOf(await world.exported())).toEqual([]);
  });

  it('keeps nothing of a chat in which no gated call was executed', async () => {
    const world = recorded(create, [[pay], [done], [{ call: 'weather', input: { city: 'Rome' } }], [done]]);
    await world.chat().answer(questionIn(await world.chat().say('Pay.')), false);
    await world.chat().say('How is it?');
    await world.erase('chat');
    expect(await world.kept()).toEqual([]);
    expect(faultsOf(await world.exported())).toEqual([]);
  });

  it('shows the kept record only to people who could see the chat', async () => {
    const world = recorded(create, [[pay], [done]]);
    await world.paid('chat');
    await world.erase('chat');
    expect(await world.kept(eve)).toEqual([]);
    expect(await world.kept()).toHaveLength(1);
  });

  it('misses no call that starts after the record was read', async () => {
    const { store: real, ...rest } = create();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const store = {
      ...real,
      chats: {
        ...real.chats,
        erase: async (...what: Parameters<typeof real.chats.erase>) => {
          const act = meanwhile;
          meanwhile = undefined;
          await act?.();
          return real.chats.erase(...what);
        },
      },
    };
    const world = recorded(() => ({ ...rest, store }), [[pay], [done]]);
    const approvalId = questionIn(await world.chat().say('Pay.'));
    const other = flowFixture([[done]], {
      auditKey,
      clock: world.clock,
      sweepMs: never,
      store: timedBy(real, world.clock),
    });
    onTestFinished(() => other.flow.close());
    // A chat that waits is stopped before it is erased; retention erases it as it is.
    const { clock } = world;
    const timed = timedBy(store, clock);
    const retention = flowFixture([], { auditKey, clock, store: timed, sweepMs: never, retentionMs: 1 });
    onTestFinished(() => retention.flow.close());
    world.clock.advance(10);
    meanwhile = async () => {
      // The clock of the other one goes by itself, so the chat still counts as rested.
      await other.chat().answer(approvalId, true);
    };
    await retention.flow.recover();
    world.clock.advance(10);
    await retention.flow.recover();
    expect(other.ran).toHaveLength(1);
    expect((await world.kept())[0]?.entries.map(({ entry }) => entry.type)).toEqual([
      'asked',
      'answered',
      'started',
      'ended',
    ]);
    expect(faultsOf(await world.exported())).toEqual([]);
  });

  it('is done by retention for every chat, even if one of them cannot be erased', async () => {
    const { store: real, ...rest } = create();
    const erase: typeof real.chats.erase = async (chatId, ...more) => {
      if (chatId === 'one') throw new Error('Not this one.');
      return real.chats.erase(chatId, ...more);
    };
    const settings = { retentionMs: 1_000, logger: { warn: () => {}, error: () => {} } };
    const world = recorded(
      () => ({ ...rest, store: { ...real, chats: { ...real.chats, erase } } }),
      [[pay], [done], [pay], [done]],
      settings,
    );
    await world.paid('one');
    await world.paid('two');
    world.clock.advance(2_000);
    await world.flow.recover();
    expect(await world.kept()).toMatchObject([{ chatId: 'two' }]);
    expect(await real.chats.head(parseChatId('one'))).toBeDefined();
    expect(faultsOf(await world.exported())).toEqual([]);
  });

  it('is done by retention in the same way, and the kept record has its own retention', async () => {
    const world = recorded(create, [[pay], [done]], { retentionMs: 1_000, recordRetentionMs: 5_000 });
    await world.paid('chat');
    world.clock.advance(2_000);
    await world.flow.recover();
    expect(await world.kept()).toMatchObject([{ erasedBy: 'retention' }]);
    world.clock.advance(5_001);
    await world.flow.recover();
    expect(await world.kept()).toEqual([]);
    expect(faultsOf(await world.exported())).toEqual([]);
  });
});

describe.each(postgresInMain)('purging a record, on %s', (_name, create) => {
  const mayPurge = ({ id }: { id: string }) => id === 'eve';
  const chatId = parseChatId('chat');

  it('removes what erasure kept, for a person with the right, and the flow’s log says who and why', async () => {
    const world = recorded(create, [[pay], [done]], { mayPurge });
    await world.paid('chat');
    await world.erase('chat');
    const purge = (principal: typeof eve) =>
      world.flow.audit.purge({ principal, chatId, reason: 'Asked for under article 17.' });
    await expect(purge(ada)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await world.kept()).toHaveLength(1);
    await purge(eve);
    expect(await world.kept()).toEqual([]);
    expect((await world.store.events.read(flowLogId, 0)).at(-1)).toMatchObject({
      type: 'record-purged',
      chatId,
      by: eve,
      reason: 'Asked for under article 17.',
    });
    expect(faultsOf(await world.exported())).toEqual([]);
    await expect(purge(eve)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('erases a chat that still exists, with its record', async () => {
    const world = recorded(create, [[pay], [done]], { mayPurge: async () => true });
    await world.paid('chat');
    await world.flow.audit.purge({ principal: ada, chatId, reason: 'Asked for.' });
    expect(await world.kept()).toEqual([]);
    expect(await world.store.chats.head(chatId)).toBeUndefined();
    expect(faultsOf(await world.exported())).toEqual([]);
  });

  it.each<[string, FlowSettings['mayPurge']]>([
    ['no rule', undefined],
    ['a rule that returns something other than true', () => 'yes' as never],
    ['a promise of false', async () => false],
  ])('is forbidden by %s', async (_rule, rule) => {
    const world = recorded(create, [[pay], [done]], { mayPurge: rule });
    await world.paid('chat');
    const purge = world.flow.audit.purge({ principal: ada, chatId, reason: 'Asked for.' });
    await expect(purge).rejects.toMatchObject({ code: 'forbidden' });
    expect(await world.store.chats.head(chatId)).toBeDefined();
  });
});

describe.each(sqliteInMain)('the record of the whole store, on %s', (_name, create) => {
  async function threeChats() {
    const world = recorded(create, [[pay], [done], [pay], [done], [pay], [done]]);
    for (const id of ['one', 'two', 'three']) await world.paid(id);
    await world.noted();
    return world;
  }

  it('is valid after checkpoints, erasures, and a reused chat id', async () => {
    const world = await threeChats();
    await world.erase('two');
    await world
      .chat('two')
      .say('Hello again.')
      .catch(() => {});
    await world.noted();
    await world.noted();
    const sections = await world.exported();
    expect(faultsOf(sections)).toEqual([]);
    const log = await world.store.events.read(flowLogId, 0);
    expect(log.map(({ type }) => type as string)).toEqual(['checkpoint', 'chat-erased']);
    expect(faultsOf(sections, auditKey, log[0]?.seal)).toEqual([]);
  });

  it('is valid if a checkpoint is written between the record of an erasure and the erasure', async () => {
    const { store: real, ...rest } = create();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const erase: typeof real.chats.erase = async (...given) => {
      await meanwhile?.();
      await real.chats.erase(...given);
    };
    const world = recorded(
      () => ({ ...rest, store: { ...real, chats: { ...real.chats, erase } } }),
      [[pay], [done]],
    );
    await world.paid('chat');
    meanwhile = world.noted;
    await world.erase('chat');
    const log = await world.store.events.read(flowLogId, 0);
    expect(log.map(({ type }) => type as string)).toEqual(['chat-erased', 'checkpoint']);
    expect(faultsOf(await world.exported())).toEqual([]);
  });

  it('is valid if a chat continues and is erased while the heads for a checkpoint are read', async () => {
    const { store: real, ...rest } = create();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const sealedSince: typeof real.chats.sealedSince = async (since, limit, cursor) => {
      const heads = await real.chats.sealedSince(since, limit, cursor);
      // A start looks at a few heads first, for its key.
      if (limit < 100) return heads;
      const act = meanwhile;
      meanwhile = undefined;
      await act?.();
      return heads;
    };
    const world = recorded(
      () => ({ ...rest, store: { ...real, chats: { ...real.chats, sealedSince } } }),
      [[pay], [done], [pay], [done]],
    );
    await world.paid('chat');
    meanwhile = async () => {
      await world.paid('chat');
      await world.erase('chat');
    };
    await world.noted();
    const log = await world.store.events.read(flowLogId, 0);
    expect(log.map(({ type }) => type as string)).toEqual(['chat-erased']);
    expect(faultsOf(await world.exported())).toEqual([]);
  });

  it('is valid if a chat is erased between its head and its log', async () => {
    const { store: real, ...rest } = create();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const read: typeof real.events.read = async (chatId, ...range) => {
      const act = chatId === flowLogId ? undefined : meanwhile;
      if (act) meanwhile = undefined;
      await act?.();
      return real.events.read(chatId, ...range);
    };
    const world = recorded(
      () => ({ ...rest, store: { ...real, events: { ...real.events, read } } }),
      [[pay], [done]],
    );
    await world.paid('chat');
    await world.noted();
    meanwhile = () => world.erase('chat');
    const sections = await world.exported();
    expect(faultsOf(sections)).toEqual([]);
    expect(sections.map(({ section }) => section)).toEqual(['erased', 'flow', 'end']);
  });

  it('reveals the deletion of a chat that continued after a failed erasure', async () => {
    const { store: real, ...rest } = create();
    let isDown = true;
    const erase: typeof real.chats.erase = async (...given) => {
      if (isDown) throw new Error('The process ended.');
      await real.chats.erase(...given);
    };
    const world = recorded(
      () => ({ ...rest, store: { ...real, chats: { ...real.chats, erase } } }),
      [[pay], [done], [pay], [done]],
    );
    await world.paid('chat');
    await expect(world.erase('chat')).rejects.toThrow('ended');
    isDown = false;
    await world.paid('chat');
    await world.noted();
    await rest.administer(`delete from chats where id = 'chat'`);
    expect(faultsOf(await world.exported())).toContainEqual({
      chatId: 'chat',
      message: expect.stringContaining('missing'),
    });
  });

  it('reveals that a chat was deleted in the database', async () => {
    const world = await threeChats();
    await world.administer(`delete from chats where id = 'two'`);
    expect(faultsOf(await world.exported())).toMatchObject([
      { chatId: 'two', message: expect.stringContaining('missing') },
    ]);
  });

  it('reveals that the events of a chat were deleted in the database, and its head was not', async () => {
    const world = await threeChats();
    await world.administer(`delete from events where chat = (select chat from chats where id = 'two')`);
    expect(faultsOf(await world.exported())).toMatchObject([
      { chatId: 'two', message: expect.stringContaining('does not end with its head') },
      { chatId: 'two', message: expect.stringContaining('was cut') },
    ]);
    const { entries, head } = await world.flow.audit.read({ principal: ada, chatId: parseChatId('two') });
    expect({ entries, isSealed: head !== '' }).toEqual({ entries: [], isSealed: true });
  });

  it('reveals with a noted head that the flow’s log was deleted together with a chat', async () => {
    const world = await threeChats();
    const noted = (await world.store.chats.head(flowLogId))?.auditHead ?? undefined;
    await world.administer(`delete from chats where id in ('two', '${flowLogId}')`);
    await world.noted();
    const sections = await world.exported();
    expect(faultsOf(sections)).toEqual([]);
    expect(faultsOf(sections, auditKey, noted)).toMatchObject([{ message: expect.stringContaining('cut') }]);
  });

  it('reveals that the end of a chat’s record was cut, even if its head was moved along', async () => {
    const world = await threeChats();
    const { entries } = await world.flow.audit.read({ principal: ada, chatId: parseChatId('two') });
    await world.administer(`
      delete from events where chat = (select chat from chats where id = 'two') and seq >= ${entries[3]?.seq};
      update chats set seq = ${Number(entries[3]?.seq) - 1}, audit_head = '${entries[2]?.seal}' where id = 'two'`);
    expect(faultsOf(await world.exported())).toEqual([
      { chatId: 'two', message: expect.stringContaining('cut') },
    ]);
  });

  it('reveals that a kept record was deleted or changed', async () => {
    const world = await threeChats();
    await world.erase('two');
    await world.administer(`update erasures set record = replace(record, '30', '31')`);
    expect(faultsOf(await world.exported())).toMatchObject([{ chatId: 'two' }]);
    await world.administer(`update erasures set record = null`);
    expect(faultsOf(await world.exported())).toMatchObject([
      { chatId: 'two', message: expect.stringContaining('kept') },
    ]);
  });

  it('reveals that the flow’s log was changed, and that an export was cut', async () => {
    const world = await threeChats();
    const sections = await world.exported();
    expect(faultsOf(sections.slice(0, -1))).toHaveLength(1);
    expect(faultsOf(sections.toSpliced(0, 1))).toHaveLength(1);
    await world.administer(
      `update events set body = replace(body, '"one"', '"uno"') where body like '%"checkpoint"%'`,
    );
    expect(faultsOf(await world.exported())[0]).toMatchObject({
      message: expect.stringContaining('log of the flow'),
    });
  });

  it('is not accepted with another key', async () => {
    const world = await threeChats();
    expect(faultsOf(await world.exported(), 'another key of 16 or more').length).toBeGreaterThan(0);
  });
});

describe.each(postgresInMain)('a flow that starts with another key, on %s', (_name, create) => {
  const k2 = { id: 'k2', key: 'a second key for tests' };

  it.each<[string, FlowSettings['auditKey'], FlowSettings['auditKey'], string]>([
    ['a ring without the plain key', auditKey, { current: k2 }, ''],
    ['another plain key', auditKey, 'another key of 16 or more', ''],
    ['a ring that lost a key', { current: { id: 'k1', key: auditKey } }, { current: k2 }, 'k1'],
  ])('is refused: %s', async (_case, first, second, keyId) => {
    const world = recorded(create, [[pay], [done]], { auditKey: first });
    await world.paid('chat');
    await world.noted();
    const other = flowFixture([], { auditKey: second, clock: world.clock, store: world.another() });
    onTestFinished(() => other.flow.close());
    await expect(other.flow.recover()).rejects.toMatchObject({
      code: 'invalid-settings',
      fields: { path: 'auditKey', keyId },
    });
  });

  it('continues with a ring that contains both', async () => {
    const world = recorded(create, [[pay], [done]]);
    await world.paid('chat');
    await world.noted();
    const ring = { current: k2, former: [{ key: auditKey }] };
    const other = flowFixture([[pay], [done]], {
      auditKey: ring,
      clock: world.clock,
      store: world.another(),
    });
    onTestFinished(() => other.flow.close());
    await other.flow.recover();
    await other.chat().answer(questionIn(await other.chat().say('Pay.')), true);
    world.clock.advance(60_000);
    await other.flow.recover();
    const sections: AuditSection[] = [];
    for await (const section of other.flow.audit.export()) sections.push(section);
    expect(verifyAuditStore(JSON.parse(JSON.stringify(sections)), { key: ring })).toEqual([]);
  });
});
