import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { tool } from 'ai';
import type { FlowSettings, Principal } from 'countersign';
import { createApprovalFlow } from 'countersign';
import { type Subscriber, subscriptions } from 'countersign/plugins/subscriptions';
import { webhook } from 'countersign/plugins/webhooks';
import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { isPublicAddress } from '../../lib/plugins/webhooks/public-address.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { subscriptionEventSchema } from '../../lib/protocol/wire/subscription-event.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { passTime, passTimeToPass } from '../support/pass-time.ts';
import { recordingSubscriber } from '../support/recording-subscriber.ts';
import { isGenuine } from '../support/standard-webhook.ts';
import { waitFor } from '../support/wait-for.ts';

const { clause } = adr('0043-subscriptions.md');

const sweepMs = 3_000;
const boss: Principal = { id: 'boss', name: 'Boss', role: 'manager' };
const quiet = { warn: () => {}, error: () => {} };

/** Each message asks to pay its number; then the model is finished. */
const script: Script = ({ prompt }) => {
  const last = prompt.at(-1);
  if (last?.role === 'tool') return [{ text: 'Done.' }];
  const amount = Number(/\d+/.exec(JSON.stringify(last?.content))?.[0]);
  return [{ call: 'pay', id: `pay-${amount}`, input: { to: 'alice', amount, token: 'tk-secret' } }];
};

const tools = {
  pay: tool({
    inputSchema: z.object({ to: z.string(), amount: z.number(), token: z.string() }),
    needsApproval: true,
    execute: async ({ amount }) => ({ paid: amount }),
  }),
};

/** A server on loopback, until the test has ended. */
async function listen(fetch: (request: Request) => Response | Promise<Response>): Promise<{ url: string }> {
  const server = await serve({ fetch });
  onTestFinished(() => server.close());
  return server;
}

/** A flow that asks before it pays, with these subscribers, and a clock that stands still. */
function paying(subscribers: readonly Subscriber[], settings: Partial<FlowSettings> = {}) {
  const clock = fakeClock();
  const writes: string[] = [];
  const plain = sqliteStore({ path: ':memory:' });
  const { subscriptions: kept } = plain;
  if (!kept) throw new Error('This store has no subscriptions.');
  const store: FlowStore = {
    ...plain,
    subscriptions: {
      ...kept,
      claim: (...args) => {
        writes.push('claim');
        return kept.claim(...args);
      },
      commit: (result) => {
        writes.push(`commit ${result.put?.length ?? 0} ${result.drop?.length ?? 0}`);
        return kept.commit(result);
      },
    },
  };
  const shared = {
    tools,
    toolDetails: {
      pay: {
        describe: ({ amount }: { amount: number }) => `Pay Alice ${amount}.`,
        risk: 'high' as const,
        secrets: { input: ['token'] },
      },
    },
    clock,
    sweepMs,
    store,
    logger: quiet,
    ...settings,
  } as Partial<FlowSettings>;
  const instance = (own: readonly Subscriber[] = subscribers, more: Partial<FlowSettings> = {}) => {
    const plugins = [subscriptions({ subscribers: own, baseUrl: 'https://app.example/' })] as const;
    const fixture = flowFixture(script, { ...shared, ...more, plugins });
    onTestFinished(() => fixture.flow.close());
    return fixture;
  };
  const here = instance();
  /** Lets sweeps pass until the check passes. */
  const until = (check: () => unknown, ms = sweepMs) => passTimeToPass(clock, ms, check);
  /** Lets many sweeps pass in which nothing may happen. */
  const settle = (ms = sweepMs, times = 12) => passTime(clock, ms * times, ms);
  /** Asks in a chat of its own. */
  const ask = async (amount: number, fixture = here) => {
    const chat = fixture.chat(`chat-${amount}`);
    const approvalId = questionIn(await chat.say(`Pay ${amount}.`));
    return { approvalId, chat, answer: (approved = true) => chat.answer(approvalId, approved) };
  };
  return { ...here, clock, store, plain, writes, instance, until, settle, ask };
}

