import type { FlowSettings } from 'countersign';
import type { Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Principal } from '../../lib/protocol/index.ts';
import { storeRows } from '../faults/support/databases.ts';
import { flowFixture, questionIn } from '../support/flow-fixture.ts';
import { storesOfThisRun } from '../support/matrix.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { userHeader } from '../support/serve-fixture.ts';
import { pluginActivities } from './support/plugin-activity.ts';
import { serveAll } from './support/serve-all.ts';

// What Bob and Eve do changes no byte of what Ida and Nil are given, who do nothing meanwhile: no page, no cursor, no
// place in a feed.

const person = (id: string): Principal => ({ id, name: id });
const ida = person('ida');
const bob = person('bob');
const eve = person('eve');
const nil = person('nil');
const postgres = setUpPostgres();
const rows = storesOfThisRun(storeRows(postgres), 'SQLite');

type Rules = 'ownership' | 'rules';

/** Asks about a payment, and is done with whatever comes of it. */
const asksOnce: Script = ({ prompt }) =>
  prompt.at(-1)?.role === 'tool'
    ? [{ text: 'Done.' }]
    : [{ text: 'Shall I?' }, { call: 'pay', input: { to: 'Alice', amount: 30 } }];

/** A flow on a store, behind every endpoint. The manager may answer everybody's questions where there are rules. */
async function served(store: Pick<FlowSettings, 'store'>, rules: Rules) {
  const fixture = flowFixture(asksOnce, {
    plugins: pluginActivities.map(({ plugin }) => plugin),
    ...store,
    ...(rules === 'rules' && { mayAnswer: (by, { ownerId }) => by.id === ownerId || by.id === 'manager' }),
    sweepMs: 1_000_000,
    logger: { warn: () => {}, error: () => {} },
  });
  onTestFinished(() => fixture.flow.close());
  const url = await serveAll(fixture.flow);
  const ask = async (who: Principal, chat: string) =>
    questionIn(await fixture.chat(chat, who).say('Pay Alice.'));
  /** Resolves when the turn has ended. */
  const answer = async (who: Principal, approvalId: string, body: object = { approved: false }) => {
    const response = await fetch(`${url}/api/approvals/${approvalId}`, {
      method: 'POST',
      headers: { [userHeader]: who.id, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { approval } = await response.json();
    expect(response.status).toBe(200);
    await fixture.chat(approval.chatId, who).resume();
  };
  const get = async (who: Principal, path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { [userHeader]: who.id } });
    return { status: response.status, text: await response.text() };
  };
  const remove = (who: Principal, path: string) =>
    fetch(`${url}${path}`, { method: 'DELETE', headers: { [userHeader]: who.id } });
  return { ...fixture, url, ask, answer, get, remove };
}

type World = Awaited<ReturnType<typeof served>>;

/** Frames of the feed, comments left out, until there are as many as asked for. Leaves it then. */
function feedOf({ url }: Pick<World, 'url'>, who: Principal, place?: string) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  let text = '';
  const response = fetch(`${url}/api/approvals/events`, {
    headers: { [userHeader]: who.id, ...(place !== undefined && { 'last-event-id': place }) },
    signal: left.signal,
  });
  const reader = response.then(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader());
  const frames = () => text.split('\n\n').slice(0, -1);
  return {
    status: async () => (await response).status,
    async read(count: number): Promise<string[]> {
      while (frames().length < count) {
        const next = await (await reader)?.read();
        if (!next || next.done) throw new Error('The feed has ended.');
        text += next.value;
      }
      return frames();
    },
    leave: () => left.abort(),
  };
}

const idIn = (frame = ''): string => /^id: (.*)$/m.exec(frame)?.[1] ?? '';

/** The pages of a list, one after the other, as they came. */
async function pagesOf({ get }: World, who: Principal, path: string): Promise<string[]> {
  const pages: string[] = [];
  let cursor = '';
  do {
    const { text } = await get(who, `${path}${cursor}`);
    pages.push(text);
    const { nextCursor } = JSON.parse(text);
    cursor = nextCursor === undefined ? '' : `&cursor=${nextCursor}`;
  } while (cursor !== '');
  return pages;
}

