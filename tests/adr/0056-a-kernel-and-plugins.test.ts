import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notTheAsker, type Principal, subagent } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { createUpgradeHandler } from 'countersign/bidi/server';
import type { Dialect } from 'countersign/http/server';
import type { FindGivers, FlowEvent, FlowPlugin, Giver, PluginParts } from 'countersign/plugin';
import { ApprovalCard, type CardPlugin, CardPluginsProvider } from 'countersign/react';
import { createFetchHandler } from 'countersign/sse/server';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script, scriptedModel } from 'countersign/testing';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { build } from 'vite';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { pluginsCommand } from '../../lib/cli/remove-plugin.ts';
import { advanceHead } from '../../lib/log/chat-head.ts';
import { asWritten, none } from '../../lib/log/events/event-row.ts';
import { claimOf, kernelEvents } from '../../lib/log/events/event-table.ts';
import { createAuditor } from '../../lib/log/seal/auditor.ts';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { foldTurn } from '../../lib/log/turn/fold-turn.ts';
import { questionsOf } from '../../lib/log/turn/question.ts';
import type { EarlyApproval } from '../../lib/protocol/events/plugin-events.ts';
import {
  type ChatId,
  type EventOf,
  isSameJson,
  parseApprovalId,
  parseToolCallId,
  type Question,
  type StandingApproval,
} from '../../lib/protocol/index.ts';
import { unfit } from '../../lib/protocol/settings.ts';
import { appendChatEvents } from '../../lib/run/chat-event.ts';
import type { Observer, Watch } from '../../lib/run/observing/observer.ts';
import { openTurnOf } from '../../lib/run/question/open-turn.ts';
import { standingApproval } from '../../lib/run/question/standing-approval.ts';
import { createRoute } from '../../lib/server/route.ts';
import type { AnswerGate } from '../../lib/settings/plugin/plugin-declaration.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { storedChat } from '../../lib/views/chat/stored-chat.ts';
import { redactEvents } from '../../lib/views/reader/redact-events.ts';
import { timelineOf } from '../../lib/views/timeline/timeline.ts';
import { createTranscript } from '../../lib/views/transcript.ts';
import { batch, chat, text } from '../contract/store-batches.ts';
import { administeredSqlite } from '../support/administered-store.ts';
import { adr } from '../support/adr.ts';
import { questionOf } from '../support/card-fixture.ts';
import {
  ada,
  countingTools,
  type FixtureSettings,
  flowFixture,
  questionIn,
  userMessage,
} from '../support/flow-fixture.ts';
import { handshake } from '../support/handshake.ts';

const { clause } = adr('0056-a-kernel-and-plugins.md');

type Greetings = { greet(request: { principal: Principal }): string };

/** A plugin that says who asks, as a method and at an endpoint. */
function greetings(parts: Partial<PluginParts<Greetings>> = {}): FlowPlugin<'greetings', Greetings> {
  return {
    name: 'greetings',
    setUp: () => ({
      methods: { greet: ({ principal }) => `Hello, ${principal.id}.` },
      endpoints: (route) => [
        { path: '/greetings', methods: { GET: route(async ({ principal }) => Response.json(principal.id)) } },
      ],
      ...parts,
    }),
  };
}

function flowWith<const Plugins extends readonly FlowPlugin[]>(
  plugins: Plugins,
  {
    script = [[{ text: 'Hello.' }]],
    ...settings
  }: Parameters<typeof flowFixture>[1] & { script?: Script } = {},
) {
  const fixture = flowFixture(script, { ...settings, plugins });
  onTestFinished(() => fixture.flow.close());
  return fixture;
}

const get = (flow: Parameters<typeof createFetchHandler>[0]) =>
  createFetchHandler(flow, { authorize: () => ada })(new Request('http://localhost/api/greetings'));

clause('0056.1', async () => {
  const { flow } = flowWith([greetings()]);
  expect(flow.greetings.greet({ principal: ada })).toBe('Hello, ada.');
  expect(await (await get(flow)).json()).toBe('ada');
  const without = flowWith([]).flow;
  expect(without).not.toHaveProperty('greetings');
  expect((await get(without)).status).toBe(404);
});

clause('0056.2', () => {
  expect(() => flowWith([greetings(), greetings()])).toThrow('Two plugins have the name `greetings`.');
  const other = { ...greetings(), name: 'other' } as const;
  const { flow } = flowWith([greetings(), other]);
  expect(() => createFetchHandler(flow, { authorize: () => ada })).toThrow('GET /greetings');
});

clause('0056.3', async () => {
  const warned: unknown[] = [];
  const swept: string[] = [];
  const failing = greetings({ sweep: () => Promise.reject(new Error('No.')) });
  const other = { ...greetings({ sweep: async () => void swept.push('other') }), name: 'other' } as const;
  const logger = { warn: (_: string, facts?: object) => warned.push(facts), error: () => {} };
  await flowWith([failing, other], { logger }).flow.recover();
  expect(swept).toEqual(['other']);
  expect(warned).toMatchObject([{ plugin: 'greetings' }]);
});

clause('0056.4', async () => {
  const { flow, id, say, view } = flowWith([
    greetings({ beforeErase: () => Promise.reject(new Error('Not yet.')) }),
  ]);
  await say('Hello.');
  await expect(flow.chats.erase({ chatId: id, principal: ada })).rejects.toThrow('Not yet.');
  expect((await view()).messages).toHaveLength(2);
});

clause('0056.5', async () => {
  const { flow } = flowWith([greetings()], { formerIds: { ada: 'ada@example.com' } });
  expect(flow.greetings.greet({ principal: ada })).toBe('Hello, ada@example.com.');
  expect(await (await get(flow)).json()).toBe('ada@example.com');
});

const note = { plugin: 'greetings', kind: 'note', key: 'a', value: 'Hello.' };

function recordStore() {
  const store = sqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return { store, find: () => store.records.read({ plugin: 'greetings', kind: 'note' }, ['a']) };
}