clause('0043.1', async () => {
  const recorder = recordingSubscriber();
  const { ask, until, plain } = paying([recorder.subscriber]);
  await until(() => plain.subscriptions?.state('recorder').then((state) => expect(state).toBeDefined()));
  const first = await ask(30);
  await first.answer(true);
  const second = await ask(40);
  await second.answer(false);
  await second.chat.say('Pay 50.');
  await second.chat.say('Pay 60.');
  await until(() => expect(recorder.got).toHaveLength(10));
  const about = (amount: number) => recorder.names().filter((name) => name.endsWith(` ${amount}`));
  expect(about(30)).toEqual(['question.opened 30', 'question.settled 30']);
  expect(about(40)).toEqual(['question.opened 40', 'question.settled 40']);
  expect(about(50)).toEqual(['question.opened 50', 'question.withdrawn 50']);
  expect(about(60)).toEqual(['question.opened 60']);
  const turns = recorder.got.filter(({ type }) => type === 'turn.ended').map(({ data }) => data);
  expect(turns).toMatchObject([
    { chatId: 'chat-30', outcome: 'completed' },
    { chatId: 'chat-40', outcome: 'completed' },
    { chatId: 'chat-40', outcome: 'superseded' },
  ]);
  expect(new Set(recorder.got.map(({ id }) => id)).size).toBe(recorder.got.length);
  for (const event of recorder.got) expect(subscriptionEventSchema.parse(event)).toEqual(event);

  // The feed as it was: the first question is there once, and never opens.
  const changes = await plain.questions.changes(0, 10);
  const ofFirst = changes.filter(({ question }) => question.id === first.approvalId);
  expect(ofFirst.map(({ question }) => question.state)).toEqual(['approved']);
});

clause('0043.2', async () => {
  const recorder = recordingSubscriber();
  const { ask, until, settle, writes, plain } = paying([recorder.subscriber]);
  await until(() => expect(writes).toContain('claim'));
  for (const amount of [1, 2, 3]) await ask(amount);
  await until(() => expect(recorder.got).toHaveLength(3));
  await settle();
  expect(writes.filter((write) => write.startsWith('commit'))).toEqual(['commit 0 0']);
  expect(writes.filter((write) => write === 'claim').length).toBeLessThanOrEqual(3);
  expect(await plain.subscriptions?.lanes('recorder', ['all'])).toEqual([]);

  const without = paying([]);
  await (await without.ask(1)).answer(true);
  expect(without.writes).toEqual([]);
  expect((await without.plain.subscriptions?.feed(0, 10))?.items.map((item) => 'question' in item)).toEqual([
    true,
  ]);
});

clause('0043.3', async () => {
  const late = recordingSubscriber('late');
  const { ask, until, settle, instance } = paying([]);
  const settled = await ask(1);
  await settled.answer(true);
  const open = await ask(2);
  instance([late.subscriber]);
  await until(() => expect(late.names()).toEqual(['question.opened 2']));
  await open.answer(false);
  await until(() => expect(late.names()).toHaveLength(3));
  await settle();
  expect(late.names().toSorted()).toEqual(['question.opened 2', 'question.settled 2', 'turn.ended chat-2']);
});

clause('0043.4', async () => {
  const fails = recordingSubscriber('fails');
  fails.fail('1');
  const { ask, until, settle, plain } = paying([fails.subscriber]);
  const failing = await ask(1);
  await until(() => expect(fails.tried).toHaveLength(1));
  await failing.answer(true);
  const other = await ask(2);
  await other.answer(true);
  await until(() => expect(fails.names()).toContain('question.settled 2'));
  expect(fails.names().filter((name) => name.endsWith(' 1'))).toEqual([]);
  expect(new Set(fails.tried.filter(({ data }) => 'question' in data).map(({ type }) => type))).toEqual(
    new Set(['question.opened', 'question.settled']),
  );
  expect(
    fails.tried.filter(({ type, data }) => type === 'question.settled' && data.question.input).length,
  ).toBe(1);
  const lane = `question ${failing.approvalId}`;
  const kept = await plain.subscriptions?.lanes('fails', [lane]);
  expect(kept?.map(({ reference }) => reference.type)).toEqual(['question.opened', 'question.settled']);
  expect(JSON.stringify(kept)).not.toMatch(/alice|Alice/);
  fails.heal();
  await until(() => expect(fails.names().filter((name) => name.endsWith(' 1'))).toHaveLength(2), 10_000);
  expect(fails.names().filter((name) => name.endsWith(' 1'))).toEqual([
    'question.opened 1',
    'question.settled 1',
  ]);
  await settle();
  expect(await plain.subscriptions?.lanes('fails', [lane])).toEqual([]);
});

