import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type StreamEvent, streamEventSchemas } from '../../../lib/plugins/two-step-stream/client/schema.ts';
import { gate } from './support/gate.ts';
import { musicTools, ServiceError } from './support/music-catalogue.ts';
import { serveDialects } from './support/serve-dialects.ts';
import {
  getStream,
  postMessage,
  startStream,
  streamEvents,
  streamFrames,
} from './support/two-step-client.ts';

const search = (id: string, query: string) => ({ call: 'web_search', id, input: { query } });
const settingsOf = (faults: Error[] = []) => {
  const { tools } = musicTools(faults);
  return {
    tools: { web_search: tools.tidalSearch, albumTracks: tools.albumTracks },
    toolDetails: {
      web_search: {
        title: 'Web search',
        describe: ({ query }: { query: string }) => `Searching the web for ${query}`,
        summarize: (found: unknown[]) => ({ summary: `Found ${found.length} candidate sources` }),
      },
    },
  };
};
const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type);

describe('two-step stream: two requests', () => {
  it('starts a run with one request, and streams it with another, one type and payload per frame [B1, B2, B3]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    const { stream_id } = await startStream(url, 'Hi');
    const response = await getStream(url, stream_id);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^(id: \S+\nevent: \w+\ndata: \{[^\n]*\}\n\n)+$/);
    expect(text).toContain('event: message_chunk\ndata: {"text":"Hello."}\n\n');
    expect(text).not.toContain('"type"');
  });

  it('starts nothing twice for one client_message_id, and names the same stream [B1]', async () => {
    const { url, model, flow } = await serveDialects([[{ text: 'Hello.' }]]);
    const body = { message: 'Hi', client_message_id: crypto.randomUUID() };
    const answers = await Promise.all([postMessage(url, body), postMessage(url, body)]);
    const streams = await Promise.all(answers.map((answer) => answer.json()));
    const [first] = streams;
    await streamEvents(url, first.stream_id);
    streams.push(await (await postMessage(url, body)).json());
    expect(new Set(streams.map(({ stream_id }) => stream_id)).size).toBe(1);
    expect(model.calls).toHaveLength(1);
    const { messages } = await flow.chats.read({
      chatId: first.chat_id,
      principal: { id: 'ada', name: 'Ada' },
    });
    expect(messages).toHaveLength(2);
  });

  it('refuses a client_message_id that was used for another message [B1]', async () => {
    const { url, model } = await serveDialects([[{ text: 'Hello.' }]]);
    const client_message_id = crypto.randomUUID();
    const { stream_id } = await startStream(url, 'Hi', { client_message_id });
    await streamEvents(url, stream_id);
    const other = await postMessage(url, { message: 'Pay Alice 30', client_message_id });
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ error: { code: 'input-mismatch', client_message_id } });
    expect(await startStream(url, ' Hi ', { client_message_id })).toMatchObject({ stream_id });
    expect(model.calls).toHaveLength(1);
  });

  it('refuses it for an earlier message of the chat as well, and changes nothing [B1]', async () => {
    const { url, model } = await serveDialects([[{ text: 'Hello.' }], [{ text: 'Again.' }]]);
    const client_message_id = crypto.randomUUID();
    const { stream_id, chat_id } = await startStream(url, 'Hi', { client_message_id });
    await streamEvents(url, stream_id);
    await streamEvents(url, (await startStream(url, 'More', { chat_id })).stream_id);
    const stored = await (await fetch(`${url}/api/chat/${chat_id}`)).text();
    for (const more of [{}, { chat_id }]) {
      const other = await postMessage(url, { message: 'Pay Alice 30', client_message_id, ...more });
      expect([other.status, (await other.json()).error.code]).toEqual([409, 'input-mismatch']);
      expect(await startStream(url, 'Hi', { client_message_id, ...more })).toEqual({ stream_id, chat_id });
    }
    expect(await (await fetch(`${url}/api/chat/${chat_id}`)).text()).toBe(stored);
    expect(model.calls).toHaveLength(2);
  });

  it('starts one of two messages that are sent at once with one client_message_id [B1]', async () => {
    const { url, model } = await serveDialects([[{ text: 'Hello.' }]]);
    const client_message_id = crypto.randomUUID();
    const sent = ['Hi', 'Pay Alice 30', 'Hi', 'Pay Alice 30'];
    const answers = await Promise.all(
      sent.map((message) => postMessage(url, { message, client_message_id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    const won = sent.filter((_message, index) => answers[index]?.status === 200);
    expect(new Set(won).size).toBe(1);
    const [stream] = await Promise.all(
      answers.filter(({ status }) => status === 200).map((answer) => answer.json()),
    );
    await streamEvents(url, stream.stream_id);
    expect(model.calls).toHaveLength(1);
  });

  it('lets two people use the same client_message_id, each for a run of their own [B1]', async () => {
    const { url, model } = await serveDialects([[{ text: 'Hello.' }], [{ text: 'Hello.' }]]);
    const body = { message: 'Hi', client_message_id: crypto.randomUUID() };
    const ours = await (await postMessage(url, body)).json();
    const theirs = await (await postMessage(url, body, 'bob')).json();
    expect(theirs.stream_id).not.toBe(ours.stream_id);
    await streamEvents(url, ours.stream_id);
    expect((await getStream(url, theirs.stream_id)).status).toBe(404);
    expect(model.calls).toHaveLength(2);
  });

  it('continues a named chat, and starts none for an unknown name [B1]', async () => {
    const { url, model } = await serveDialects([[{ text: 'Hello.' }], [{ text: 'Again.' }]]);
    const { stream_id, chat_id } = await startStream(url, 'Hi');
    await streamEvents(url, stream_id);
    const next = await startStream(url, 'More', { chat_id });
    expect(await streamEvents(url, next.stream_id)).toMatchObject([
      { data: { text: 'Again.' } },
      { type: 'done' },
    ]);
    expect(model.calls[1]?.prompt).toHaveLength(3);
    expect((await postMessage(url, { message: 'Hi', chat_id: 'unknown' })).status).toBe(404);
  });

  it.each([
    ['an empty message', { message: ' ' }],
    ['no message', {}],
    ['a client_message_id that is not a UUID', { message: 'Hi', client_message_id: 'one' }],
  ])('refuses %s with 400 [B1]', async (_what, body) => {
    const { url, model } = await serveDialects([]);
    const response = await postMessage(url, body);
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'invalid-request']);
    expect(model.calls).toHaveLength(0);
  });

  it.each(['nothing', 'a.b', 'chat.run_unknown', '%20.run_1', 'constructor.run_1'])(
    'answers 404 for the unknown stream %s [B2]',
    async (id) => {
      const { url } = await serveDialects([]);
      expect((await getStream(url, id)).status).toBe(404);
      expect((await getStream(url, id, { 'last-event-id': '3.0.done' })).status).toBe(404);
    },
  );

  it('answers 404 for another user’s stream [B2]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    const { stream_id } = await startStream(url, 'Hi');
    expect((await getStream(url, stream_id, { 'x-test-user': 'mallory' })).status).toBe(404);
  });
});