clause('0056.6', async () => {
  const { store, find } = recordStore();
  const records = [{ ...note, ownerId: 'ada', dueAt: 5 }];
  expect(await store.append({ ...batch(chat, 7, [text()]), records })).toBe('conflict');
  expect(await find()).toEqual([]);
  expect(await store.append({ ...batch(chat, 0, [text()]), records })).toBe('appended');
  const { plugin, kind } = note;
  const found = await find();
  expect(found).toMatchObject([{ ...note, ownerId: 'ada', dueAt: 5, version: 1 }]);
  expect(await store.records.due({ plugin, kind, now: 5, limit: 9 })).toEqual(found);
  expect((await store.records.list({ plugin, kind, ownerId: 'ada', limit: 9 })).items).toEqual(found);
});

clause('0056.7', async () => {
  const { store, find } = recordStore();
  const { value: _, ...id } = note;
  await store.records.write([note]);
  const writes = ['one', 'two'].map((value) => store.records.write([{ ...note, value, expects: 1 }]));
  expect(await Promise.all(writes)).toEqual([undefined, { unexpected: id }]);
  const late = { ...batch(chat, 0, [text()]), records: [{ ...note, expects: 1 }] };
  expect(await store.append(late)).toEqual({ unexpected: id });
  expect(await store.chats.head(chat)).toBeUndefined();
  expect(await find()).toMatchObject([{ value: 'one', version: 2 }]);
  // Rejected: a read before the write. The later writer does not learn of the earlier one.
  await Promise.all(
    ['three', 'four'].map((value) => find().then(() => store.records.write([{ ...note, value }]))),
  );
  expect(await find()).toMatchObject([{ value: 'four', version: 4 }]);
});

clause('0056.8', async () => {
  const { store, find } = recordStore();
  const records = [
    { ...note, ofChat: true },
    { ...note, key: 'b' },
  ];
  await store.append({ ...batch(chat, 0, [text()]), records });
  await store.chats.erase(chat, 'ada', 1);
  expect(await find()).toEqual([]);
  expect(await store.records.drop('greetings')).toBe(1);
});

const auditKey = 'an audit key for tests';
const pay = { call: 'pay', input: { to: 'Alice', amount: 30 } };
const said = 'She asked for it herself.';

/** An event of a plugin that this instance lacks. */
const comment = (at: { readonly seq: number; readonly at: number }) =>
  ({ type: 'comment-added', toolCallId: 'call-1', text: said, ...at }) as unknown as FlowEvent;

/** Writes such an event as an instance with the plugin does. */
async function append(store: FlowStore, chatId: ChatId, key?: string) {
  const head = await store.chats.head(chatId);
  if (!head) throw new Error(`There is no chat ${chatId}.`);
  const plain = comment({ seq: head.seq + 1, at: head.updatedAt });
  const sealed =
    key === undefined ? undefined : createAuditor(key).sealed(chatId, head.auditHead, plain, undefined);
  const event = sealed ?? plain;
  const next = { ...advanceHead(head, [event]), auditHead: event.seal ?? head.auditHead };
  await store.append({
    chatId,
    after: head.seq,
    head: next,
    events: [event],
    questions: [],
    owner: 'another instance',
  });
  return event;
}

/** A chat in which Ada approved a payment, with a comment on the open question. */
async function commented() {
  const { store, administer } = administeredSqlite();
  const fixture = flowFixture([[pay], [{ text: 'Paid.' }]], { auditKey, store });
  const approvalId = questionIn(await fixture.say('Pay Alice.'));
  const added = await append(store, fixture.id, auditKey);
  await fixture.answer(approvalId, true);
  const record = () => fixture.flow.audit.read({ principal: ada, chatId: fixture.id });
  return { ...fixture, added, record, administer };
}

clause('0056.9', async () => {
  const { events, store, id, added } = await commented();
  const { type, seq, at } = added;
  expect((await events()).find((event) => event.seq === seq)).toEqual({ type, seq, at });
  expect(JSON.stringify(await events())).not.toContain(said);

  const passing = new Map(kernelEvents).set(type, {
    redact: asWritten,
    fold: none,
    claim: none,
    facts: none,
  });
  expect(JSON.stringify(redactEvents(await store.events.read(id, 0), passing))).toContain(said);
});

clause('0056.10', async () => {
  const { store, id, ran, view } = await commented();
  expect(ran).toMatchObject([{ tool: 'pay' }]);
  expect(JSON.stringify(await view())).not.toContain('comment');

  const log = (await store.events.read(id, 0)).filter(({ type }) => kernelEvents.has(type));
  const everywhere = log.flatMap((event) => [event, comment({ seq: event.seq + 0.5, at: event.at })]);
  const owned = { id, ownerId: ada.id };
  const rights = () => ({ mayAnswer: true, mayEdit: true, mayRemember: true });
  const views: Readonly<Record<string, (events: readonly FlowEvent[]) => unknown>> = {
    turn: foldTurn,
    questions: (events) => questionsOf(events, owned),
    prompt(events) {
      const transcript = createTranscript();
      for (const event of events) transcript.apply(event);
      return transcript.messages();
    },
    chat: (events) => storedChat(events, { chat: owned, emitFrom: 0, replay: true, rights }).messages,
    timeline: (events) => timelineOf(id, events),
  };
  for (const [name, read] of Object.entries(views)) expect(read(everywhere), name).toEqual(read(log));
});

clause('0056.11', async () => {
  const { record, added, administer, store, id } = await commented();
  const { entries, head, faults } = await record();
  expect(entries).toContainEqual(
    expect.objectContaining({
      type: 'unknown-event',
      event: 'comment-added',
      toolCallId: 'call-1',
      seq: added.seq,
    }),
  );
  expect(JSON.stringify(entries)).not.toContain(said);
  expect(faults).toEqual([]);
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();

  const unsealed = await append(store, id);
  expect((await record()).faults).toMatchObject([{ type: 'unsealed', seq: unsealed.seq }]);
  await administer(`update events set body = replace(body, 'herself', 'himself') where seq = ${added.seq}`);
  expect((await record()).faults).toMatchObject([
    { type: 'misplaced', seq: added.seq },
    { type: 'unsealed' },
  ]);
});

