import { once } from 'node:events';
import { tool } from 'ai';
import { createUpgradeHandler } from 'countersign/bidi/server';
import { createCookieIdentity } from 'countersign/http/server';
import { createFetchHandler } from 'countersign/sse/server';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { FlowStore } from '../../lib/log/store/index.ts';
import type { SessionStore } from '../../lib/protocol/index.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { barrier } from '../support/barrier.ts';
import { ada, countingTools, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { storeRows } from './support/databases.ts';
import { type AnsweringSocket, dialectStreams } from './support/dialect-streams.ts';

const secret = 'a secret that both instances have';
const sessionCheckMs = 3_000;
const json = { 'content-type': 'application/json' };
const here = new Request('http://127.0.0.1/');

const sockets: readonly AnsweringSocket[] = [
  {
    path: '/api/chat/socket',
    answer: (approvalId) => ({
      ...{ type: 'send', requestId: 'r1', id: 'chat', trigger: 'submit-message', messages: [], headers: {} },
      body: { answers: [{ approvalId, approved: true }] },
    }),
    refusal: 'unauthenticated',
  },
  ...dialectStreams.flatMap(({ socket }) => socket ?? []),
];
const streams = dialectStreams.flatMap(({ stream }) => stream ?? []);

/** One instance: a flow behind every kind of endpoint, with sessions in its store. */
async function instanceOn(store: FlowStore & { readonly sessions: SessionStore }) {
  const acting = barrier();
  const act = tool({ inputSchema: z.object({}), execute: () => acting.wait.then(() => 'done') });
  const { tools, ran } = countingTools();
  const { flow, chat } = flowFixture(
    ({ prompt }) => {
      const last = JSON.stringify(prompt.at(-1));
      if (last.includes('Pay')) return [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
      return last.includes('Act') ? [{ call: 'act', input: {} }] : [{ text: 'Done.' }];
    },
    { store, tools: { ...tools, act }, logger: silent },
  );
  const clock = fakeClock();
  const { authorize, issue, clear } = createCookieIdentity({ secret, sessions: store.sessions });
  const dialects = dialectStreams.map(({ dialect }) => dialect);
  const server = { authorize, clock, sessionCheckMs, logger: silent, dialects };
  const upgrades = createUpgradeHandler(flow, server);
  const { url, close } = await serve({
    upgrade: upgrades.handleUpgrade,
    fetch: createFetchHandler(flow, server),
  });
  onTestFinished(async () => {
    acting.lift();
    await Promise.all([upgrades.close(), close()]);
    await flow.close();
  });

  return {
    ...{ flow, chat, ran, clock, issue, clear },
    statusOf: async (method: string, path: string, cookie: string, body?: unknown) => {
      const options = { method, headers: { ...json, cookie }, body: body && JSON.stringify(body) };
      return (await fetch(`${url}${path}`, options as RequestInit)).status;
    },
    socket: async (path: string, cookie: string) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers: { cookie } });
      onTestFinished(() => socket.terminate());
      const closed = once(socket, 'close').then(([code]) => Number(code));
      await once(socket, 'open');
      return { socket, closed };
    },
    /** Opens a long-lived stream. `ended` resolves with how it ended. */
    stream: async (path: string, cookie: string, body?: unknown) => {
      const headers = { ...json, cookie, 'accept-approvals': '1' };
      const method = body === undefined ? 'GET' : 'POST';
      const options = { method, headers, body: body && JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, options as RequestInit);
      expect([path, response.status]).toEqual([path, 200]);
      const reader = response.body?.getReader();
      await reader?.read();
      const ended = (async () => {
        while (!(await reader?.read())?.done);
        return 'ended';
      })().catch(() => 'broken');
      return { ended };
    },
  };
}

const silent = { warn: () => {}, error: () => {} };
const cookieIn = (setCookie: string) => setCookie.split(';')[0] ?? '';
const requestWith = (cookie: string) => new Request(here, { headers: { cookie } });
const postgres = setUpPostgres();

