import type { UIMessageChunk } from 'ai';
import { collect } from 'countersign/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { connectBidi } from '../support/connect-bidi.ts';
import { lasting } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import type { RawResponse } from '../support/raw-client.ts';
import { otherThan, type Place, places, setUpAppPair, textOf } from './support/app-pair.ts';
import { countsOf } from './support/counts.ts';
import { clientModes, persistentClient } from './support/persistent-client.ts';

const count = countsOf('Two instances', 'turns', 'servers killed', 'servers stopped', 'payments made');
const pair = setUpAppPair();
const { begin, follow, send, stored } = pair;
afterEach(() => count('turns'));

async function kill(place: Place): Promise<void> {
  await pair.kill(place);
  count('servers killed');
}

const answer = (place: Place, approvalId: string | undefined, approved: boolean) =>
  send(place, 'POST', `/api/approvals/${approvalId}`, { approved });

/** New names in each call, so that each test counts its own payments. */
let named = 0;
function payments() {
  const letter = String.fromCharCode(97 + named++);
  const [ann, ben] = [`Ann${letter}`, `Ben${letter}`];
  /** The recipients of executed payments. */
  const paid = async (place: Place) => {
    const recipients = await pair.paid(place, ann, ben);
    count('payments made', recipients.length);
    return recipients;
  };
  return { ann, ben, paid, prompt: `Pay ${ann} 30 and ${ben} 40`, chatId: `payments-${letter}` };
}

/** Reads a response to its end. Returns its chunks, and the longest silence. */
async function timed(response: RawResponse, seen: (chunk: UIMessageChunk) => unknown = () => {}) {
  const chunks: UIMessageChunk[] = [];
  let silence = 0;
  let last = performance.now();
  for await (const chunk of response) {
    silence = Math.max(silence, performance.now() - last);
    last = performance.now();
    chunks.push(chunk);
    await seen(chunk);
  }
  return { chunks, silence };
}

/** Calls back at the first chunk of a kind, once. */
function when(isMeant: (chunk: UIMessageChunk) => boolean, act: () => unknown) {
  let isOver = false;
  return async (chunk: UIMessageChunk): Promise<void> => {
    if (isOver || !isMeant(chunk)) return;
    isOver = true;
    await act();
  };
}

const isDraft = ({ type }: UIMessageChunk) => type === 'data-draft';
const isRetrying = (chunk: UIMessageChunk) => JSON.stringify(chunk).includes('"retrying"');
const longSpeech = 'Say something long.';
const lastWordsOfSpeech = 'or "call the flaky service".';

/** Prints how long something took on this machine. The benchmark has the targets. */
const print = (what: string, ms: number) => console.log(`Two instances: ${what}: ${Math.round(ms)} ms`);

describe('one chat on two instances [H10]', () => {
  it.each(
    rowsOfThisRun(
      clientModes.flatMap((mode) => places.map((here) => ({ mode, here }))),
      ({ mode, here }) => here === (mode === 'SSE' ? 0 : 1),
    ),
  )(
    '$mode: asked on instance $here, answered on the other, and again on the first',
    async ({ mode, here }) => {
      const { ann, ben, paid, prompt, chatId } = payments();
      const client = persistentClient(mode, chatId);
      client.moveTo(pair.url(here));
      await client.say(prompt);
      client.moveTo(pair.url(otherThan(here)));
      await client.answer(client.question ?? '', true);
      client.moveTo(pair.url(here));
      await client.answer(client.question ?? '', false);

      expect(client.failure).toBeUndefined();
      const [one, two] = [await stored(0, chatId), await stored(1, chatId)];
      expect(two).toEqual(one);
      expect(textOf(one)).toMatch(new RegExp(`${ann} was paid 30 USD.*${ben} was not paid`));
      expect(await paid(1)).toEqual([ann]);
    },
  );

  it.each(rowsOfThisRun(clientModes, (mode) => mode === 'BIDI'))(
    'POST /api/approvals on one instance, followed over %s on the other',
    async (mode) => {
      const { ann, ben, paid, prompt, chatId } = payments();
      await begin(0, chatId, prompt);
      for (const approved of [true, true]) {
        await collect(await follow(mode, 0, chatId));
        const { open } = await stored(1, chatId);
        expect((await answer(1, open, approved)).status).toBe(200);
        expect((await answer(0, open, approved)).status).toBe(409);
      }
      const { chunks } = await timed(await follow(mode, 0, chatId));
      expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
      expect(await stored(0, chatId)).toEqual(await stored(1, chatId));
      expect(await paid(1)).toEqual([ann, ben]);
    },
  );

  it('readers on either instance and over either transport read the same response', async () => {
    await begin(0, 'followed', longSpeech);
    const readers = places.flatMap((place) =>
      clientModes.map(async (mode) => collect(await follow(mode, place, 'followed'))),
    );
    const [first, ...others] = (await Promise.all(readers)).map(lasting);
    for (const other of others) expect(other).toEqual(first);
    expect(textOf(await stored(1, 'followed'))).toContain(lastWordsOfSpeech);
  });

  it('a question that opens and settles on the one instance is in the feed of the other [H11]', async () => {
    const { ann, ben, paid, prompt, chatId } = payments();
    const leave = new AbortController();
    const feed = await fetch(`${pair.url(1)}/api/approvals/events`, { signal: leave.signal });
    const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader();
    let read = '';
    const until = async (pattern: RegExp) => {
      while (!pattern.test(read)) read += (await reader?.read())?.value ?? '';
    };
    await begin(0, chatId, prompt);
    await until(new RegExp(`event: opened\\ndata: .*${ann}`));
    const { open } = await stored(0, chatId);
    await answer(0, open, false);
    await until(new RegExp(`event: settled\\ndata: .*${ann}`));
    await until(new RegExp(`event: opened\\ndata: .*${ben}`));
    leave.abort();
    expect(await paid(1)).toEqual([]);
  });

  it('a stop on the one instance ends the run of the other [H5]', async () => {
    await begin(0, 'stopped', longSpeech);
    const reading = collect(await follow('SSE', 0, 'stopped'));
    const response = await send(1, 'DELETE', '/api/chat/stopped/run');
    expect(response.status).toBe(204);
    expect((await reading).at(-1)).toMatchObject({ type: 'abort' });
    expect(textOf(await stored(1, 'stopped'))).not.toContain(lastWordsOfSpeech);
  });

  it('a session of one instance is valid on the other', async () => {
    const login = await send(0, 'POST', '/api/session', { name: 'Ada' });
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const response = await fetch(`${pair.url(1)}/api/session`, { headers: { cookie } });
    expect(await response.json()).toEqual({ user: { id: 'user:ada', name: 'Ada' } });
  });
});