clause('0056.13', async () => {
  const done: string[] = [];
  const working = greetings({
    start: () => void done.push('started'),
    close: async () => void done.push('closed'),
  });
  expect(() => flowWith([working, working])).toThrow('Two plugins');
  expect(done).toEqual([]);
  const { flow } = flowWith([working]);
  expect(done).toEqual(['started']);
  await flow.close();
  expect(done).toEqual(['started', 'closed']);
});

clause('0056.17', async () => {
  const ben: Principal = { id: 'ben', name: 'Ben', role: 'manager' };
  const cleo: Principal = { id: 'cleo', name: 'Cleo' };
  const claim = (person: Principal): Giver => ({
    person,
    covers: () => true,
    current: async () => person,
  });
  const answered = async (by: Principal, givers: FindGivers, more: object = {}) => {
    const fixture = flowFixture(
      [[{ call: 'pay', input: { to: 'alice', amount: 30 } }], [{ text: 'Paid.' }]],
      {
        plugins: [greetings({ givers })],
        logger: { warn: () => {}, error: () => {} },
        mayRead: () => true,
        toolDetails: {
          pay: { approvers: (who, question) => who.role === 'manager' && notTheAsker(who, question) },
        },
      },
    );
    onTestFinished(() => fixture.flow.close());
    const approvalId = parseApprovalId(questionIn(await fixture.say('Pay.')));
    const request = { principal: by, approvalId, approved: true, via: 'test', ...more };
    return fixture.flow.approvals.answer(request);
  };
  const forbidden = { code: 'forbidden' };
  await expect(answered(cleo, async () => [])).rejects.toMatchObject(forbidden);
  await expect(answered(cleo, async () => [claim({ ...ben, role: 'clerk' })])).rejects.toMatchObject(
    forbidden,
  );
  await expect(answered(ada, async () => [claim(ben)])).rejects.toMatchObject(forbidden);
  const input = { to: 'alice', amount: 9_000 };
  await expect(answered(cleo, async () => [claim(ben)], { input })).rejects.toMatchObject(forbidden);
  const another = { ...claim(cleo), current: async () => ben };
  await expect(answered(cleo, async () => [another])).rejects.toMatchObject(forbidden);
  const failing = { ...claim(ben), current: () => Promise.reject(new Error('No.')) };
  await expect(answered(cleo, async () => [failing])).rejects.toMatchObject(forbidden);
  const takenBack: FindGivers = async (_principal, isFresh) => (isFresh ? [] : [claim(ben)]);
  await expect(answered(cleo, takenBack)).rejects.toMatchObject(forbidden);
  const { state, answer } = await answered(cleo, async () => [claim(ben)]);
  expect({ state, answer }).toMatchObject({ state: 'approved', answer: { onBehalfOf: { id: 'ben' } } });
});

clause('0056.24', async () => {
  const logged: unknown[] = [];
  const logger = { warn: () => {}, error: (_: string, facts?: object) => logged.push(facts) };
  const failing = {
    ...greetings({ details: () => Promise.reject(new Error('No.')) }),
    name: 'other',
  } as const;
  const details: PluginParts<Greetings>['details'] = async ({ id }) => ({ hello: id });
  const { flow, say } = flowFixture([[{ call: 'pay', input: { to: 'alice', amount: 30 } }]], {
    plugins: [greetings({ details }), failing],
    logger,
  });
  onTestFinished(() => flow.close());
  const approvalId = parseApprovalId(questionIn(await say('Pay.')));
  const read = await flow.approvals.read({ principal: ada, approvalId });
  expect(read.plugins).toEqual({ greetings: { hello: 'ada' } });
  expect(logged).toMatchObject([{ plugin: 'other', approvalId }]);
  const { items } = await flow.approvals.list({ principal: ada, state: 'open' });
  expect(items[0]?.plugins).toBeUndefined();
});