describe.each(storeRows(postgres))(
  'two instances on %s, and Ada signs out on one of them',
  (_name, create) => {
    async function twoInstances() {
      const database = await create();
      const instances = [await instanceOn(database.open()), await instanceOn(database.open())] as const;
      onTestFinished(() => database.remove());
      const [first] = instances;
      const signIn = async () => cookieIn(await first.issue(ada, here));
      return { instances, signIn };
    }

    it('refuses the old cookie on both with 401, and the question stays open', async () => {
      const { instances, signIn } = await twoInstances();
      const [first, second] = instances;
      const cookie = await signIn();
      const approvalId = questionIn(await first.chat().say('Pay Alice.'));
      expect(await second.statusOf('GET', `/api/approvals/${approvalId}`, cookie)).toBe(200);
      await first.clear(requestWith(cookie));
      for (const { statusOf } of instances) {
        const answers = [{ approvalId, approved: true }];
        const request = { id: 'chat', trigger: 'submit-message', answers };
        expect(await statusOf('POST', `/api/approvals/${approvalId}`, cookie, { approved: true })).toBe(401);
        expect(await statusOf('POST', '/api/chat', cookie, request)).toBe(401);
        expect(await statusOf('GET', '/api/chat', cookie)).toBe(401);
      }
      expect((await second.chat().view()).open).toBe(approvalId);
      expect([...first.ran, ...second.ran]).toEqual([]);
    });

    it('refuses a frame on an open socket, and closes the socket', async () => {
      const { instances, signIn } = await twoInstances();
      const [first, second] = instances;
      const cookie = await signIn();
      const approvalId = questionIn(await first.chat().say('Pay Alice.'));
      const open = await Promise.all(sockets.map(({ path }) => second.socket(path, cookie)));
      await first.clear(requestWith(cookie));
      for (const [place, { answer, refusal }] of sockets.entries()) {
        const { socket, closed } = open[place] as (typeof open)[number];
        const message = once(socket, 'message');
        socket.send(JSON.stringify(answer(approvalId)));
        expect(String((await message)[0])).toContain(refusal);
        expect(await closed).toBe(4401);
      }
      expect((await first.chat().view()).open).toBe(approvalId);
      expect([...first.ran, ...second.ran]).toEqual([]);
    });

    it('ends sockets, feeds and streams on both within a sweep, but not those of another session', async () => {
      const { instances, signIn } = await twoInstances();
      const [first] = instances;
      const [cookie, otherDevice] = [await signIn(), await signIn()];
      await (await first.chat('acting').ask({ message: message('Act.') })).events.cancel();
      const paths = ['/api/approvals/events', '/api/chat/acting/stream'];
      const openWith = async (given: string) => {
        const ends: Promise<unknown>[] = [];
        for (const instance of instances) {
          for (const { path } of sockets) ends.push((await instance.socket(path, given)).closed);
          for (const path of paths) ends.push((await instance.stream(path, given)).ended);
          for (const { path, body } of streams) ends.push((await instance.stream(path, given, body)).ended);
        }
        return ends;
      };
      const ending = await openWith(cookie);
      let otherEnded = 0;
      for (const end of await openWith(otherDevice)) void end.then(() => (otherEnded += 1));

      await first.clear(requestWith(cookie));
      for (const { clock } of instances) clock.advance(sessionCheckMs);
      const one = [...sockets.map(() => 4401), ...[...paths, ...streams].map(() => 'ended')];
      expect(await Promise.all(ending)).toEqual([...one, ...one]);
      expect(await instances[1].statusOf('GET', '/api/chat', otherDevice)).toBe(200);
      expect(otherEnded).toBe(0);
    });
  },
);

function message(text: string) {
  return { id: 'user-acting' as never, parts: [{ type: 'text' as const, text }] };
}
