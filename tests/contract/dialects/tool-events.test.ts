import { hasToolCall, isStepCount } from 'ai';
import type { FlowSettings } from 'countersign';
import { fakeClock } from 'countersign/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { noToolInvocations, reduceToolEvent } from '../../../lib/plugins/tool-events/client/reducer.ts';
import type { ToolEvent } from '../../../lib/plugins/tool-events/client/schema.ts';
import {
  isInvocationOf,
  type ToolCallStartOf,
  type ToolInvocationOf,
} from '../../../lib/plugins/tool-events/client/typed-invocation.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { gate } from './support/gate.ts';
import {
  type MusicTools,
  musicDetails,
  musicTools,
  ServiceError,
  tracks,
} from './support/music-catalogue.ts';
import { rawFrames } from './support/raw-frames.ts';
import { serveDialects } from './support/serve-dialects.ts';
import { frameTypes, openToolEvents, postToolEvents, toolEvents } from './support/tool-events-client.ts';
import { startStream, streamEvents } from './support/two-step-client.ts';

const search = (query: string) => ({ call: 'semanticSearch', id: 'search', input: { query } });

async function serveMusic(script: Parameters<typeof serveDialects>[0], faults: Error[] = []) {
  const { tools, ran } = musicTools(faults);
  return { ...(await serveDialects(script, { tools, toolDetails: musicDetails })), ran };
}

const ofType = <Type extends ToolEvent['type']>(frames: readonly ToolEvent[], type: Type) =>
  frames.filter((frame): frame is Extract<ToolEvent, { type: Type }> => frame.type === type);

describe('tool events: the limit of steps', () => {
  const call = (id: string) => [{ call: 'weather', id, input: { city: 'Oslo' } }];
  const limit = 'Stopped here: the assistant reached its limit of steps for one message.';
  const script = [[{ text: 'Looking.' }, ...call('one')], call('two')];

  const conditions: [string, Partial<FlowSettings>, string[]][] = [
    ['isStepCount', { stopWhen: isStepCount(2) }, ['Looking.', `\n\n${limit}`]],
    ['a condition of another kind', { stopWhen: hasToolCall('weather') }, ['Looking.']],
  ];
  it.each(conditions)(
    'says in the text that the turn ended at %s, only if it counts steps [A14]',
    async (_what, settings, texts) => {
      const { url } = await serveDialects(script, settings);
      const frames = await toolEvents(url, 'Go');
      expect(frames.flatMap((frame) => (frame.type === 'text_delta' ? [frame.content] : []))).toEqual(texts);
      expect(frames.at(-1)?.type).toBe('message_end');
    },
  );

  it.each(conditions)(
    'is named in the text of the two-step stream and of the chat socket, too: %s [B7, D10]',
    async (_what, settings, texts) => {
      const { url } = await serveDialects(script, settings);
      const { stream_id, chat_id } = await startStream(url, 'Go');
      const events = await streamEvents(url, stream_id);
      expect(events.flatMap(({ type, data }) => (type === 'message_chunk' ? [data.text] : []))).toEqual(
        texts,
      );
      expect(events.at(-1)).toEqual({ type: 'done', data: { reason: 'complete' } });
      const client = await connectChatSocket(url);
      client.send({ type: 'resume', conversation_id: chat_id });
      const frames = await client.complete();
      expect(frames.flatMap((frame) => (frame.type === 'token' ? [frame.content] : []))).toEqual(texts);
    },
  );
});