/** The files of plugins in the bundle of a page. */
async function pluginFilesIn(page: string) {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['countersign-source'] },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : null),
        load: (id) => (id === 'page' ? page : null),
      },
    ],
    build: {
      write: false,
      rollupOptions: {
        input: 'page',
        external: [/^(?!page$|countersign|[./])/],
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const output = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const files = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
  expect(files.some((file) => file.includes('/lib/react/'))).toBe(true);
  return [...new Set(files.flatMap((file) => /lib[/]plugins[/]([^/]+)/.exec(file)?.[1] ?? []))];
}

clause('0056.16', async () => {
  const question = questionOf({ plugins: { comments: { count: 2 } } as never });
  const commentsCard: CardPlugin = {
    name: 'comments',
    lines: ({ plugins }) => [`Comments: ${JSON.stringify(plugins)}`],
  };
  const card = createElement(ApprovalCard, { question, onAnswer: () => undefined });
  const shown = (content: ReactNode) => renderToString(content);
  expect(shown(card)).not.toContain('Comments');
  expect(shown(createElement(CardPluginsProvider, { plugins: [commentsCard] }, card))).toContain('Comments');

  const kernel = "export * from 'countersign/react'; export * from 'countersign/client';";
  expect(await pluginFilesIn(kernel)).toEqual([]);
  for (const path of globSync('lib/plugins/*/react').slice(0, 1)) {
    const name = path.split('/')[2];
    expect(await pluginFilesIn(`${kernel} export * from 'countersign/plugins/${name}/react';`)).toEqual([
      name,
    ]);
  }
});

/** Comments on questions, which their question counts. */
const comments: FlowPlugin<'comments', { add(question: Question, text: string): Promise<boolean> }> = {
  name: 'comments',
  checkDetails(value, path) {
    if (typeof value !== 'number') unfit(path, 'must be a number');
  },
  asked: () => ({ count: 0 }),
  setUp: ({ record }) => ({
    methods: {
      add: (question, data) =>
        record(question, ({ pluginEvents = [] }) =>
          pluginEvents.length > 0
            ? undefined
            : { name: 'added', claim: 'first', says: { count: 1 }, data, isNotice: true },
        ),
    },
  }),
};

/** Two instances, one of which lacks the plugin, and an open question with a comment. */
async function discussed() {
  const store = sqliteStore({ path: ':memory:' });
  const script: Script = [[pay], [{ text: 'Done.' }]];
  const { flow, say, id, ...rest } = flowFixture(script, { auditKey, store, plugins: [comments] });
  const without = flowFixture([[{ text: 'Done.' }]], { auditKey, store });
  for (const each of [flow, without.flow]) onTestFinished(() => each.close());
  const approvalId = parseApprovalId(questionIn(await say('Pay Alice.')));
  const read = (from: Pick<typeof flow, 'approvals'> = flow) =>
    from.approvals.read({ principal: ada, approvalId });
  return { ...rest, flow, id, store, approvalId, read, without };
}

clause('0056.18', async () => {
  const kept: StandingApproval[] = [];
  const changes: Partial<StandingApproval>[] = [{}];
  const named = (): FlowPlugin => ({
    name: 'named',
    offers: () => true,
    async approved(_said, { standing, makeId }) {
      kept.push(await standing({ id: makeId(), covers: 'all' }));
      return { said: true, records: [] };
    },
    standing: async () =>
      kept.flatMap((approval) =>
        changes.map((change) => ({ approval: { ...approval, ...change }, reason: 'Named.', records: [] })),
      ),
    setUp: () => ({ methods: {} }),
  });
  const pay = [{ call: 'pay', input: { to: 'alice', amount: 5 } }];
  const done = [{ text: 'Done.' }];
  const paying = (settings: FixtureSettings = {}) =>
    flowFixture([pay, done], { auditKey: 'a key of the test only', plugins: [named()], ...settings });
  const ranUnasked = async ({ chat, ran }: ReturnType<typeof paying>, id: string, principal = ada) => {
    await chat(id, principal).say('Pay.');
    return ran.length === 1;
  };
  const first = paying();
  const id = questionIn(await first.say('Pay.'));
  await first.answer(id, true, { plugins: { named: true } as never });
  expect(await ranUnasked(paying(), 'later')).toBe(true);
  expect(await ranUnasked(paying(), 'of-bob', { id: 'bob', name: 'Bob' })).toBe(false);
  expect(await ranUnasked(paying({ toolDetails: { pay: { risk: 'high' } } }), 'changed')).toBe(false);
  expect(await ranUnasked(paying({ auditKey: 'another key, which sealed nothing' }), 'other-key')).toBe(
    false,
  );
  for (const change of [
    { seal: 'forged' },
    { covers: 'more' },
    { approvalId: id.replace('apr', 'app') as never },
  ]) {
    changes.splice(0, 1, change);
    expect(await ranUnasked(paying(), `forged-${Object.keys(change)}`)).toBe(false);
  }

  // Rejected: the plugin's word is enough.
  changes.splice(0, 1, { seal: 'forged' });
  expect(await ranUnasked(paying({ auditKey: undefined }), 'believed')).toBe(true);
});

const ben = { id: 'ben', name: 'Ben' };

/** Lets Ben answer, too. */
const helpers: FlowPlugin<'helpers', { call(question: Question): Promise<boolean> }> = {
  name: 'helpers',
  rules: () => [{ name: 'helpers', rule: ({ id }) => id === 'ben' }],
  setUp: ({ record }) => ({ methods: { call: (question) => record(question, () => ({ name: 'called' })) } }),
};

clause('0056.19', async () => {
  for (const how of ['not', 'recorded', 'forged'] as const) {
    const { flow, say, chat, id, store, ran, events } = flowFixture([[pay], [{ text: 'Done.' }]], {
      auditKey,
      plugins: [helpers],
    });
    onTestFinished(() => flow.close());
    const approvalId = parseApprovalId(questionIn(await say('Pay Alice.')));
    const question = await flow.approvals.read({ principal: ada, approvalId });
    if (how === 'recorded') expect(await flow.helpers.call(question)).toBe(true);
    if (how === 'forged') {
      const head = await store.chats.head(id);
      if (!head) throw new Error('There is a chat.');
      const { seq, updatedAt: at } = head;
      const { toolCallId } = question;
      const body = {
        type: 'plugin-event',
        plugin: 'helpers',
        name: 'called',
        approvalId,
        toolCallId,
      } as const;
      const forged = {
        chatId: id,
        after: seq,
        head: { ...head, seq: seq + 1 },
        questions: [],
        owner: 'forger',
      };
      await store.append({ ...forged, events: [{ ...body, seq: seq + 1, at }] });
    }
    const answered = flow.approvals.answer({ principal: ben, approvalId, approved: true, via: 'test' });
    if (how === 'not') {
      await expect(answered).rejects.toMatchObject({ code: 'forbidden' });
      continue;
    }
    await answered;
    await chat().resume();
    expect(ran).toHaveLength(how === 'recorded' ? 1 : 0);
    const { entries } = await flow.audit.read({ principal: ada, chatId: id });
    expect(entries).toContainEqual(expect.objectContaining({ type: 'answered', rule: 'plugin:helpers' }));
    expect((await events()).some(({ type }) => type === 'tool-started')).toBe(how === 'recorded');
  }
});

type Early = {
  set(question: Question, toolCallId: string, person: Principal | null): Promise<EventOf<'plugin-event'>>;
};

/** Records early approvals, and names the last one that it has recorded, whatever came after it. */
const early = (change: (given: EarlyApproval) => StandingApproval = (given) => given) =>
  ({
    name: 'early',
    standing: async ({ call: { pluginEvents = [] } }) => {
      const given = pluginEvents.findLast((event) => event.early)?.early;
      return given ? [{ approval: change(given), reason: 'Named.', records: [] }] : [];
    },
    setUp: (kernel) => ({
      methods: {
        async set(question, id, person) {
          const open = await openTurnOf(kernel, question);
          const call = open?.turn.calls.get(parseToolCallId(id));
          if (!open || !call) throw new Error('There is an upcoming call.');
          const { id: approvalId, toolName } = question;
          const about = { id: kernel.ids.grant(), approvalId, toolName, covers: '' };
          const given = person && { ...(await standingApproval(kernel, person, about)), via: 'test' };
          const { toolCallId } = call.requested;
          const body = {
            type: 'plugin-event',
            plugin: 'early',
            name: 'set',
            approvalId,
            toolCallId,
          } as const;
          const [event] =
            (await appendChatEvents(kernel, open.head, [{ call, body: { ...body, early: given } }])) ?? [];
          if (event?.type !== 'plugin-event') throw new Error('It was written.');
          return event;
        },
      },
    }),
  }) satisfies FlowPlugin<'early', Early>;

/** A question about the first of two payments, each of which Ada and managers may approve. */
async function twoPayments(change?: Parameters<typeof early>[0], settings: FixtureSettings = {}) {
  const two = ['one', 'two'].map((to) => ({ call: 'pay', id: to, input: { to, amount: 5 } }));
  const fixture = flowFixture([two, [{ text: 'Done.' }]], {
    auditKey,
    mayChange: () => true,
    logger: { warn: () => {}, error: () => {} },
    toolDetails: { pay: { approvers: ({ id }) => id === 'ada' || id === 'ben' } },
    ...settings,
    plugins: [early(change)],
  });
  onTestFinished(() => fixture.flow.close());
  const approvalId = parseApprovalId(questionIn(await fixture.say('Pay.')));
  const question = await fixture.flow.approvals.read({ principal: ada, approvalId });
  return {
    ...fixture,
    give: (person: Principal | null, id = 'two') => fixture.flow.early.set(question, id, person),
    /** How many calls run once the first is approved. */
    async ranAfter() {
      await fixture.answer(approvalId, true);
      return fixture.ran.length;
    },
  };
}

clause('0056.31', async () => {
  const given = await twoPayments();
  const { early: approval } = await given.give(ben);
  expect(await given.ranAfter()).toBe(2);
  const { entries } = await given.flow.audit.read({ principal: ada, chatId: given.id });
  expect(entries.filter(({ toolCallId }) => toolCallId === 'two')).toMatchObject([
    { type: 'plugin-event', early: { id: approval?.id, by: { id: 'ben' } } },
    {
      type: 'granted',
      plugin: 'early',
      isEarly: true,
      reason: 'Named.',
      grantId: approval?.id,
      by: { id: 'ben' },
    },
    { type: 'started' },
    { type: 'ended' },
  ]);
  const revoked = await twoPayments();
  await revoked.give(ben);
  await revoked.give(null);
  expect(await revoked.ranAfter()).toBe(1);
  // Named for another call, or changed.
  const other = await twoPayments();
  await other.give(ben, 'one');
  expect(await other.ranAfter()).toBe(1);
  const changed = await twoPayments((each) => ({ ...each }));
  await changed.give(ben);
  expect(await changed.ranAfter()).toBe(1);
});

clause('0056.32', async () => {
  const strange = await twoPayments();
  await strange.give({ id: 'eve', name: 'Eve' });
  expect(await strange.ranAfter()).toBe(1);

  const copied = async (settings: FixtureSettings = {}) => {
    const { flow, store, id, give, ranAfter } = await twoPayments(undefined, settings);
    const event = await give(ben);
    await give(null);
    const head = await store.chats.head(id);
    if (!head) throw new Error('There is a chat.');
    const seq = head.seq + 1;
    const forged = { chatId: id, after: head.seq, head: { ...head, seq }, questions: [], owner: 'forger' };
    await store.append({ ...forged, events: [{ ...event, seq }] });
    expect(await flow.chats.read({ principal: ada, chatId: id })).toBeDefined();
    return ranAfter();
  };
  expect(await copied()).toBe(1);
  // Rejected: the row is enough.
  expect(await copied({ auditKey: undefined })).toBe(2);
});

clause('0056.20', async () => {
  const { flow, id, read, without, events, store } = await discussed();
  const question = await read();
  expect(question.plugins).toEqual({ comments: { count: 0 } });
  const added = [said, 'Late.'].map((text) => flow.comments.add(question, text));
  expect(await Promise.all(added)).toEqual([true, false]);
  for (const from of [flow, without.flow]) {
    expect((await read(from)).plugins).toEqual({ comments: { count: 1 } });
  }
  expect(await events()).toContainEqual(expect.objectContaining({ name: 'added', says: { count: 1 } }));
  expect(JSON.stringify(await events())).not.toContain(said);
  const log = await store.events.read(id, 0);
  const claims = log.filter(({ type }) => type === 'plugin-event').map((event) => claimOf(event));
  expect(claims).toEqual(['plugin:comments:first']);
  const { entries, head, faults } = await without.flow.audit.read({ principal: ada, chatId: id });
  expect(faults).toEqual([]);
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  expect(entries).toContainEqual(expect.objectContaining({ plugin: 'comments', name: 'added' }));
});

clause('0056.21', async () => {
  const { approvalId, read, without, ran } = await discussed();
  const answer = (approved: boolean, from: typeof without.flow = without.flow) =>
    from.approvals.answer({ principal: ada, approvalId, approved, via: 'test' });
  await expect(answer(true)).rejects.toMatchObject({
    code: 'plugin-missing',
    fields: { plugin: 'comments' },
  });
  expect(await read()).toMatchObject({ state: 'open' });
  expect(ran).toEqual([]);
  expect(await answer(false)).toMatchObject({ state: 'denied' });

  const other = await discussed();
  expect(await other.without.chat('chat').say('Never mind.')).toContainEqual(
    expect.objectContaining({ type: 'finish' }),
  );
  expect(await other.read()).toMatchObject({ state: 'superseded' });
});

/** A run with an event of a plugin, whose instance has closed in the middle of a step, and a way to start other instances. */
async function left() {
  const store = sqliteStore({ path: ':memory:' });
  const { promise: never } = Promise.withResolvers<void>();
  const script: Script = [[pay], [{ text: 'Hel' }, { wait: never }]];
  const { flow, say, model, id } = flowFixture(script, { store, plugins: [comments] });
  const approvalId = parseApprovalId(questionIn(await say('Pay Alice.')));
  await flow.approvals.answer({ principal: ada, approvalId, approved: true, via: 'test' });
  await expect.poll(() => model.calls.length).toBe(2);
  const started = (plugins: readonly FlowPlugin[]) => {
    const errors: unknown[] = [];
    const logger = { warn: () => {}, error: (_text: string, facts?: unknown) => void errors.push(facts) };
    const next = flowFixture([[{ text: 'Done.' }]], { store, logger, plugins });
    onTestFinished(() => next.flow.close());
    return { ...next, errors };
  };
  await flow.close();
  const typesOf = async () => (await store.events.read(id, 0)).map(({ type }) => type);
  return { store, id, started, typesOf };
}

clause('0056.39', async () => {
  const { id, store, started, typesOf } = await left();
  const without = started([]);
  const before = await typesOf();
  for (let time = 0; time < 3; time += 1) await without.flow.recover();
  // Another instance that lacks the plugin has the run for a moment.
  const moment = Date.now() + 60_000;
  expect(await store.runs.claimLease(id, { owner: 'another', until: moment }, Date.now())).toBe(true);
  await without.flow.recover();
  await store.runs.claimLease(id, { owner: 'another', until: 0 }, Date.now());
  await without.flow.recover();
  expect(without.errors).toEqual([expect.objectContaining({ chatId: id, plugin: 'comments' })]);
  expect(await typesOf()).toEqual(before);
  expect(await store.chats.head(id)).toMatchObject({ status: 'active' });
  const having = started([comments]);
  await having.flow.recover();
  await expect.poll(typesOf).toContain('run-completed');
  expect(without.model.calls).toEqual([]);
  expect(having.errors).toEqual([]);
});

clause('0056.40', async () => {
  const { id, started, typesOf } = await left();
  const { flow } = started([]);
  await flow.recover();
  await flow.chats.stop({ principal: ada, chatId: id });
  await flow.recover();
  await expect.poll(typesOf).toContain('run-cancelled');

  const clock = fakeClock();
  const store = sqliteStore({ path: ':memory:' });
  const common = { clock, store, deadlineMs: 60_000 };
  const asking = flowFixture([[pay], [{ text: 'Done.' }]], { ...common, plugins: [comments] });
  const without = flowFixture([[{ text: 'Done.' }]], common);
  for (const each of [asking, without]) onTestFinished(() => each.flow.close());
  const approvalId = parseApprovalId(questionIn(await asking.say('Pay Alice.')));
  await asking.flow.close();
  clock.advance(60_001);
  await without.flow.recover();
  expect(await without.flow.approvals.read({ principal: ada, approvalId })).toMatchObject({
    state: 'expired',
  });
});

/** Asks about payments to Bob, and needs two people for them. */
const twice: FlowPlugin<'twice'> = {
  name: 'twice',
  asked: ({ call: { requested } }) =>
    JSON.stringify(requested.input).includes('Bob') ? { needs: 2 } : undefined,
  gate: ({ answers }) => answers.length >= 2,
  setUp: () => ({ methods: {} }),
};

/** A question that says nothing of a plugin with a gate, in a turn that began where the plugin is, and instances without it. */
async function begunWithGate() {
  const store = sqliteStore({ path: ':memory:' });
  const payments = ['Alice', 'Bob'].map((to) => ({ call: 'pay', id: `to-${to}`, input: { to, amount: 5 } }));
  const fixture = <const Plugins extends readonly FlowPlugin[]>(plugins: Plugins) => {
    const errors: unknown[] = [];
    const logger = { warn: () => {}, error: (_text: string, facts?: unknown) => void errors.push(facts) };
    const made = flowFixture([payments, [{ text: 'Done.' }]], {
      ...{ store, logger, plugins, sweepMs: 1e9 },
    });
    onTestFinished(() => made.flow.close());
    return { ...made, errors };
  };
  const having = fixture([twice]);
  const without = fixture([]);
  const approvalId = parseApprovalId(questionIn(await having.say('Pay Alice and Bob.')));
  const { id } = having;
  const questions = async () => (await without.flow.chats.read({ principal: ada, chatId: id })).questions;
  const answer = (approved = true) =>
    without.flow.approvals.answer({ principal: ada, approvalId, approved, via: 'test' });
  return { fixture, having, without, questions, answer, approvalId, store, id };
}

clause('0056.42', async () => {
  for (const approved of [true, false]) {
    const { having, without, questions, answer, store, id } = await begunWithGate();
    expect(await answer(approved)).toMatchObject({ state: approved ? 'approved' : 'denied' });
    await expect.poll(async () => (await questions()).length).toBe(2);
    expect(await questions()).toMatchObject([{}, { state: 'open', plugins: { twice: { needs: 2 } } }]);
    expect(without.ran).toEqual([]);
    expect(having.ran).toHaveLength(approved ? 1 : 0);
    const starts = (await store.events.read(id, 0)).filter(({ type }) => type === 'run-started');
    expect(starts).toMatchObject([{ gates: ['twice'] }, { messageId: expect.any(String) }]);
  }
  // A new message begins a turn with the plugins of its own instance.
  const { without, having } = await begunWithGate();
  await having.flow.close();
  const text = 'Pay Alice and Bob.';
  await without.say(text, { message: userMessage('another', text) });
  const { questions } = await without.flow.chats.read({ principal: ada, chatId: without.id });
  expect(questions.at(-1)).toMatchObject({ state: 'open' });
  expect(await without.answer(questions.at(-1)?.id ?? '', true)).toBeDefined();
  expect(without.ran).toHaveLength(1);
});

clause('0056.43', async () => {
  const { fixture, having, without, answer, id } = await begunWithGate();
  await having.flow.close();
  await answer();
  const run = async () => (await without.flow.chats.read({ principal: ada, chatId: id })).run;
  await expect.poll(run).toEqual({ status: 'active', waitsForPlugin: 'twice' });
  await without.flow.recover();
  expect(without.errors).toMatchObject([{ chatId: id, plugin: 'twice' }]);
  await fixture([twice]).flow.recover();
  await expect.poll(run).toEqual({ status: 'waiting' });
});

clause('0056.44', async () => {
  const eager: FlowPlugin<'eager', { say(question: Question): Promise<boolean> }> = {
    name: 'eager',
    setUp: ({ record }) => ({
      methods: { say: (question) => record(question, () => ({ name: 'said', early: null }) as never) },
    }),
  };
  const { flow, say, events } = flowWith([eager], { script: [[pay]] });
  const approvalId = parseApprovalId(questionIn(await say('Pay Alice.')));
  const question = await flow.approvals.read({ principal: ada, approvalId });
  await expect(flow.eager.say(question)).rejects.toThrow(
    'The plugin `eager` tried to record an early approval',
  );
  expect((await events()).map(({ type }) => type)).not.toContain('plugin-event');
});

clause('0056.41', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const started = (plugins: readonly FlowPlugin[]) => {
    const warnings: unknown[] = [];
    const logger = { error: () => {}, warn: (_text: string, facts?: unknown) => void warnings.push(facts) };
    const { flow } = flowFixture([], { store, logger, plugins });
    onTestFinished(() => flow.close());
    return { flow, warnings };
  };
  const [one, other, same] = [started([comments]), started([helpers]), started([helpers])];
  for (const { flow } of [one, other, same, one, other, same]) await flow.recover();
  const differs = { missingHere: ['helpers'], missingThere: ['comments'] };
  expect(one.warnings).toEqual([expect.objectContaining(differs), expect.objectContaining(differs)]);
  const otherwise = { missingHere: ['comments'], missingThere: ['helpers'] };
  for (const { warnings } of [other, same]) expect(warnings).toEqual([expect.objectContaining(otherwise)]);
});