clause('0043.5', async () => {
  const recorder = recordingSubscriber();
  recorder.fail('all');
  const { ask, until, clock, plain } = paying([recorder.subscriber]);
  const { approvalId } = await ask(1);
  const pauses: number[] = [];
  for (let attempts = 1; attempts <= 6; attempts += 1) {
    await until(() => expect(recorder.tried).toHaveLength(attempts));
    const [kept] = await waitFor(async () => {
      const lane = (await plain.subscriptions?.lanes('recorder', [`question ${approvalId}`])) ?? [];
      expect(lane[0]?.attempts).toBe(attempts);
      return lane;
    });
    pauses.push((kept?.dueAt ?? 0) - clock.now());
    if (attempts === 6) recorder.fail('all', { failed: 'Later.', retryAfterMs: 7_200_000 });
  }
  for (const [index, pause] of pauses.entries()) {
    const full = 5_000 * 2 ** index;
    expect(pause).toBeGreaterThan(full / 2 - 2 * sweepMs);
    expect(pause).toBeLessThanOrEqual(full);
  }
  await until(() => expect(recorder.tried).toHaveLength(7), 60_000);
  const askedAt = clock.now();
  await until(() => expect(recorder.tried).toHaveLength(8), 60_000);
  expect(clock.now() - askedAt).toBeGreaterThanOrEqual(7_200_000 - 60_000);
});

clause('0043.6', async () => {
  const recorder = recordingSubscriber();
  recorder.fail('question.opened', { failed: 'The endpoint answered 500.' });
  const { ask, until, flow, clock } = paying([recorder.subscriber], {
    mayOperate: ({ id }) => id === 'boss',
  });
  const start = clock.now();
  const { answer } = await ask(1);
  await answer(true);
  const deadNow = async () => (await flow.subscriptions.deadDeliveries({ principal: boss })).items;
  await until(async () => expect(await deadNow()).toHaveLength(1), 30 * 60_000);
  const dead = await deadNow();
  expect(dead[0]).toMatchObject({
    subscriber: 'recorder',
    type: 'question.opened',
    chatId: 'chat-1',
    error: 'The endpoint answered 500.',
  });
  expect((dead[0]?.deadAt ?? 0) - start).toBeGreaterThanOrEqual(24 * 3_600_000);
  expect(JSON.stringify(dead)).not.toMatch(/[Aa]lice/);
  await until(() => expect(recorder.names()).toContain('question.settled 1'));
  await expect(flow.subscriptions.deadDeliveries({ principal: ada })).rejects.toMatchObject({
    code: 'not-found',
  });
  const again = { subscriber: 'recorder', eventId: dead[0]?.eventId ?? '' };
  await expect(flow.subscriptions.redeliver({ principal: ada, ...again })).rejects.toMatchObject({
    code: 'not-found',
  });
  recorder.heal();
  await flow.subscriptions.redeliver({ principal: boss, ...again });
  await until(() => expect(recorder.got.map(({ id }) => id)).toContain(again.eventId));
  expect((await flow.subscriptions.deadDeliveries({ principal: boss })).items).toEqual([]);
  await expect(flow.subscriptions.redeliver({ principal: boss, ...again })).rejects.toMatchObject({
    code: 'not-found',
  });

  // A receiver that is gone is not tried again.
  recorder.fail('all', { failed: 'The endpoint answered 410.', gone: true });
  await ask(2);
  await waitFor(async () => {
    clock.advance(sweepMs);
    expect((await flow.subscriptions.deadDeliveries({ principal: boss })).items).toHaveLength(1);
  });
});

