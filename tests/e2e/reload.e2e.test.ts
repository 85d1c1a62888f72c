import { tool, type UIMessage, type UIMessageChunk } from 'ai';
import type { FlowSettings } from 'countersign';
import { collect, fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { barrier } from '../support/barrier.ts';
import { messageOf } from '../support/client-message.ts';
import { framed, questionIn, questionTypes, types } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { modes } from '../support/modes.ts';
import { type ConnectRaw, type RawResponse, rawChat } from '../support/raw-client.ts';
import { serveFixture } from '../support/serve-fixture.ts';
import { stoppedClock } from '../support/stopped-clock.ts';
import { databaseTools, workedExample } from '../support/worked-example.ts';

const hello = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Search and update database' }] };

/** A chat on its own flow, used by one client. */
async function served(connect: ConnectRaw, script: readonly ScriptedStep[], settings: Partial<FlowSettings>) {
  const fixture = await serveFixture(script, settings);
  const client = await connect(fixture.url);
  const chat = rawChat(client);
  return {
    ...fixture,
    ...chat,
    client,
    open: (request: Readonly<Record<string, unknown>>) =>
      client.open({ id: chat.id, trigger: 'submit-message', ...request }),
    stored: async (): Promise<UIMessage> =>
      (await (await fetch(`${fixture.api}/${chat.id}`)).json()).messages.at(-1),
  };
}

/** The requests of a turn in which everything is approved: first the message, then an answer to each question. */
function nextRequest(last: readonly UIMessageChunk[] | undefined): Readonly<Record<string, unknown>> {
  // A replay contains the answered questions too. The open one is last.
  return last ? { answers: [{ approvalId: questionsIn(last).at(-1), approved: true }] } : { message: hello };
}

async function leaveAfter(response: RawResponse, count: number): Promise<void> {
  let seen = 0;
  if (count === 0) await response.return();
  else for await (const _chunk of response) if (++seen === count) break;
}

const responses = [0, 1, 2];

describe('a reader that leaves at any moment finds the whole message when it returns [H2]', () => {
  const rows = modes.flatMap(([mode, connect]) =>
    responses.map((place) => [mode, place + 1, connect] as const),
  );
  it.each(rowsOfThisRun(rows, ([mode, number]) => (mode === 'SSE') === (number === 2)))(
    '%s: after each chunk of response %i of the worked example',
    async (_mode, number, connect) => {
      const reference = await served(connect, workedExample, {
        tools: databaseTools().tools,
        clock: stoppedClock,
      });
      const whole: UIMessageChunk[][] = [];
      while (whole.length < 3) whole.push(await reference.ask(nextRequest(whole.at(-1))));
      const finished = await reference.stored();
      const length = whole[number - 1]?.length ?? 0;
      expect(length).toBeGreaterThan(5);

      for (let cut = 0; cut <= length; cut += 1) {
        const { tools, effects } = databaseTools();
        const { open, ask, resume, stored } = await served(connect, workedExample, {
          tools,
          clock: stoppedClock,
        });
        let last: UIMessageChunk[] | undefined;
        for (let place = 1; place < number; place += 1) last = await ask(nextRequest(last));
        await leaveAfter(await open(nextRequest(last)), cut);

        last = (await resume()) ?? [];
        expect(await messageOf(last)).toEqual(await stored());
        for (let place = number; place < 3; place += 1) last = await ask(nextRequest(last));
        expect(await stored()).toEqual(finished);
        expect(await messageOf((await resume()) ?? [])).toEqual(finished);
        expect(effects).toEqual(['searched users', 'set active']);
      }
    },
  );

  it.each(modes)(
    '%s: a replay contains all responses under one start, and the answer after each question',
    async (_mode, connect) => {
      const { ask, resume } = await served(connect, workedExample, { tools: databaseTools().tools });
      const second = await ask(nextRequest(await ask(nextRequest(undefined))));
      const replayed = (await resume()) ?? [];
      expect(types(replayed)).toEqual(
        framed(...questionTypes, 'finish-step', 'start-step', 'tool-approval-response', ...questionTypes),
      );
      expect(questionsIn(replayed).at(-1)).toBe(questionIn(second));
    },
  );
});

describe('a reader that returns in the middle of a run continues live [H2]', () => {
  /** Where the turn stands while its reader is away, and what a reader has been shown of it by then. */
  const places: [where: string, request: number, drafted: string][] = [
    ['the model writes its first words', 1, 'Let me '],
    ['the first tool runs', 2, 'Let me look.'],
    ['the model writes between the questions', 2, 'Let me look.Found '],
    ['the last tool runs', 3, 'Let me look.Found 10 users.'],
    ['the model writes its last words', 3, 'Let me look.Found 10 users.Database '],
  ];

  function heldTurn(where: string) {
    const held = barrier();
    const slow = (name: string, here: string) =>
      tool({
        inputSchema: z.object({}),
        needsApproval: true,
        execute: async () => (here === where ? held.wait : undefined)?.then(() => name) ?? name,
      });
    const tools = {
      search: slow('search', 'the first tool runs'),
      update: slow('update', 'the last tool runs'),
    };
    const speak = (before: string, here: string, after: string) => [
      { text: before },
      ...(here === where ? [{ wait: held.wait }] : []),
      { text: after },
    ];
    const script: ScriptedStep[] = [
      [...speak('Let me ', 'the model writes its first words', 'look.'), { call: 'search' }],
      [...speak('Found ', 'the model writes between the questions', '10 users.'), { call: 'update' }],
      speak('Database ', 'the model writes its last words', 'updated.'),
    ];
    return { tools, script, held };
  }

  it.each(
    modes.flatMap(([mode, connect]) =>
      places.map(([where, request, drafted]) => [mode, where, request, drafted, connect] as const),
    ),
  )('%s: while %s', async (_mode, where, request, drafted, connect) => {
    const { tools, script, held } = heldTurn(where);
    const { open, ask, resume, client, stored } = await served(connect, script, { tools });
    let last: UIMessageChunk[] | undefined;
    for (let place = 1; place < request; place += 1) last = await ask(nextRequest(last));

    const first = await open(nextRequest(last));
    await first.next();
    await first.return();

    const back = await client.resume('chat');
    if (!back) throw new Error('There is nothing to resume.');
    const seen: UIMessageChunk[] = [];
    while (draftIn(seen) !== drafted) {
      const next = await back.next();
      if (next.done) throw new Error(`The replay ended with the draft ${draftIn(seen)}`);
      seen.push(next.value);
    }
    held.lift();
    last = [...seen, ...(await collect(back))];

    expect(await messageOf(last)).toEqual(await stored());
    for (let place = request; place < 3; place += 1) last = await ask(nextRequest(last));
    const replayed = await messageOf((await resume()) ?? []);
    expect(replayed).toEqual(await stored());
    expect(textOf(replayed)).toBe('Let me look.Found 10 users.Database updated.');
  });

  it('many readers over both transports see the same to the end', async () => {
    const { tools, script, held } = heldTurn('the model writes its first words');
    const fixture = await serveFixture(script, { tools });
    const clients = await Promise.all([...modes, ...modes].map(([, connect]) => connect(fixture.url)));
    const [first] = clients;
    const opened = await first?.open({ id: 'chat', trigger: 'submit-message', message: hello });
    await opened?.next();
    const readers = await Promise.all(clients.map((client) => client.resume('chat')));
    held.lift();
    const messages = await Promise.all(
      readers.map(async (reader) => messageOf(reader ? await collect(reader) : [])),
    );
    expect(new Set(messages.map((message) => JSON.stringify(message))).size).toBe(1);
    expect(messages).toHaveLength(4);
    await opened?.return();
  });
});

describe('outside its window a resume finds nothing, and the chat has the message [H2]', () => {
  it.each(modes)('%s: an unknown chat, and someone else’s', async (_mode, connect) => {
    const { url, ask } = await served(connect, workedExample, { tools: databaseTools().tools });
    await ask(nextRequest(undefined));
    expect(await (await connect(url)).resume('unknown')).toBeNull();
    expect(await (await connect(url, 'mallory')).resume('chat')).toBeNull();
  });

  it.each(modes)('%s: for 60 seconds after the end, and no longer', async (_mode, connect) => {
    const clock = fakeClock();
    const { resume, ask, stored } = await served(connect, [[{ text: 'Hello.' }]], {
      tools: databaseTools().tools,
      clock,
    });
    const live = await messageOf(await ask({ message: hello }));
    clock.advance(60_000);
    expect(await messageOf((await resume()) ?? [])).toEqual(live);
    clock.advance(1);
    expect(await resume()).toBeNull();
    expect(await stored()).toEqual(live);
  });

  it.each(modes)('%s: a question stays open indefinitely', async (_mode, connect) => {
    const clock = fakeClock();
    const { resume, ask, stored } = await served(connect, workedExample, {
      tools: databaseTools().tools,
      clock,
    });
    const first = await ask(nextRequest(undefined));
    clock.advance(30 * 24 * 60 * 60_000);
    const replayed = (await resume()) ?? [];
    expect(questionIn(replayed)).toBe(questionIn(first));
    expect(await messageOf(replayed)).toEqual(await stored());
  });
});

function questionsIn(chunks: readonly UIMessageChunk[]): string[] {
  return chunks.flatMap((chunk) => (chunk.type === 'tool-approval-request' ? [chunk.approvalId] : []));
}

function draftIn(chunks: readonly UIMessageChunk[]): string {
  return chunks
    .map((chunk) => (chunk.type === 'data-draft' ? (chunk.data as { delta: string }).delta : ''))
    .join('');
}

function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