clause('0056.47', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-plugins-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'chats.sqlite');
  const text = `import { sqliteStore } from ${JSON.stringify(import.meta.resolve('../../lib/stores/sqlite/store.ts'))};
    export const store = sqliteStore({ path: ${JSON.stringify(path)} });`;
  let modules = 0;
  const remove = async (plugin: string) => {
    const lines: string[] = [];
    const module = join(folder, `store-${++modules}.mjs`);
    writeFileSync(module, text);
    const print = (line: string) => void lines.push(line);
    const terminal = { env: {}, print, complain: print };
    return {
      code: await pluginsCommand(['remove', plugin, '--store', module], terminal),
      text: lines.join(),
    };
  };
  const store = sqliteStore({ path });
  const { flow, id, say } = flowFixture([[pay]], { store, plugins: [comments] });
  const approvalId = parseApprovalId(questionIn(await say('Pay Alice.')));
  const question = await store.questions.read(approvalId);
  if (!question || !(await flow.comments.add(question, 'Why?'))) throw new Error('There is no comment.');
  const log = await store.events.read(id, 0);
  await store.records.write([{ ...note, plugin: 'comments' }, note]);
  await flow.recover();
  const refusal = { code: 1, text: expect.stringContaining('A live instance') };
  expect(await remove('comments')).toEqual(refusal);
  expect(await remove('greetings')).toEqual({ code: 0, text: 'Deleted 1 record of greetings.' });
  await flow.close();
  expect(await remove('comments')).toEqual({ code: 0, text: 'Deleted 1 record of comments.' });
  expect(await remove('comments')).toEqual({ code: 0, text: 'Deleted 0 records of comments.' });
  const left = sqliteStore({ path });
  onTestFinished(() => left.close());
  expect(await left.events.read(id, 0)).toEqual(log);
});