describe('either instance dies at any moment', () => {
  it.each(rowsOfThisRun(places, (owner) => owner === 1))(
    'killed with three runs, instance %i leaves them to the other: during text, during a tool call, just answered',
    async (owner) => {
      const survivor = otherThan(owner);
      const { ann, ben, paid, prompt, chatId } = payments();
      const [speech, tool] = [`mid-text-${owner}`, `mid-tool-${owner}`];
      await begin(owner, chatId, prompt);
      await collect(await follow('SSE', owner, chatId));
      const { open: first } = await stored(owner, chatId);
      await begin(owner, tool, 'call the flaky service');
      await begin(owner, speech, longSpeech);
      const [talking, working] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const readers = Promise.all([
        follow('SSE', survivor, speech).then((reader) => timed(reader, when(isDraft, talking.resolve))),
        follow('BIDI', survivor, tool).then((reader) => timed(reader, when(isRetrying, working.resolve))),
      ]);
      await Promise.all([talking.promise, working.promise]);
      const answered = await answer(owner, first, true);
      await kill(owner);
      expect(answered.status).toBe(200);
      const asking = await timed(await follow('BIDI', survivor, chatId));

      for (const { silence } of [...(await readers), asking])
        print('the longest silence after a death', silence);
      for (const { chunks } of await readers) expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
      expect(textOf(await stored(survivor, speech)).split(lastWordsOfSpeech)).toHaveLength(2);
      // This tool may run twice.
      expect(textOf(await stored(survivor, tool))).toBe('The flaky service responded.');

      // A payment may not. If its outcome is unknown, every reader sees that.
      const { open: second } = await stored(survivor, chatId);
      expect((await answer(survivor, second, true)).status).toBe(200);
      await collect(await follow('SSE', survivor, chatId));
      const text = textOf(await stored(survivor, chatId));
      const isUnknown = text.includes(`unknown whether ${ann} was paid`);
      if (!isUnknown) expect(text).toContain(`${ann} was paid 30`);
      expect(isUnknown ? [[ben], [ann, ben]] : [[ann, ben]]).toContainEqual(await paid(survivor));
    },
  );

  it('an open question does not need the instance that asked it', async () => {
    const { ann, ben, paid, prompt, chatId } = payments();
    const client = persistentClient('SSE', chatId);
    client.moveTo(pair.url(0));
    await client.say(prompt);
    await kill(0);
    client.moveTo(pair.url(1));
    await client.answer(client.question ?? '', true);
    await client.answer(client.question ?? '', true);
    expect(client.failure).toBeUndefined();
    expect(await paid(1)).toEqual([ann, ben]);
  });

  it.each(rowsOfThisRun(clientModes, (mode) => mode === 'SSE'))(
    '%s: a reader whose instance dies continues on the other, and the run is not affected',
    async (mode) => {
      const chatId = `reader-${mode}`;
      await begin(0, chatId, longSpeech);
      const broken = timed(
        await follow(mode, 1, chatId),
        when(isDraft, () => kill(1)),
      );
      await expect(broken).rejects.toThrow();
      const { chunks } = await timed(await follow(mode, 0, chatId));
      expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
      expect(chunks.filter(({ type }) => type === 'start-step')).toHaveLength(1);
    },
  );
});

describe('an instance that shuts down', () => {
  it('hands its run over and exits, even if clients are still connected', async () => {
    const url = pair.url(0);
    await begin(0, 'handed-over', longSpeech);
    const feeds = await Promise.all([1, 2, 3].map(() => fetch(`${url}/api/approvals/events`)));
    const socket = await connectBidi(url);
    const onSocket = (await socket.resume('handed-over'))?.next();
    let leaving: ReturnType<typeof pair.stop> | undefined;
    const { chunks, silence } = await timed(
      await follow('SSE', 1, 'handed-over'),
      when(isDraft, () => {
        leaving = pair.stop(0);
      }),
    );
    await onSocket;
    const end = await leaving;
    count('servers stopped');
    expect(end?.code).toBe(0);
    print('from SIGTERM to the end', end?.ms ?? Number.NaN);
    expect(chunks.at(-1)).toMatchObject({ type: 'finish' });
    print('the longest silence after a handover', silence);
    expect(textOf(await stored(1, 'handed-over')).split(lastWordsOfSpeech)).toHaveLength(2);
    await Promise.all(feeds.map((feed) => feed.text()));
  });
});