describe('two-step stream: calls', () => {
  it('sends a call when the model requests it, its success, the text, and done last [B4, B5, B7, B8, B9]', async () => {
    const { url } = await serveDialects(
      [[{ text: 'Searching.' }, search('call-1', 'blue')], [{ text: 'Two sources.' }]],
      settingsOf(),
    );
    const { stream_id } = await startStream(url, 'Search');
    expect(await streamEvents(url, stream_id)).toEqual([
      { type: 'message_chunk', data: { text: 'Searching.' } },
      {
        type: 'tool_call',
        data: { tool_call_id: 'call-1', title: 'Web search', description: 'Searching the web for blue' },
      },
      { type: 'tool_response', data: { tool_call_id: 'call-1', message: 'Found 2 candidate sources' } },
      { type: 'message_chunk', data: { text: 'Two sources.' } },
      { type: 'done', data: { reason: 'complete' } },
    ]);
  });

  it('sends all calls before any of them has run, and outcomes in the order they arrive [B4, B10]', async () => {
    const slow = gate();
    const base = settingsOf();
    const { url } = await serveDialects(
      [
        [search('slow', 'blue'), { call: 'albumTracks', id: 'fast', input: { albumId: 'blue-train' } }],
        [{ text: 'Done.' }],
      ],
      {
        ...base,
        tools: {
          ...base.tools,
          web_search: {
            ...base.tools.web_search,
            execute: async () => {
              await slow.passed;
              return [];
            },
          },
        },
      },
    );
    const { stream_id } = await startStream(url, 'Go');
    const events = streamEvents(url, stream_id);
    await expect
      .poll(async () => (await fetch(`${url}/api/chat/${stream_id.split('.')[0]}`)).text())
      .toContain('fast');
    slow.open();
    const told = (await events).flatMap(({ type, data }) =>
      'tool_call_id' in data ? [`${type} ${data.tool_call_id}`] : [],
    );
    expect(told.slice(0, 2)).toEqual(['tool_call slow', 'tool_call fast']);
    expect(told.slice(2).sort()).toEqual(['tool_response fast', 'tool_response slow']);
  });

  it.each([
    [
      'a failing tool',
      [new ServiceError('the service is closed', 500)],
      search('bad', 'blue'),
      "Couldn't complete web search for blue: the service is closed",
    ],
    [
      'input that does not fit',
      [],
      { call: 'web_search', id: 'bad', input: {} },
      "Couldn't complete web search: The arguments do not fit the schema of web_search.",
    ],
    [
      'an unknown tool',
      [],
      { call: 'no_tool', id: 'bad', input: {} },
      "Couldn't complete no tool: There is no tool no_tool.",
    ],
  ])(
    'sends %s as an error with its id, and continues to done complete [B6, B12, B14]',
    async (_what, faults, call, message) => {
      const { url } = await serveDialects([[call], [{ text: 'Anyway.' }]], settingsOf(faults));
      const { stream_id } = await startStream(url, 'Go');
      const events = await streamEvents(url, stream_id);
      expect(typesOf(events)).toEqual(['tool_call', 'error', 'message_chunk', 'done']);
      expect(events[1]).toEqual({ type: 'error', data: { tool_call_id: 'bad', message } });
      expect(events.at(-1)?.data).toEqual({ reason: 'complete' });
    },
  );

  it.each([
    ['Web search', 'Searching the web for moon landing timeline', 'web search for moon landing timeline'],
    ['Payment', 'Pay Alice 30 for lunch.', 'payment for lunch'],
    ['Web search', 'Searching the web for songs for children', 'web search for songs for children'],
    ['Payment', 'Pay Alice 30.', 'payment'],
    ['Forecast', 'Forecast', 'forecast'],
    ['Forecast', 'Look for ', 'forecast'],
  ])(
    'names the activity of %s, "%s", in the error of its call [B14]',
    async (title, description, activity) => {
      const { tools } = musicTools([new ServiceError('timeout', 500)]);
      const { url } = await serveDialects([[search('bad', 'blue')], [{ text: 'Anyway.' }]], {
        tools: { web_search: tools.tidalSearch },
        toolDetails: { web_search: { title, describe: () => description } },
      });
      const { stream_id } = await startStream(url, 'Go');
      const events = await streamEvents(url, stream_id);
      expect(events[1]?.data).toEqual({
        tool_call_id: 'bad',
        message: `Couldn't complete ${activity}: timeout`,
      });
    },
  );

  it('sends a failure of the model as the stream’s own error, settles its calls, then sends done error [B6, B8, B12]', async () => {
    const { url } = await serveDialects([[{ text: 'I' }, { error: new Error('secret') }]], { maxRetries: 0 });
    const { stream_id } = await startStream(url, 'Hi');
    expect(await streamEvents(url, stream_id)).toEqual([
      { type: 'message_chunk', data: { text: 'I' } },
      { type: 'error', data: { tool_call_id: null, message: 'The model call failed. Try again.' } },
      { type: 'done', data: { reason: 'error' } },
    ]);
  });

  it('sends a stop as the outcome of the calls that ran, and done cancelled [B8, B12]', async () => {
    const { url, flow } = await serveDialects([[search('held', 'blue')]], {
      tools: {
        web_search: {
          ...settingsOf().tools.web_search,
          execute: (_input: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
            new Promise((_resolve, reject) =>
              abortSignal?.addEventListener('abort', () => reject(new Error('aborted'))),
            ),
        },
      } as never,
    });
    const { stream_id, chat_id } = await startStream(url, 'Go');
    const chat = { chatId: chat_id as never, principal: { id: 'ada', name: 'Ada' } };
    await expect
      .poll(async () => (await flow.chats.timeline(chat)).some(({ type }) => type === 'tool-started'))
      .toBe(true);
    await flow.chats.stop(chat);
    const events = await streamEvents(url, stream_id);
    expect(typesOf(events)).toEqual(['tool_call', 'error', 'done']);
    expect(events.at(-1)?.data).toEqual({ reason: 'cancelled' });
  });

  it('keeps the model’s call ids, and settles each call exactly once [B9, B12]', async () => {
    const { url } = await serveDialects(
      [[search('toolu_01', 'blue'), search('toolu_02', 'so')], [{ text: 'Done.' }]],
      settingsOf(),
    );
    const { stream_id } = await startStream(url, 'Go');
    const ids = (await streamEvents(url, stream_id)).flatMap(({ type, data }) =>
      'tool_call_id' in data ? [[type, data.tool_call_id]] : [],
    );
    for (const id of ['toolu_01', 'toolu_02']) {
      expect(ids.filter(([, own]) => own === id).map(([type]) => type)).toEqual([
        'tool_call',
        'tool_response',
      ]);
    }
  });

  it.each(['theme', 'locate'])(
    'settles a call of %s, which only a page could execute, and continues [B10, B12]',
    async (name) => {
      const { url } = await serveDialects([[{ call: name, id: 'page' }], [{ text: 'Never mind.' }]]);
      const { stream_id } = await startStream(url, 'Go');
      const events = await streamEvents(url, stream_id);
      expect(typesOf(events)).toEqual(['tool_call', 'error', 'message_chunk', 'done']);
      expect(events[1]?.data).toEqual({
        tool_call_id: 'page',
        message: expect.stringContaining('This client runs no tools.'),
      });
      expect(events.at(-1)?.data).toEqual({ reason: 'complete' });
    },
  );
});

describe('two-step stream: one schema', () => {
  it('documents the payloads, type by type [B16]', () => {
    const fields = Object.fromEntries(
      Object.entries(streamEventSchemas).map(([type, schema]) => {
        const { required = [] } = z.toJSONSchema(schema);
        return [type, required];
      }),
    );
    expect(fields).toEqual({
      tool_call: ['tool_call_id', 'title', 'description'],
      tool_response: ['tool_call_id', 'message'],
      error: ['tool_call_id', 'message'],
      message_chunk: ['text'],
      reset: ['text'],
      approval_request: ['approval_id', 'tool_call_id', 'title', 'description'],
      done: ['reason'],
    });
    expect(z.toJSONSchema(streamEventSchemas.done)).toMatchObject({
      properties: { reason: { enum: ['complete', 'error', 'cancelled', 'approval_required'] } },
    });
  });

  it('sends frames that fit the schema exactly, without additional fields [B16]', async () => {
    const { url } = await serveDialects([[search('a', 'blue')], [{ text: 'Done.' }]], settingsOf());
    const { stream_id } = await startStream(url, 'Go');
    // `streamFrames` parses strictly: an unknown type or field throws.
    expect((await streamFrames(url, stream_id)).map(({ event }) => event.type)).toEqual([
      'tool_call',
      'tool_response',
      'message_chunk',
      'done',
    ]);
    expect(() =>
      streamEventSchemas.tool_call
        .strict()
        .parse({ tool_call_id: 'a', title: '', description: '', type: '' }),
    ).toThrow();
  });
});