clause('0056.23', async () => {
  let gate: AnswerGate = () => {
    throw new Error('Closed.');
  };
  const hours: FlowPlugin = {
    name: 'hours',
    asked: () => ({ opens: 9 }),
    gate: (answer) => gate(answer),
    setUp: () => ({ methods: {} }),
  };
  const settings = { mayAnswer: () => true, mayRead: () => true };
  const patient: FlowPlugin = { ...hours, name: 'patient', gate: ({ answers }) => answers.length >= 2 };
  const { flow, say, ran } = flowWith([patient, hours], {
    ...settings,
    script: [[pay], [{ text: 'Paid.' }]],
  });
  const approvalId = parseApprovalId(questionIn(await say('Pay Alice.')));
  const bob = { id: 'bob', name: 'Bob' };
  const answer = (principal: Principal) =>
    flow.approvals.answer({ principal, approvalId, approved: true, via: 'test' });
  // The first gate would have left the question open, with the answer.
  await expect(answer(ada)).rejects.toThrow('Closed.');
  // Only `true` settles a question.
  gate = () => 'no' as never;
  expect(await answer(ada)).toMatchObject({ state: 'open', hasAnswered: true, mayRemember: false });
  expect(await answer(bob)).toMatchObject({ state: 'open', answers: [{ by: ada }, { by: bob }] });
  gate = ({ says, answers }) => isSameJson(says, { opens: 9 }) && answers.length === 3;
  expect(await answer(ada)).toMatchObject({ state: 'open', answers: [{ by: ada }, { by: bob }] });
  expect(ran).toEqual([]);
  const eve = { id: 'eve', name: 'Eve' };
  expect(await answer(eve)).toMatchObject({ state: 'approved', answer: { by: eve } });
});

