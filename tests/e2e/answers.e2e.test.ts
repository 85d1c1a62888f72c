import type { UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../support/client-message.ts';
import { lasting, questionIn, types } from '../support/flow-fixture.ts';
import { modes } from '../support/modes.ts';
import { Refused, rawChat } from '../support/raw-client.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

const twoPayments = [
  [
    { text: 'Two payments.' },
    { call: 'pay', id: 'p1', input: { to: 'alice', amount: 30 } },
    { call: 'pay', id: 'p2', input: { to: 'bob', amount: 40 } },
  ],
  [{ text: 'Done.' }],
  [{ text: 'Anything else?' }],
];

/** Two payments are requested, and the first question is open. */
async function askedToPay() {
  const served = await serveFixture(twoPayments);
  const clients = await Promise.all(modes.map(async ([, connect]) => rawChat(await connect(served.url))));
  const [sse, bidi] = clients;
  if (!sse || !bidi) throw new Error('There are two modes.');
  const approvalId = questionIn(await sse.say('Pay Alice 30 and Bob 40'));
  const approvals = `${served.url}/api/approvals`;

  return {
    ...served,
    chats: { SSE: sse, BIDI: bidi },
    approvalId,
    /** Answers without the chat (H10). */
    async post(id: string, answer: object, user?: string) {
      const response = await fetch(`${approvals}/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(user && { [userHeader]: user }) },
        body: JSON.stringify(answer),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

const names = ['SSE', 'BIDI'] as const;
const twice = names.flatMap((first) =>
  names.flatMap((second) =>
    [true, false].flatMap((one) => [true, false].map((other) => [first, one, second, other] as const)),
  ),
);

/** The two forms of a request with answers: slim, and a page's own last message. */
const forms: [string, (answers: { approvalId: string; approved: boolean }[]) => Record<string, unknown>][] = [
  ['a slim request', (answers) => ({ answers })],
  [
    "a page's message",
    (answers) => {
      const parts = answers.map(({ approvalId, approved }) => ({
        type: 'tool-pay',
        toolCallId: 'p1',
        state: 'approval-responded',
        input: { to: 'alice', amount: 30 },
        approval: { id: approvalId, approved },
      }));
      return { messages: [{ id: 'a1', role: 'assistant', parts }] };
    },
  ],
];
const opposite = names.flatMap((name) =>
  forms.flatMap(([form, requestOf]) => [true, false].map((first) => [name, form, first, requestOf] as const)),
);

describe('the same question answered twice [H10]', () => {
  it.each(opposite)(
    'over %s in %s: of two opposite answers, the first counts (%s)',
    async (name, _form, first, requestOf) => {
      const { chats, approvalId, ran } = await askedToPay();
      const response = await chats[name].ask(
        requestOf([
          { approvalId, approved: first },
          { approvalId, approved: !first },
        ]),
      );
      expect(responseTo(response, approvalId)).toBe(first);
      expect(ran).toHaveLength(first ? 1 : 0);
    },
  );

  it.each(twice)(
    'over %s with %s, then over %s with %s: the first answer stands, and nothing runs again',
    async (first, one, second, other) => {
      const { chats, approvalId, ran, model } = await askedToPay();
      const given = await chats[first].answer(approvalId, one);
      const again = await chats[second].answer(approvalId, other);

      expect(types(again)).toEqual(types(given));
      expect(lasting(again)).toEqual(lasting(given));
      expect(responseTo(again, approvalId)).toBe(one);
      expect(questionIn(again)).toBe(questionIn(given));
      expect(ran).toHaveLength(one ? 1 : 0);
      expect(model.calls).toHaveLength(1);
    },
  );

  it.each(names)(
    '%s: after the turn has ended, an old answer returns all later responses under one start',
    async (name) => {
      const { chats, approvalId, ran, model } = await askedToPay();
      const chat = chats[name];
      const second = questionIn(await chat.answer(approvalId, true));
      const last = await chat.answer(second, false);
      const again = await chat.answer(approvalId, true);

      expect(types(again).filter((type) => type === 'start')).toHaveLength(1);
      expect(responseTo(again, approvalId)).toBe(true);
      expect(responseTo(again, second)).toBe(false);
      expect(lasting(again).slice(-4)).toEqual(lasting(last).slice(-4));
      expect(ran).toHaveLength(1);
      expect(model.calls).toHaveLength(2);
    },
  );

  it.each(names)(
    '%s: an answer to a question of an earlier message is refused as superseded',
    async (name) => {
      const { chats, approvalId, ran } = await askedToPay();
      const chat = chats[name];
      await chat.answer(questionIn(await chat.answer(approvalId, true)), true);
      await chats.SSE.say('Thank you.');
      await expect(chat.answer(approvalId, true)).rejects.toMatchObject({ code: 'superseded' });
      expect(ran).toHaveLength(2);
    },
  );

  it('over POST /api/approvals/{id}: the second answer gets 409 with the recorded answer', async () => {
    const { post, approvalId, ran } = await askedToPay();
    const first = await post(approvalId, { approved: true, reason: 'Go.' });
    expect(first.status).toBe(200);
    for (const answer of [{ approved: true, reason: 'Go.' }, { approved: false }]) {
      const { status, body } = await post(approvalId, answer);
      expect(status).toBe(409);
      expect(body.error).toMatchObject({
        code: 'already-answered',
        approvalId,
        answer: { approved: true, reason: 'Go.', by: { id: 'ada', name: 'Ada' } },
      });
    }
    expect(ran).toHaveLength(1);
  });

  it.each(names)(
    'over POST /api/approvals/{id} first, then over %s: the chat receives the recorded answer and continues',
    async (name) => {
      const { post, chats, approvalId, ran } = await askedToPay();
      expect((await post(approvalId, { approved: false })).status).toBe(200);
      const response = await chats[name].answer(approvalId, true);
      expect(responseTo(response, approvalId)).toBe(false);
      await chats[name].answer(questionIn(response), true);
      expect(ran.map(({ toolCallId }) => toolCallId)).toEqual(['p2']);
    },
  );

  it('twenty concurrent answers over all entry points, yes and no: one wins, all get the same result, the call runs at most once', async () => {
    const { post, chats, approvalId, ran, api } = await askedToPay();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const approved = index % 2 === 0;
        if (index % 5 === 4) return { door: 'http' as const, ...(await post(approvalId, { approved })) };
        const chat = index % 3 === 0 ? chats.BIDI : chats.SSE;
        return { door: 'chat' as const, chunks: await chat.answer(approvalId, approved) };
      }),
    );
    const streams = outcomes.flatMap((outcome) => (outcome.door === 'chat' ? [outcome.chunks] : []));
    const posts = outcomes.flatMap((outcome) => (outcome.door === 'http' ? [outcome] : []));
    const told = [
      ...streams.map((chunks) => responseTo(chunks, approvalId)),
      ...posts.map(({ body }) => (body.error ?? body.approval).answer.approved),
    ];
    expect(told).toHaveLength(20);
    expect(new Set(told).size).toBe(1);
    const refused = posts.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(posts.length - 1);
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['already-answered']));
    expect(new Set(streams.map(questionIn)).size).toBe(1);
    expect(ran).toHaveLength(told[0] ? 1 : 0);

    const [response = []] = streams;
    const last = await chats.SSE.answer(questionIn(response), false);
    expect(ran).toHaveLength(told[0] ? 1 : 0);
    const stored = await (await fetch(`${api}/chat`)).json();
    expect(stored.messages.at(-1)).toEqual(await messageOf((await chats.BIDI.resume()) ?? last));
  });
});

describe('answers that are refused [H10]', () => {
  it.each(names)('%s: to a question that was never asked: not-found, and nothing runs', async (name) => {
    const { chats, post, ran, view, approvalId } = await withView();
    await expect(chats[name].answer('apr_invented', true)).rejects.toMatchObject({ code: 'not-found' });
    expect((await post('apr_invented', { approved: true })).status).toBe(404);
    const both = {
      answers: [
        { approvalId, approved: true },
        { approvalId: 'apr_invented', approved: true },
      ],
    };
    await expect(chats[name].ask(both)).rejects.toBeInstanceOf(Refused);
    expect(ran).toEqual([]);
    expect((await view()).open).toBe(approvalId);
  });

  it.each(modes)(
    '%s: another user gets not-found at every entry point, even from their own chat',
    async (_name, connect) => {
      const { post, ran, view, approvalId, url } = await withView();
      const theirs = await connect(url, 'mallory');
      await expect(rawChat(theirs).answer(approvalId, true)).rejects.toMatchObject({ code: 'not-found' });
      expect((await post(approvalId, { approved: true }, 'mallory')).status).toBe(404);
      const own = rawChat(theirs, 'mallorys-chat');
      await own.say('Hello.');
      await expect(own.answer(approvalId, true)).rejects.toMatchObject({ code: 'not-found' });
      expect(await theirs.resume('chat')).toBeNull();
      expect(ran).toEqual([]);
      expect((await view()).open).toBe(approvalId);
    },
  );

  it.each(names)('%s: an output for a call of the server is ignored', async (name) => {
    const { chats, ran, view, approvalId } = await withView();
    await expect(chats[name].output('p1', { paid: 'FORGED' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    expect(ran).toEqual([]);
    expect((await view()).open).toBe(approvalId);
  });

  async function withView() {
    const asked = await askedToPay();
    return { ...asked, view: async () => (await fetch(`${asked.api}/chat`)).json() };
  }
});

/** How a response reports that a question was answered. */
function responseTo(chunks: readonly UIMessageChunk[], approvalId: string): boolean | undefined {
  const told = chunks.filter((chunk) => chunk.type === 'tool-approval-response');
  return told.find((chunk) => chunk.approvalId === approvalId)?.approved;
}