const lists = [
  '/api/chat?limit=2',
  '/api/approvals?limit=2',
  '/api/approvals?state=denied&limit=1',
  '/api/approvals?state=approved&limit=1',
  '/api/approvals?state=settled&limit=2',
  '/api/approvals?state=settled&text=pay&limit=2',
  ...pluginActivities.map(({ list }) => `${list.path}?limit=1`),
];

/** How many pages Ida has of the lists of plugins. */
const ofPlugins = pluginActivities.map(({ list }) => list.pages);

async function allThatIsSeen(world: World, who: Principal) {
  const seen = await Promise.all(lists.map(async (path) => [path, await pagesOf(world, who, path)]));
  return Object.fromEntries(seen) as Record<string, string[]>;
}

const cursorsIn = (seen: Record<string, string[]>): string[] =>
  Object.values(seen).flatMap((pages) => pages.flatMap((page) => JSON.parse(page).nextCursor ?? []));

/** Ida has something in every list, and others have something before, between and after. */
async function begin(world: World): Promise<void> {
  const { ask, answer } = world;
  for (let round = 0; round < 3; round += 1) {
    for (const who of [bob, ida, eve]) {
      await ask(who, `${who.id}-open-${round}`);
      await answer(who, await ask(who, `${who.id}-denied-${round}`));
    }
  }
  for (const place of [0, 1]) {
    const body = Object.assign(
      { approved: true },
      ...pluginActivities.map(({ approvals }) => approvals[place]),
    );
    for (const who of [bob, ida, eve]) await answer(who, await ask(who, `${who.id}-approved-${place}`), body);
  }
}

async function strangersAct(world: World, name: string): Promise<void> {
  const { ask, answer, chat, flow, get, remove } = world;
  for (const who of [bob, eve]) {
    const open = await flow.approvals.list({ principal: who, state: 'open', limit: 9 });
    await answer(who, open.items[0]?.id ?? '');
    await chat(open.items[1]?.chatId, who).stop();
    const chats = await flow.chats.list({ principal: who, limit: 1 });
    for (const { id } of chats.items) await flow.chats.erase({ principal: who, chatId: id });
    const read = async (path: string) => (await get(who, path)).text;
    for (const { act } of pluginActivities) await act(read, (path) => remove(who, path));
    for (let round = 0; round < 3; round += 1) await chat(`${who.id}-${name}-${round}`, who).say('Pay.');
  }
  await ask(eve, `eve-last-${name}`);
}