clause('0043.7', async () => {
  const here = recordingSubscriber('shared');
  const there = recordingSubscriber('shared');
  const { ask, until, settle, instance, plain, store } = paying([here.subscriber]);
  const second = instance([there.subscriber]);
  for (const amount of [1, 2, 3, 4]) await ask(amount, amount % 2 ? second : undefined);
  await until(() => expect(here.got.length + there.got.length).toBe(4));
  await settle();
  expect([...here.tried, ...there.tried]).toHaveLength(4);

  // The owner delivers, and dies before it has recorded that.
  const dying = recordingSubscriber('dying');
  const died = Promise.withResolvers<boolean>();
  const { subscriptions } = plain;
  if (!subscriptions) throw new Error('This store has no subscriptions.');
  const lost: FlowStore = {
    ...store,
    subscriptions: { ...subscriptions, commit: () => died.promise },
  };
  instance([dying.subscriber], { store: lost });
  onTestFinished(() => died.resolve(false));
  await until(() => expect(dying.got).toHaveLength(4));
  const heir = recordingSubscriber('dying');
  instance([heir.subscriber]);
  await until(() => expect(heir.got).toHaveLength(4));
  expect(heir.got.map(({ id }) => id)).toEqual(dying.got.map(({ id }) => id));
  expect(heir.got).toEqual(dying.got);
});

clause('0043.8', async () => {
  const all = recordingSubscriber('all');
  const owner = recordingSubscriber('owner', { principal: ada });
  const stranger = recordingSubscriber('stranger', { principal: { id: 'eve', name: 'Eve' } });
  const { ask, until, settle, flow } = paying([all.subscriber, owner.subscriber, stranger.subscriber]);
  const { answer } = await ask(30);
  await until(() => expect([...all.got, ...owner.got]).toHaveLength(2));
  expect(JSON.stringify([all.got, owner.got])).not.toContain('tk-secret');
  expect(all.got[0]).toMatchObject({
    type: 'question.opened',
    data: {
      question: { description: 'Pay Alice 30.', risk: 'high', input: { to: 'alice', amount: 30 } },
      links: { inbox: 'https://app.example/inbox', chat: 'https://app.example/chats/chat-30' },
    },
  });
  for (const { data } of all.got) expect(JSON.stringify(data)).not.toMatch(/mayAnswer|stepUp/);
  await answer(true);
  await until(() => expect(owner.names()).toContain('turn.ended chat-30'));
  await settle();
  expect(stranger.tried).toEqual([]);

  // Of an erased chat, nothing is delivered that was not delivered before.
  const before = all.tried.length;
  all.fail('all');
  const other = await ask(40);
  await until(() => expect(all.tried).toHaveLength(before + 1));
  await flow.chats.erase({ principal: ada, chatId: other.chat.id });
  all.heal();
  await settle(30_000);
  expect(all.tried).toHaveLength(before + 1);
});

