import { once } from 'node:events';
import { connect } from 'node:net';
import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn, userMessage } from '../support/flow-fixture.ts';
import { userHeader } from '../support/serve-fixture.ts';
import { bidiFrames, chatSocketFrames, type Own, probes, type Target } from './support/probes.ts';
import { serveAll } from './support/serve-all.ts';

// Eve asks for a chat of Ada's, for one that never was, and for one that Ada has erased: by every endpoint, over both
// transports, in every dialect. The three answers are the same, byte for byte, and nothing is written.

const eve = { id: 'eve', name: 'eve' };
const deadlineMs = 60_000;

const settings: [name: string, settings: Partial<FlowSettings>][] = [
  ['where only owners see and answer', {}],
  [
    'where rules decide',
    { mayAnswer: (by) => by.id === 'manager', mayChange: (by, chat) => by.id === chat.ownerId },
  ],
  ['where the question has run out of time', { deadlineMs }],
];

/** A store that counts what changes it. */
function countingStore(store: FlowStore) {
  const writes: string[] = [];
  const counted =
    <Given extends unknown[], Result>(name: string, write: (...given: Given) => Result) =>
    (...given: Given) => {
      writes.push(name);
      return write(...given);
    };
  const { append, chats, runs, erasures } = store;
  const counting: FlowStore = {
    ...store,
    append: counted('append', append),
    chats: { ...chats, rename: counted('rename', chats.rename), erase: counted('erase', chats.erase) },
    runs: {
      ...runs,
      requestStop: counted('requestStop', runs.requestStop),
      claimLease: counted('claimLease', runs.claimLease),
    },
    erasures: { ...erasures, drop: counted('drop', erasures.drop) },
  };
  return { writes, store: counting };
}

async function world(of: Partial<FlowSettings>) {
  const clock = fakeClock();
  const { store, writes } = countingStore(sqliteStore({ path: ':memory:' }));
  const fixture = flowFixture(
    () => [{ text: 'Shall I?' }, { call: 'pay', input: { to: 'Alice', amount: 30 } }],
    {
      ...of,
      store,
      clock,
      sweepMs: 1_000 * deadlineMs,
      logger: { warn: () => {}, error: () => {} },
    },
  );
  const { flow, chat } = fixture;
  const url = await serveAll(flow);
  onTestFinished(async () => {
    await flow.close();
    await store.close();
  });

  async function begin(id: string): Promise<Target> {
    const response = await flow.chats.respond({
      chatId: parseChatId(id),
      principal: ada,
      trigger: 'submit-message',
      message: userMessage(`m-of-${id}`, 'Pay Alice.'),
      via: 'test',
    });
    const question = questionIn(await fixture.read(response));
    const { questions, messages } = await chat(id).view();
    return {
      chat: id,
      run: String(response.runId),
      question,
      call: String(questions[0]?.toolCallId),
      message: `m-of-${id}`,
      answer: String(messages.at(-1)?.id),
      grant: `grant_of_${id}`,
    };
  }

  const theirs = await begin('chat-of-ada-here');
  const erased = await begin('chat-of-ada-gone');
  await flow.chats.erase({ chatId: parseChatId(erased.chat), principal: ada });
  const never: Target = {
    chat: 'chat-of-no-one-0',
    run: theirs.run.replace(/.{8}$/, 'AAAAAAAA'),
    question: theirs.question.replace(/.{8}$/, 'AAAAAAAA'),
    call: theirs.call.replace(/.$/, '9'),
    message: 'm-of-chat-of-no-one-0',
    answer: theirs.answer.replace(/.{8}$/, 'AAAAAAAA'),
    grant: 'grant_of_chat-of-no-one-0',
  };
  if (of.deadlineMs !== undefined) clock.advance(deadlineMs + 1);
  const begun = await flow.chats.respond({
    chatId: parseChatId('chat-of-eve'),
    principal: eve,
    trigger: 'submit-message',
    message: userMessage('m-of-eve', 'Pay Bob.'),
    via: 'test',
  });
  await fixture.read(begun);
  const own: Own = { chat: 'chat-of-eve', run: String(begun.runId) };
  writes.length = 0;
  return { url, own, writes, targets: { theirs, never, erased } };
}

/** A response as names have it that every target shares. What a clock says is left out. */
function anonymous(response: string, target: Target): string {
  return Object.entries(target)
    .reduce((rest, [name, id]) => rest.replaceAll(id, `<${name}>`), response)
    .replaceAll(/^date: .*\r\n/gim, '')
    .replaceAll(/"timestamp":"[^"]+"/g, '"timestamp":"<time>"');
}