clause('0056.22', () => {
  const toolDetails = { pay: { comments: 'many' } };
  expect(() => flowWith([comments], { toolDetails })).toThrow('`toolDetails.pay.comments` must be a number');
  expect(() => flowWith([], { toolDetails })).toThrow('toolDetails.pay.comments');
  expect(() => flowWith([comments], { toolDetails: { pay: { comments: 1 } } })).not.toThrow();
  // A subagent is declared without plugins, so its flow checks what is for them.
  const agentWith = (details: object) =>
    subagent(
      {
        model: scriptedModel([]),
        tools: { pay: countingTools().tools.pay },
        toolDetails: { pay: details },
      } as never,
      {
        description: 'Pays.',
        inputSchema: z.object({}),
        prompt: () => 'Pay.',
      },
    );
  const flowOf = (details: object, plugins: readonly FlowPlugin[]) => () =>
    flowWith(plugins, { tools: { payer: agentWith(details) } });
  expect(flowOf({ comments: 'many' }, [comments])).toThrow('`tools.payer.toolDetails.pay.comments` must be');
  expect(flowOf({ comments: 1 }, [])).toThrow('tools.payer.toolDetails.pay.comments');
  expect(flowOf({ titel: 'Pay' }, [comments])).toThrow('tools.payer.toolDetails.pay.titel');
  expect(flowOf({ comments: 1, title: 'Pay' }, [comments])).not.toThrow();
});