clause('0043.9', async () => {
  const { ask, flow } = paying([], {
    mayAnswer: (who, { ownerId }) => who.id === ownerId,
    mayWatch: ({ role }) => role === 'manager',
  });
  const { approvalId } = await ask(30);
  const list = async (principal: Principal) =>
    (await flow.approvals.list({ principal, state: 'open' })).items;
  expect(await list(boss)).toMatchObject([
    { id: approvalId, mayAnswer: false, mayEdit: false, mayRemember: false },
  ]);
  expect(await list({ id: 'eve', name: 'Eve' })).toEqual([]);
  const details = await flow.approvals.read({ principal: boss, approvalId: parseApprovalId(approvalId) });
  expect(details).not.toHaveProperty('context');
  expect(details).not.toHaveProperty('inputSchema');
  const answer = { approvalId: parseApprovalId(approvalId), approved: true, principal: boss, via: 'test' };
  await expect(flow.approvals.answer(answer)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(flow.chats.read({ principal: boss, chatId: details.chatId })).rejects.toMatchObject({
    code: 'not-found',
  });

  // Only `true` counts.
  const truthy = paying([], { mayWatch: (() => 'yes') as never });
  await truthy.ask(1);
  expect((await truthy.flow.approvals.list({ principal: boss, state: 'open' })).items).toEqual([]);
});

clause('0043.10', async () => {
  const recorder = recordingSubscriber('recorder', { dueSoonMs: 60_000 });
  const { ask, until, settle } = paying([recorder.subscriber], { deadlineMs: 300_000 });
  await ask(1);
  await until(() => expect(recorder.names()).toEqual(['question.opened 1']));
  await settle();
  expect(recorder.got).toHaveLength(1);
  await until(() => expect(recorder.got).toHaveLength(2), 30_000);
  await settle(1_000);
  expect(recorder.names()).toEqual(['question.opened 1', 'question.due-soon 1']);
  // The two are 240 s apart: the deadline, less the time that the subscriber asks for.
  const [opened = 0, dueSoon = 0] = recorder.got.map(({ timestamp }) => Date.parse(timestamp));
  expect(dueSoon - opened).toBe(240_000);
  await until(() => expect(recorder.names()).toContain('question.withdrawn 1'), 60_000);

  // Asked when its deadline was already near.
  const late = recordingSubscriber('late', { dueSoonMs: 600_000 });
  const other = paying([late.subscriber], { deadlineMs: 300_000 });
  await other.ask(1);
  await other.until(() => expect(late.names()).toContain('question.withdrawn 1'), 60_000);
  expect(late.names().filter((name) => name.startsWith('question'))).toEqual([
    'question.opened 1',
    'question.withdrawn 1',
  ]);
});

clause('0043.11', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const { subscriptions: _none, ...plain } = store;
  const subscriber = recordingSubscriber().subscriber;
  const create = (given: unknown, own: FlowStore = store) =>
    createApprovalFlow({ store: own, model: 'test', plugins: [subscriptions(given as never)] } as never);
  const refused = (given: unknown, path: string, own?: FlowStore) =>
    expect(() => create(given, own)).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) }),
    );
  refused({ subscribers: [subscriber] }, 'plugins', plain);
  refused({ subscribers: [{ id: 'a b', deliver: subscriber.deliver }] }, 'subscribers[0].id');
  refused({ subscribers: [{ id: 'a' }] }, 'subscribers[0].deliver');
  refused({ subscribers: [subscriber, subscriber] }, 'subscribers[1].id');
  refused({ subscribers: [{ ...subscriber, events: [] }] }, 'subscribers[0].events');
  refused({ subscribers: [{ ...subscriber, events: ['question.open'] }] }, 'subscribers[0].events[0]');
  refused({ subscribers: [{ ...subscriber, principal: {} }] }, 'subscribers[0].principal');
  refused({ subscribers: [subscriber], baseUrl: 'file:///etc' }, 'baseUrl');
  refused({ subscriber: [subscriber] }, 'subscriber');
  await createApprovalFlow({ store: plain, model: 'test' } as never).close();
  await store.close();
});

clause('0043.12', async () => {
  const secrets = [24, 32].map((bytes) => `whsec_${randomBytes(bytes).toString('base64')}`);
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const { url } = await listen(async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
    return new Response();
  });
  const hook = webhook({ id: 'hook', url: `${url}/hooks`, secrets, allowPrivateNetwork: true });
  const { ask, until } = paying([hook]);
  const { approvalId } = await ask(30);
  await until(() => expect(received).toHaveLength(1));
  const [first] = received;
  if (!first) throw new Error('Nothing was received.');
  expect(secrets.map((secret) => isGenuine(secret, first))).toEqual([true, true]);
  const event = subscriptionEventSchema.parse(JSON.parse(first.body));
  expect(event).toMatchObject({ type: 'question.opened', data: { question: { id: approvalId } } });
  expect(first.headers['webhook-id']).toBe(event.id);
});

clause('0043.13', async () => {
  let requests = 0;
  const { url } = await listen(({ url: address }) => {
    requests += 1;
    return Response.redirect(new URL('/elsewhere', address));
  });
  const secrets = [`whsec_${randomBytes(24).toString('base64')}`];
  const guarded = webhook({ id: 'guarded', url, secrets });
  const open = webhook({ id: 'open', url, secrets, allowPrivateNetwork: true });
  const { ask, until, plain } = paying([guarded, open]);
  const { approvalId } = await ask(30);
  const errorOf = async (id: string) =>
    (await plain.subscriptions?.lanes(id, [`question ${approvalId}`]))?.map(({ error }) => error);
  await until(() => expect(requests).toBe(1));
  await waitFor(async () => {
    expect(await errorOf('guarded')).toEqual(['The endpoint has a private address.']);
    expect(await errorOf('open')).toEqual(['The endpoint answered 302.']);
  });
  expect(requests).toBe(1);

  // Checked before it is resolved again, the name would lead to the private address.
  const answers = ['8.8.8.8', '127.0.0.1'];
  const checkThenConnect = () => isPublicAddress(answers.shift() ?? '') && answers.shift();
  expect(checkThenConnect()).toBe('127.0.0.1');
});