/** All bytes of one response, from the status line on. */
async function rawResponse(
  url: string,
  [, method, path, body, headers = {}]: ReturnType<typeof probes>[number],
): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const sent = body === undefined ? '' : JSON.stringify(body);
  const lines = {
    host,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(sent)),
    [userHeader]: eve.id,
    ...headers,
  };
  const socket = connect(Number(port), hostname);
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${sent}`);
  let text = '';
  for await (const piece of socket) text += piece;
  return text;
}

/** All that a socket says after one frame, up to its answer to a frame that names nothing. */
async function framesAfter(url: string, frame: object, fence: object, isFence: (text: string) => boolean) {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: { [userHeader]: eve.id } });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const told: string[] = [];
  const fenced = new Promise<void>((resolve) => {
    socket.on('message', (data) => (isFence(String(data)) ? resolve() : told.push(String(data))));
    socket.on('close', (code) => resolve(void told.push(`closed ${code}`)));
  });
  const answered = once(socket, 'message');
  socket.send(JSON.stringify(frame));
  await answered;
  socket.send(JSON.stringify(fence));
  await fenced;
  socket.terminate();
  return told.join('\n');
}

describe.each(settings)(
  'another principal’s chat looks like no chat, %s [H-Identity, H-Ids, ADR 0012]',
  (_name, of) => {
    it('at every endpoint', async () => {
      const { url, own, targets, writes } = await world(of);
      const seen: Record<string, unknown> = {};
      const wanted: Record<string, unknown> = {};
      for (const [index, probe] of probes(targets.theirs, own).entries()) {
        const answers: Record<string, string> = {};
        for (const [name, target] of Object.entries(targets)) {
          const asked = probes(target, own)[index];
          if (asked) answers[name] = anonymous(await rawResponse(url, asked), target);
        }
        expect(answers.never).toMatch(/^HTTP\/1.1 (404|204) /);
        seen[probe[0]] = { ...answers, writes: writes.splice(0) };
        wanted[probe[0]] = { theirs: answers.never, never: answers.never, erased: answers.never, writes: [] };
      }
      expect(seen).toEqual(wanted);
    });

    it('over the BIDI socket', async () => {
      const { url, own, targets, writes } = await world(of);
      const fence = { type: 'resume', requestId: 'fence', id: 'nothing-at-all' };
      const ask = (frame: object) =>
        framesAfter(`${url}/api/chat/socket`, { requestId: 'r', ...frame }, fence, (text) =>
          text.includes('"fence"'),
        );
      for (const [index, [name]] of bidiFrames(targets.theirs, own).entries()) {
        const told: Record<string, string> = {};
        for (const [of, target] of Object.entries(targets)) {
          told[of] = anonymous(await ask(bidiFrames(target, own)[index]?.[1] ?? {}), target);
        }
        expect(told.never).toMatch(/not-found|no-active/);
        expect({ name, ...told }).toEqual({
          name,
          theirs: told.never,
          never: told.never,
          erased: told.never,
        });
      }
      expect(writes).toEqual([]);
    });

    it('over the chat socket', async () => {
      const { url, targets, writes } = await world(of);
      const ask = (frame: object) =>
        framesAfter(`${url}/api/dialects/chat-socket`, frame, { type: 'list_tools' }, (text) =>
          text.includes('"type":"tools"'),
        );
      for (const [index, [name]] of chatSocketFrames(targets.theirs).entries()) {
        const told: Record<string, string> = {};
        for (const [of, target] of Object.entries(targets)) {
          told[of] = anonymous(await ask(chatSocketFrames(target)[index]?.[1] ?? {}), target);
        }
        expect(told.never).toMatch(/ACCESS_DENIED/);
        expect({ name, ...told }).toEqual({
          name,
          theirs: told.never,
          never: told.never,
          erased: told.never,
        });
      }
      expect(writes).toEqual([]);
    });
  },
);

describe('a new message [H-Identity, ADR 0012]', () => {
  it('is refused in another principal’s chat, and starts a chat with an unused or an erased id', async () => {
    const { url, targets } = await world({});
    const statuses: Record<string, number> = {};
    for (const [name, { chat }] of Object.entries(targets)) {
      const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] };
      const response = await fetch(`${url}/api/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [userHeader]: eve.id },
        body: JSON.stringify({ id: chat, message }),
      });
      statuses[name] = response.status;
      await response.text();
    }
    expect(statuses).toEqual({ theirs: 404, never: 200, erased: 200 });
  });
});