declare module '../../lib/flow/plugin/index.ts' {
  interface ToolPlugins {
    readonly comments?: unknown;
  }
}
/** The parts of an observer that are called in a turn with one tool. */
const parts = ['recorded', 'begin', 'within', 'step', 'tool', 'end'] as const;

/** Sees everything, and may fail in one part. */
function observing(seen: string[], failing?: (typeof parts)[number]): Observer {
  const take = (part: (typeof parts)[number], what: unknown = '') => {
    if (part === failing) throw new Error('This observer is broken.');
    seen.push(`${part} ${JSON.stringify(what)}`);
  };
  const watch: Watch = {
    within(work) {
      take('within');
      return work();
    },
    begin(work) {
      take(work.type, work);
      return watch;
    },
    end: (end) => take('end', end),
  };
  return {
    recorded: (events) => take('recorded', events),
    begin(run) {
      take('begin', run);
      return watch;
    },
  };
}

const payment = [[{ call: 'pay', input: { to: 'alice', amount: 4711 } }], [{ text: 'Done.' }]];

async function paid(settings: FixtureSettings) {
  const { say, answer, ran, events, flow, store, id } = flowFixture(payment, settings);
  onTestFinished(() => flow.close());
  await answer(questionIn(await say('Pay.')), true);
  expect(ran).toHaveLength(1);
  return { shown: await events(), log: await store.events.read(id, 0) };
}

clause('0056.15', async () => {
  const usual = (await paid({})).shown.map(({ type }) => type);
  for (const failing of [undefined, ...parts]) {
    const warned: unknown[] = [];
    const logger = { warn: (_: string, facts?: object) => warned.push(facts), error: () => {} };
    const seen: string[] = [];
    const broken = greetings({ observer: observing([], failing) });
    const other = { ...greetings({ observer: observing(seen) }), name: 'other' };
    const { shown } = await paid({ plugins: [broken, other], logger });
    expect(shown.map(({ type }) => type)).toEqual(usual);
    expect(warned.length > 0).toBe(failing !== undefined);
    expect(warned).toEqual(warned.map(() => expect.objectContaining({ plugin: 'greetings' })));
    expect(new Set(seen.map((each) => each.split(' ')[0]))).toEqual(new Set(parts));
    expect(seen.join()).toContain('4711');
  }
  const seen: string[] = [];
  const toolDetails = { pay: { secrets: { input: ['amount'], output: ['paid'] } } };
  await paid({ plugins: [greetings({ observer: observing(seen) })], toolDetails });
  expect(seen.join()).toContain('tool-completed');
  expect(seen.join()).not.toContain('4711');
});

clause('0056.30', async () => {
  const kept: unknown[] = [];
  const begin: Observer['begin'] = (run) => {
    kept.push(run.kept);
    return { keep: `run ${kept.length}` };
  };
  const { shown, log } = await paid({ plugins: [greetings({ observer: { begin } })] });
  expect(kept).toEqual([undefined, 'run 1']);
  expect(log.flatMap((event) => ('plugins' in event ? [event.plugins] : []))).toEqual([
    { greetings: 'run 1' },
  ]);
  expect(JSON.stringify(shown)).not.toContain('greetings');
});

/** A protocol at an endpoint, below a prefix, and on a socket. */
const echo: Dialect = {
  name: 'echo',
  endpoints: (_flow, settings) => [
    {
      path: '/echo',
      methods: { GET: createRoute(settings, async ({ principal }) => new Response(principal.id)) },
    },
  ],
  mount: () => ({ prefix: '/echo/v1', handle: async ({ url }) => new Response(new URL(url).pathname) }),
  sockets: () => [{ path: '/echo', open: () => ({ receive() {}, leave() {} }) }],
};

clause('0056.14', async () => {
  const { flow } = flowWith([]);
  const authorize = () => ada;
  const served = await serveFlow(flow, { authorize, dialects: [echo] });
  const without = await serveFlow(flow, { authorize });
  onTestFinished(async () => void (await Promise.all([served.close(), without.close()])));
  const read = async (url: string) => (await fetch(url)).text();
  expect(await read(`${served.url}/api/echo`)).toBe('ada');
  expect(await read(`${served.url}/echo/v1/any/path`)).toBe('/echo/v1/any/path');
  expect(await handshake(served.url, '/api/echo')).toBe(101);
  expect(await read(`${without.url}/api/echo`)).toContain('not-found');
  expect(await read(`${without.url}/echo/v1/any/path`)).toContain('not-found');
  await expect(handshake(without.url, '/api/echo')).rejects.toThrow();
  const { endpoints, mount, sockets } = echo;
  const twice = (dialect: Partial<Dialect>) => ({
    authorize,
    dialects: ['one', 'other'].map((name) => ({ name, ...dialect })),
  });
  expect(() => createFetchHandler(flow, twice({ endpoints }))).toThrow('GET /echo');
  expect(() => createFetchHandler(flow, twice({ mount }))).toThrow('/echo/v1');
  expect(() => createUpgradeHandler(flow, twice({ sockets }))).toThrow('/echo');
});
