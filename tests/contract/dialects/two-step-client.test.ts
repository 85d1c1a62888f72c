import { TwoStepClient, TwoStepError } from 'countersign/plugins/two-step-stream/client';
import { sqliteStore } from 'countersign/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { randomId } from '../../../lib/dialects/client/random-id.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { perTurn } from '../../support/per-turn.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';

const pay = { call: 'pay', id: 'pay', input: { to: 'Alice', amount: 30 } };
const weather = (id: string) => ({ call: 'weather', id, input: { city: 'Oslo' } });

function clientOf(settings: ConstructorParameters<typeof TwoStepClient>[0]) {
  const client = new TwoStepClient(settings);
  onTestFinished(() => client.close());
  return client;
}

async function typesOf(events: AsyncIterable<{ type: string }>): Promise<string[]> {
  return (await Array.fromAsync(events)).map(({ type }) => type);
}

function questionOf({ state }: TwoStepClient): string {
  const asked = [...state.activities.values()].find(({ approvalId }) => approvalId !== undefined);
  if (asked?.approvalId === undefined) throw new Error('Nothing is asked.');
  return asked.approvalId;
}

/** A `fetch` that delivers bodies in pieces of this many bytes, and cuts the n-th response behind so many. */
function inPieces(bytes: number, cutBehind: readonly number[] = []) {
  const seen: (string | null)[] = [];
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).includes('/stream/') || response.status !== 200) return response;
    const limit = cutBehind[seen.length] ?? Number.POSITIVE_INFINITY;
    seen.push(new Headers(init?.headers).get('last-event-id'));
    let sent = 0;
    const pieces = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const rest = chunk.subarray(0, Math.max(0, limit - sent));
        for (let at = 0; at < rest.length; at += bytes) controller.enqueue(rest.subarray(at, at + bytes));
        sent += rest.length;
        if (sent >= limit) controller.error(new TypeError('The line broke.'));
      },
    });
    return new Response(response.body?.pipeThrough(pieces), response);
  };
  return { cutting, seen };
}