describe('tool events: frames', () => {
  it('sends each frame as one `data:` line of JSON and an empty line, as text/event-stream [A1, A26]', async () => {
    const { url } = await serveMusic([[{ text: 'Let me\nlook.' }, search('blue')], [{ text: 'Done.' }]]);
    const response = await postToolEvents(url, 'Find blue');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    for await (const frame of rawFrames(response)) {
      expect(frame).toMatch(/^data: \{"type":"[a-z_]+",.*\}$/);
      expect(frame).not.toContain('\n');
    }
  });

  it('sends a success as start, end and text, in order, with parsed input and the whole output [A2, A3, A5, A6, A13]', async () => {
    const { url } = await serveMusic([
      [
        { text: ['Let me ', 'look.'] },
        search('blue'),
        { finish: 'tool-calls', usage: { inputTokens: 7, outputTokens: 3 } },
      ],
      [{ text: 'Two by Davis.' }, { finish: 'stop', usage: { inputTokens: 9, outputTokens: 4 } }],
    ]);
    const frames = await toolEvents(url, 'Find blue');
    expect(frameTypes(frames)).toEqual([
      'message_start',
      'text_delta',
      'tool_call_start',
      'tool_call_end',
      'text_delta',
      'message_end',
    ]);
    expect(ofType(frames, 'tool_call_start')).toEqual([
      { type: 'tool_call_start', toolCallId: 'search', toolName: 'semanticSearch', input: { query: 'blue' } },
    ]);
    expect(ofType(frames, 'tool_call_end')).toEqual([
      {
        type: 'tool_call_end',
        toolCallId: 'search',
        summary: 'Found 2 tracks',
        resultCount: 2,
        durationMs: expect.any(Number),
        output: [tracks[0], tracks[3]],
      },
    ]);
    expect(frames.at(-1)).toEqual({ type: 'message_end', usage: { inputTokens: 16, outputTokens: 7 } });
  });

  it('types names, inputs and outputs by the registered tools [A4]', async () => {
    expectTypeOf<ToolCallStartOf<MusicTools>['toolName']>().toEqualTypeOf<keyof MusicTools>();
    type AlbumStart = Extract<ToolCallStartOf<MusicTools>, { toolName: 'albumTracks' }>;
    expectTypeOf<AlbumStart['input']>().toEqualTypeOf<{ albumId: string }>();
    type Search = Extract<ToolInvocationOf<MusicTools>, { toolName: 'semanticSearch' }>;
    expectTypeOf<Search['output']>().toExtend<readonly { title: string }[] | undefined>();

    const { url } = await serveMusic([[search('so what')], [{ text: 'Found.' }]]);
    const invocations = (await toolEvents(url, 'Find it')).reduce(reduceToolEvent, noToolInvocations);
    const [first] = invocations.values();
    if (!first || !isInvocationOf<MusicTools, 'semanticSearch'>(first, 'semanticSearch')) {
      throw new Error('The search is missing.');
    }
    expect(first.output?.map(({ title }) => title)).toEqual(['So What']);
    expect(isInvocationOf<MusicTools, 'albumTracks'>(first, 'albumTracks')).toBe(false);
  });

  it('gives each invocation its own id, even if the model repeats one [A3]', async () => {
    const { url } = await serveMusic([[search('blue')], [search('so')], [{ text: 'Done.' }]]);
    const frames = await toolEvents(url, 'Find both');
    const starts = ofType(frames, 'tool_call_start').map(({ toolCallId }) => toolCallId);
    expect(new Set(starts).size).toBe(2);
    expect(ofType(frames, 'tool_call_end').map(({ toolCallId }) => toolCallId)).toEqual(starts);
  });

  it.each([
    [
      'the partial form',
      { call: 'batchMetadata', input: { ids: ['t1', 't2', 'x'] } },
      'Retrieved metadata for 2 of 3 requested tracks',
      2,
    ],
    ['the empty form', search('polka'), "No tracks found matching 'polka'", 0],
    ['the counted form', { call: 'albumTracks', input: { albumId: 'kind-of-blue' } }, '2 results', 2],
    ['the counted empty form', { call: 'albumTracks', input: { albumId: 'none' } }, '0 results', 0],
  ])(
    'sends %s to people, and omits the output if nothing was found [A6, A7]',
    async (_form, call, summary, resultCount) => {
      const { url } = await serveMusic([[call], [{ text: 'Done.' }]]);
      const [end] = ofType(await toolEvents(url, 'Go'), 'tool_call_end');
      expect(end).toMatchObject({ summary, resultCount });
      expect(end && 'output' in end).toBe(resultCount > 0);
    },
  );

  it('reports a failure as a sentence without a stack, and continues to message_end [A8, A14]', async () => {
    const { url } = await serveMusic(
      [
        [{ call: 'tidalSearch', id: 'tidal', input: { query: 'blue' } }],
        [search('blue')],
        [{ text: 'Found here.' }],
      ],
      [new ServiceError('The catalogue is closed.', 500)],
    );
    const frames = await toolEvents(url, 'Find blue');
    expect(ofType(frames, 'tool_call_error')).toEqual([
      {
        type: 'tool_call_error',
        toolCallId: 'tidal',
        error: 'The catalogue is closed.',
        retryable: false,
        wasRetried: false,
      },
    ]);
    expect(frameTypes(frames)).toEqual([
      'message_start',
      'tool_call_start',
      'tool_call_error',
      'tool_call_start',
      'tool_call_end',
      'text_delta',
      'message_end',
    ]);
  });

  it.each([
    ['input that does not fit', { call: 'semanticSearch', id: 'odd', input: { query: 7 } }, { query: 7 }],
    ['a tool that does not exist', { call: 'playTrack', id: 'odd', input: { id: 't1' } }, { id: 't1' }],
  ])(
    'sends the start of a call with %s right before its error, and never runs it [A9, A12]',
    async (_what, call, input) => {
      const { url, ran } = await serveMusic([[call], [{ text: 'Sorry.' }]]);
      const frames = await toolEvents(url, 'Go');
      const index = frames.findIndex(({ type }) => type === 'tool_call_start');
      expect(frames.slice(index, index + 2)).toEqual([
        { type: 'tool_call_start', toolCallId: 'odd', toolName: call.call, input },
        {
          type: 'tool_call_error',
          toolCallId: 'odd',
          error: expect.any(String),
          retryable: false,
          wasRetried: false,
        },
      ]);
      expect(ran).toEqual([]);
      expect(frames.at(-1)?.type).toBe('message_end');
    },
  );

  it('sends sequential calls in call order [A15]', async () => {
    const { url } = await serveMusic([
      [{ call: 'semanticSearch', id: 'one', input: { query: 'blue' } }],
      [{ call: 'albumTracks', id: 'two', input: { albumId: 'blue-train' } }],
      [{ text: 'Done.' }],
    ]);
    const frames = await toolEvents(url, 'Go');
    const calls = frames.flatMap((frame) =>
      'toolCallId' in frame ? [`${frame.type} ${frame.toolCallId}`] : [],
    );
    expect(calls).toEqual([
      'tool_call_start one',
      'tool_call_end one',
      'tool_call_start two',
      'tool_call_end two',
    ]);
  });

  it('names the message and its conversation, and continues the conversation on request [A16]', async () => {
    const { url, flow, model } = await serveMusic([[{ text: 'Hello.' }], [{ text: 'Again.' }]]);
    const [start] = ofType(await toolEvents(url, 'Hi'), 'message_start');
    const conversationId = start?.conversationId;
    if (conversationId === undefined) throw new Error('No conversation was named.');
    const next = await toolEvents(url, 'And again', { conversationId });
    expect(next.at(0)).toMatchObject({ type: 'message_start', conversationId });
    expect(model.calls.at(-1)?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const { messages } = await flow.chats.read({
      chatId: conversationId as never,
      principal: { id: 'ada', name: 'Ada' },
    });
    expect(messages.map(({ id }) => id)).toContain(start?.messageId);
  });

  it('reports a failure of the model as one error with a code [A16]', async () => {
    const { url } = await serveDialects([[{ text: 'I was' }, { error: new Error('secret detail') }]], {
      maxRetries: 0,
    });
    const frames = await toolEvents(url, 'Hi');
    expect(frames.at(-1)).toEqual({
      type: 'error',
      code: 'AI_SERVICE_UNAVAILABLE',
      message: 'The model call failed. Try again.',
      retryable: true,
    });
    expect(ofType(frames, 'message_end')).toEqual([]);
  });

  it('sends a run without tools to an old client in only the four older events [A17]', async () => {
    const { url } = await serveMusic([[{ text: ['Hello, ', 'Ada.'] }]]);
    const frames = await toolEvents(url, 'Hi');
    expect(frameTypes(frames)).toEqual(['message_start', 'text_delta', 'message_end']);
    expect(Object.keys(frames[0] ?? {})).toEqual(['type', 'messageId', 'conversationId']);
    expect(Object.keys(frames[1] ?? {})).toEqual(['type', 'content']);
  });

  it('gives an old client, which knows only the older events, the whole text of a run with tools [A17]', async () => {
    const { url } = await serveMusic([[{ text: 'Let me look. ' }, search('blue')], [{ text: 'Two.' }]]);
    let text = '';
    let isOver = false;
    for (const frame of await toolEvents(url, 'Find blue')) {
      if (frame.type === 'text_delta') text += frame.content;
      if (frame.type === 'error') throw new Error(frame.message);
      isOver ||= frame.type === 'message_end';
    }
    expect({ text, isOver }).toEqual({ text: 'Let me look. Two.', isOver: true });
  });
});

describe('tool events: timing', () => {
  it('sends a start while its tool is running, and an end while another tool still is, within 500 ms [A15, A23, A24]', async () => {
    const slow = gate();
    const fast = gate();
    const { tools } = musicTools();
    const waiting = (name: 'semanticSearch' | 'albumTracks', until: Promise<void>) => ({
      ...tools[name],
      execute: async () => {
        await until;
        return [];
      },
    });
    const { url } = await serveDialects(
      [
        [
          { call: 'semanticSearch', id: 'slow', input: { query: 'blue' } },
          { call: 'albumTracks', id: 'fast', input: { albumId: 'none' } },
        ],
        [{ text: 'Done.' }],
      ],
      {
        tools: {
          semanticSearch: waiting('semanticSearch', slow.passed),
          albumTracks: waiting('albumTracks', fast.passed),
        },
      },
    );
    const frames = await openToolEvents(url, 'Go');
    const next = async () => (await frames.next()).value;
    expect(await next()).toMatchObject({ type: 'message_start' });
    // Both run now: what follows came before any of them ended.
    expect([await next(), await next()]).toMatchObject([
      { type: 'tool_call_start', toolCallId: 'slow' },
      { type: 'tool_call_start', toolCallId: 'fast' },
    ]);
    fast.open();
    expect(await next()).toMatchObject({ type: 'tool_call_end', toolCallId: 'fast' });
    slow.open();
    expect(await next()).toMatchObject({ type: 'tool_call_end', toolCallId: 'slow' });
    await frames.return();
  });

  it('delays nothing while a retry is pending, and sends nothing in between [A10, A24]', async () => {
    const clock = fakeClock();
    const { tools, ran } = musicTools([new ServiceError('Busy.', 503)]);
    const { url } = await serveDialects(
      [[{ call: 'tidalSearch', id: 'tidal', input: { query: 'blue' } }], [{ text: 'Two.' }]],
      { tools, toolDetails: { tidalSearch: { idempotent: true } }, clock, retry: {} },
    );
    const frames = await openToolEvents(url, 'Go');
    const seen = [(await frames.next()).value, (await frames.next()).value];
    expect(seen).toMatchObject([{ type: 'message_start' }, { type: 'tool_call_start', toolCallId: 'tidal' }]);
    await clock.timer(1_000);
    clock.advance(999);
    expect(ran).toHaveLength(1);
    clock.advance(1);
    expect((await frames.next()).value).toMatchObject({
      type: 'tool_call_end',
      toolCallId: 'tidal',
      durationMs: 1_000,
    });
    expect(ran).toHaveLength(2);
    await frames.return();
  });
});