describe.each(rows)('others’ activity cannot be observed on %s [H9, H11, ADR 0012]', (_store, create) => {
  const openWorld = async (rules: Rules) => {
    const database = await create();
    onTestFinished(() => database.remove());
    return { database, world: await served({ store: database.open() }, rules) };
  };

  it.each<Rules>(['ownership', 'rules'])('because it changes no byte of a page, by %s', async (rules) => {
    const { world } = await openWorld(rules);
    expect(await world.get(nil, '/api/approvals?limit=1')).toEqual({
      status: 200,
      text: '{"approvals":[]}',
    });
    await begin(world);
    const before = { ida: await allThatIsSeen(world, ida), nil: await allThatIsSeen(world, nil) };
    for (const name of ['once', 'twice']) {
      await strangersAct(world, name);
      expect({ ida: await allThatIsSeen(world, ida), nil: await allThatIsSeen(world, nil) }).toEqual(before);
    }
    expect(Object.values(before.ida).map((pages) => pages.length)).toEqual([4, 2, 3, 2, 3, 3, ...ofPlugins]);
    expect(Object.values(before.nil).map((pages) => pages.length)).toEqual(lists.map(() => 1));
    expect(cursorsIn(before.nil)).toEqual([]);
  });

  it('because cursors have one length, no readable content, and one list of one person [H9, S1]', async () => {
    const { world } = await openWorld('rules');
    await begin(world);
    const cursors = cursorsIn(await allThatIsSeen(world, ida));
    expect(cursors).toHaveLength(ofPlugins.reduce((sum, pages) => sum + pages - 1, 11));
    expect(new Set(cursors.map(({ length }) => length)).size).toBe(1);
    for (const cursor of cursors) {
      expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/\d{4,}|\d\.\d/);
    }
    const [chats = '', , , approvals = ''] = cursors;
    const old = Buffer.from('1893456000000.3').toString('base64url');
    const refused: [Principal, string][] = [
      [bob, `/api/chat?cursor=${chats}`],
      [bob, `/api/approvals?cursor=${approvals}`],
      [ida, `/api/approvals?cursor=${chats}`],
      ...pluginActivities.map(({ list }): [Principal, string] => [ida, `${list.path}?cursor=${chats}`]),
      [ida, `/api/chat?cursor=${old}`],
      [ida, `/api/approvals?cursor=${approvals.slice(0, -2)}`],
    ];
    for (const [who, path] of refused) {
      const { status, text } = await world.get(who, path);
      expect({ path, status, code: JSON.parse(text).error?.code }).toEqual({
        path,
        status: 400,
        code: 'invalid-request',
      });
    }
  });

  it('and a cursor continues on another instance, and after a restart', async () => {
    const { world, database } = await openWorld('rules');
    await begin(world);
    const whole = await allThatIsSeen(world, ida);
    const other = await served({ store: database.open() }, 'rules');
    expect(await allThatIsSeen(other, ida)).toEqual(whole);
    await Promise.all([world.flow.close(), other.flow.close()]);
    const later = await served({ store: database.open() }, 'rules');
    expect(await allThatIsSeen(later, ida)).toEqual(whole);
    const { nextCursor } = JSON.parse(whole['/api/chat?limit=2']?.[0] ?? '');
    const { text } = await later.get(ida, `/api/chat?limit=2&cursor=${nextCursor}`);
    expect(text).toBe(whole['/api/chat?limit=2']?.[1]);
  });

  it.each<Rules>(['ownership', 'rules'])(
    'because it sends nothing to a feed, by %s',
    async (rules) => {
      const { world, database } = await openWorld(rules);
      const { ask, answer } = world;
      const first = await ask(ida, 'first');
      await ask(bob, 'bob-open-0');
      const second = await ask(ida, 'second');
      const idle = feedOf(world, nil);
      const [start] = await idle.read(1);
      const own = feedOf(world, ida);
      await own.read(1);

      const whole = feedOf(world, ida, '0');
      const asked = await whole.read(3);
      whole.leave();
      const bobs = await world.flow.approvals.list({ principal: bob, state: 'open' });
      await answer(bob, bobs.items[0]?.id ?? '');
      await ask(eve, 'eve-open');
      const again = feedOf(world, ida, '0');
      expect(await again.read(3)).toEqual(asked);
      again.leave();

      await answer(ida, first);
      await ask(bob, 'bob-later');
      await answer(ida, second);
      const told = await own.read(3);
      expect(told.map((frame) => frame.split('\n')[1])).toEqual([
        undefined,
        'event: settled',
        'event: settled',
      ]);
      const ids = [idIn(start), ...[...asked.slice(1), ...told].map(idIn)];
      expect(new Set(ids.map(({ length }) => length)).size).toBe(1);
      for (const id of ids) expect(id).not.toMatch(/^\d+$/);

      // Where a feed begins is said differently each time, whether or not anything has happened.
      const [once, twice] = [feedOf(world, nil), feedOf(world, nil)];
      const starts = [...(await once.read(1)), ...(await twice.read(1))].map(idIn);
      expect(new Set([idIn(start), ...starts]).size).toBe(3);

      // On another instance, and after a restart, a feed goes on after its last event.
      const other = await served({ store: database.open() }, rules);
      await world.flow.close();
      const resumed = feedOf(other, ida, idIn(told[1]));
      expect(await resumed.read(2)).toEqual([`id: ${idIn(told[1])}`, told[2]]);
      const started = feedOf(other, ida, idIn(told[0]));
      expect(await started.read(3)).toEqual(told);

      for (const [who, place] of [
        [bob, idIn(told[1])],
        [ida, '1'],
        [ida, 'nonsense'],
      ] as const) {
        expect({ place, status: await feedOf(other, who, place).status() }).toEqual({ place, status: 400 });
      }
    },
    30_000,
  );
});