describe('TwoStepClient', () => {
  it('sends a message, shows the question, answers it, and continues the chat [B1, B13, B18]', async () => {
    const { url, ran } = await serveDialects([
      [{ text: 'Paying. ' }, pay],
      [{ text: 'Paid.' }],
      [{ text: 'Bye.' }],
    ]);
    const client = clientOf({ url });
    const seen: string[] = [];
    client.subscribe(() => seen.push(client.connection));
    await client.connect();
    expect(await typesOf(client.send('Pay Alice'))).toEqual([
      'message_chunk',
      'tool_call',
      'approval_request',
      'done',
    ]);
    expect(client.state).toMatchObject({ text: 'Paying. ', done: 'approval_required' });
    expect(await typesOf(client.answer({ approvalId: questionOf(client), approved: true }))).toEqual([
      'tool_response',
      'message_chunk',
      'done',
    ]);
    expect(client.state).toMatchObject({ text: 'Paying. Paid.', done: 'complete' });
    expect(ran).toHaveLength(1);
    expect(await client.result('pay')).toMatchObject({ output: { paid: 30 } });
    const { chatId } = client;
    await typesOf(client.send('Bye'));
    expect([client.chatId, client.state.text]).toEqual([chatId, 'Bye.']);
    expect(new Set(seen)).toEqual(new Set(['connecting', 'open', 'closed']));
  });

  it('reads without anybody who iterates, and gives each reader all events [B13]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    const client = clientOf({ url });
    const events = client.send('Hi');
    await expect.poll(() => client.state.done).toBe('complete');
    expect(await typesOf(events)).toEqual(['message_chunk', 'done']);
    expect(await typesOf(events)).toEqual(['message_chunk', 'done']);
  });

  const everyNth = 12;
  const remainders = Array.from({ length: everyNth }, (_, remainder) => ({ remainder }));

  it.each(rowsOfThisRun(remainders, ({ remainder }) => remainder === 5))(
    'resumes at its place wherever the bytes are cut, in pieces of any size: bytes $remainder and every twelfth after [B17]',
    async ({ remainder }) => {
      const { url } = await serveDialects([[{ text: 'Look. Ä😀 ' }, weather('a')], [{ text: 'Sunny.' }]]);
      const first = clientOf({ url });
      const types = await typesOf(first.send('Weather?'));
      const { streamId = '', state } = first;
      const whole = await (await fetch(`${url}/api/chat/stream/${streamId}`)).arrayBuffer();
      for (let cut = remainder; cut < whole.byteLength; cut += everyNth) {
        const { cutting, seen } = inPieces(1 + (cut % 7), [cut]);
        const client = clientOf({ url, fetch: cutting });
        expect([cut, await typesOf(client.resume({ streamId }))]).toEqual([cut, types]);
        expect([cut, client.state]).toEqual([cut, state]);
        expect(seen.length).toBeLessThanOrEqual(2);
      }
    },
  );

  it('asks again after an answer that came too late for its tool [B18, ADR 0020]', async () => {
    const toolDetails = { pay: { version: '1' } };
    const script = perTurn([[pay], [{ text: 'Paid.' }]]);
    const { url, ran } = await serveDialects(script, { toolDetails: toolDetails as never });
    const client = clientOf({ url });
    await typesOf(client.send('Pay'));
    const first = questionOf(client);
    Object.assign(toolDetails.pay, { version: '2' });
    expect(await typesOf(client.answer({ approvalId: first, approved: true }))).toEqual([
      'error',
      'tool_call',
      'approval_request',
      'done',
    ]);
    expect(client.state.activities.get('pay')).toMatchObject({ status: 'failed' });
    expect(questionOf(client)).not.toBe(first);
    expect(ran).toEqual([]);
    await typesOf(client.answer({ approvalId: questionOf(client), approved: true }));
    expect(client.state).toMatchObject({ text: 'Paid.', done: 'complete' });
    expect(ran).toHaveLength(1);
  });

  it('interrupts pending calls while it reconnects, and shows them as pending again [B15]', async () => {
    const held = gate();
    const line = gate();
    const tools = {
      slow: { inputSchema: z.object({}), execute: async () => held.passed.then(() => ['found']) },
    } as never;
    const { url } = await serveDialects([[{ call: 'slow', id: 'a' }], [{ text: 'Done.' }]], { tools });
    let requests = 0;
    const client = clientOf({
      url,
      fetch: async (input, init) => {
        if (!String(input).includes('/stream/')) return fetch(input, init);
        requests += 1;
        if (requests === 2) throw new TypeError('The line broke.');
        if (requests === 3) await line.passed;
        const response = await fetch(input, init);
        if (requests > 1) return response;
        const only = response.body?.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              controller.enqueue(chunk);
              controller.terminate();
            },
          }),
        );
        return new Response(only, response);
      },
    });
    const events = client.send('Look');
    const status = () => client.state.activities.get('a')?.status;
    await expect.poll(() => client.connection).toBe('reconnecting');
    expect(status()).toBe('interrupted');
    line.open();
    await expect.poll(() => client.connection).toBe('open');
    expect(status()).toBe('pending');
    held.open();
    expect(await typesOf(events)).toEqual(['tool_call', 'tool_response', 'message_chunk', 'done']);
    expect(client.state).toMatchObject({ text: 'Done.', done: 'complete' });
    expect(requests).toBe(3);
  });

  it('goes on at the next server after a shutdown, and drops the error of the connection [B15, B19]', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const old = await serveDialects([[{ text: 'One ' }, { wait: new Promise<void>(() => {}) }]], { store });
    const next = await serveDialects([[{ text: 'One and two.' }]], { store });
    let base = old.url;
    const client = clientOf({
      url: old.url,
      fetch: (input, init) => fetch(String(input).replace(old.url, base), init),
    });
    const types: string[] = [];
    for await (const { type } of client.send('Count')) {
      types.push(type);
      if (types.length > 1) continue;
      void old.flow.close().then(() => next.flow.recover());
      base = next.url;
    }
    expect(types).toEqual(['message_chunk', 'error', 'reset', 'message_chunk', 'done']);
    expect(client.state).toMatchObject({ text: 'One and two.', done: 'complete' });
    expect(client.state.error).toBeUndefined();
  });

  it('sends a lost message again, and one turn begins [B1]', async () => {
    const { url, model } = await serveDialects([[{ text: 'Hello.' }]]);
    let posts = 0;
    const client = clientOf({
      url,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method === 'POST' && ++posts < 3) throw new TypeError('The line broke.');
        return response;
      },
    });
    await typesOf(client.send('Hi'));
    expect([posts, client.state.text, model.calls.length]).toEqual([3, 'Hello.', 1]);
  });

  it('sends an answer again whose reply was lost, and follows its stream [B18]', async () => {
    const { url, ran } = await serveDialects([[{ text: 'Paying. ' }, pay], [{ text: 'Paid.' }]]);
    let answers = 0;
    const client = clientOf({
      url,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (String(input).includes('/approvals/') && ++answers === 1) throw new TypeError('The line broke.');
        return response;
      },
    });
    await typesOf(client.send('Pay'));
    await typesOf(client.answer({ approvalId: questionOf(client), approved: true }));
    expect(client.state).toMatchObject({ text: 'Paying. Paid.', done: 'complete' });
    expect([answers, ran.length]).toEqual([2, 1]);
  });

  it('sends on pages without `crypto.randomUUID` [B1]', async () => {
    const ids = Array.from({ length: 20 }, () => randomId());
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(z.uuid().safeParse(id).success).toBe(true);
  });

  it('reads a stream that another client began, from its start [B2]', async () => {
    const { url } = await serveDialects([[{ text: 'Paying. ' }, pay], [{ text: 'Paid.' }]]);
    const first = clientOf({ url });
    await typesOf(first.send('Pay'));
    const { streamId = '', chatId } = first;
    const second = clientOf({ url });
    await typesOf(second.resume({ streamId, ...(chatId && { chatId }) }));
    expect(second.state).toEqual(first.state);
    await typesOf(second.answer({ approvalId: questionOf(second), approved: false, reason: 'No.' }));
    expect(second.state.activities.get('pay')).toMatchObject({ status: 'failed' });
    expect(second.state.done).toBe('complete');
    // The end of the first stream is known: nothing is sent again.
    expect(await typesOf(first.resume())).toEqual([]);
  });

  it('throws refusals with their code, status and time to wait, and asks with its headers [B2]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    let user = 'mallory';
    const client = clientOf({ url, headers: () => ({ 'x-test-user': user }) });
    await typesOf(client.send('Hi'));
    const { streamId = '' } = client;
    user = 'ada';
    const refused = typesOf(clientOf({ url, headers: { 'x-test-user': 'ada' } }).resume({ streamId }));
    await expect(refused).rejects.toMatchObject({ name: 'TwoStepError', code: 'not-found', status: 404 });
    const unknown = typesOf(client.answer({ approvalId: 'apr_unknown', approved: true }));
    await expect(unknown).rejects.toBeInstanceOf(TwoStepError);
    const limited = clientOf({
      url,
      fetch: async () =>
        Response.json(
          { error: { code: 'unauthenticated', message: 'Sign in.' } },
          { status: 401, headers: { 'retry-after': '2' } },
        ),
    });
    await expect(typesOf(limited.send('Hi'))).rejects.toMatchObject({ status: 401, retryAfterMs: 2_000 });
    expect(limited.connection).toBe('closed');
  });

  it('withdraws the question of its chat, and ends what it reads when it is closed [B18]', async () => {
    const { url, flow } = await serveDialects([
      [pay],
      [{ text: 'On' }, { wait: new Promise<void>(() => {}) }],
    ]);
    const client = clientOf({ url });
    await typesOf(client.send('Pay'));
    await client.stop();
    const page = await flow.approvals.list({ principal: { id: 'ada', name: 'Ada' }, state: 'open' });
    expect(page.items).toEqual([]);
    const events = client.send('Go on');
    await expect.poll(() => client.state.text).toBe('On');
    client.close();
    await typesOf(events);
    expect(client.connection).toBe('closed');
  });
});
