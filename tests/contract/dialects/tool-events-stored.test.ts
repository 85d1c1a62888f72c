import { collect } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { contentBlocks } from '../../../lib/plugins/tool-events/client/content-blocks.ts';
import { inlineItems } from '../../../lib/plugins/tool-events/client/inline-items.ts';
import { readToolEvent } from '../../../lib/plugins/tool-events/client/read-message.ts';
import {
  noToolInvocations,
  reduceToolEvent,
  type ToolInvocation,
  toggleToolInvocation,
  toolInvocationsOf,
} from '../../../lib/plugins/tool-events/client/reducer.ts';
import {
  type ContentBlock,
  storedConversationSchema,
  type ToolEvent,
} from '../../../lib/plugins/tool-events/client/schema.ts';
import { parseChatId } from '../../../lib/protocol/index.ts';
import { gate } from './support/gate.ts';
import { musicDetails, musicTools, ServiceError } from './support/music-catalogue.ts';
import { jsonHeaders, serveDialects } from './support/serve-dialects.ts';
import { openToolEvents, toolEvents, untilFrame } from './support/tool-events-client.ts';

const script = [
  [{ text: 'Let me look. ' }, { call: 'semanticSearch', id: 'found', input: { query: 'blue' } }],
  [{ call: 'semanticSearch', id: 'none', input: { query: 'polka' } }],
  [{ call: 'tidalSearch', id: 'failing', input: { query: 'blue' } }],
  [{ text: 'Done.' }],
];

async function serveStored() {
  const { tools } = musicTools([new ServiceError('The catalogue is closed.', 500)]);
  return serveDialects(script, { tools, toolDetails: musicDetails });
}

async function stored(url: string, conversationId: string, user?: string) {
  const response = await fetch(`${url}/api/dialects/tool-events?conversationId=${conversationId}`, {
    headers: jsonHeaders(user),
  });
  return { status: response.status, body: await response.json() };
}

function conversationIn(frames: readonly ToolEvent[]): string {
  const [start] = frames;
  if (start?.type !== 'message_start') throw new Error('A stream begins with message_start.');
  return start.conversationId;
}

describe('tool events: stored conversations', () => {
  it('shows the calls that a regenerate kept in the message that replaces the answer [A20, H7]', async () => {
    const { url, flow } = await serveDialects([...script, [{ text: 'Anew.' }]], {
      tools: musicTools([]).tools,
      toolDetails: musicDetails,
    });
    const frames = await toolEvents(url, 'Find blue');
    const chatId = parseChatId(conversationIn(frames));
    const principal = { id: 'ada', name: 'Ada' };
    const stream = await flow.chats.respond({
      chatId,
      principal,
      trigger: 'regenerate-message',
      via: 'test',
    });
    await collect(stream.events);
    const { body } = await stored(url, chatId);
    const [, answer] = storedConversationSchema.parse(body).messages;
    expect(answer?.content.map((block) => ('id' in block ? block.id : block.type))).toEqual([
      'found',
      'tool_result',
      'none',
      'tool_result',
      'failing',
      'tool_result',
      'text',
    ]);
  });

  it('stores a message as content blocks, in the order and with the ids of the stream [A20, A21]', async () => {
    const { url } = await serveStored();
    const frames = await toolEvents(url, 'Find blue');
    const { body } = await stored(url, conversationIn(frames));
    const { messages } = storedConversationSchema.parse(body);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages[0]?.content).toEqual([{ type: 'text', text: 'Find blue' }]);
    const content = messages[1]?.content ?? [];
    expect(content).toEqual(contentBlocks(frames));
    expect(content).toMatchObject([
      { type: 'text', text: 'Let me look. ' },
      { type: 'tool_use', id: 'found', name: 'semanticSearch', input: { query: 'blue' } },
      { type: 'tool_result', tool_use_id: 'found', content: { summary: 'Found 2 tracks', resultCount: 2 } },
      { type: 'tool_use', id: 'none' },
      { type: 'tool_result', tool_use_id: 'none', content: { resultCount: 0 } },
      { type: 'tool_use', id: 'failing' },
      {
        type: 'tool_result',
        tool_use_id: 'failing',
        content: { error: 'The catalogue is closed.', retryable: false },
        is_error: true,
      },
      { type: 'text', text: 'Done.' },
    ]);
  });

  it('rebuilds the state of a live client from the blocks alone [A18, A22]', async () => {
    const { url } = await serveStored();
    const frames = await toolEvents(url, 'Find blue');
    const live = frames.reduce(reduceToolEvent, noToolInvocations);
    const { body } = await stored(url, conversationIn(frames));
    const blocks = storedConversationSchema.parse(body).messages[1]?.content ?? [];
    expect(toolInvocationsOf(blocks)).toStrictEqual(live);
    expect([...live.values()].map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
  });

  it('says that the run of a call without a result is active: the call is running, and has not failed [A22]', async () => {
    const held = gate();
    const { tools } = musicTools();
    const { url } = await serveDialects(script, {
      tools: {
        ...tools,
        semanticSearch: {
          ...tools.semanticSearch,
          execute: async () => {
            await held.passed;
            return [];
          },
        },
      },
    });
    const frames = await openToolEvents(url, 'Find blue');
    const { conversationId } = await untilFrame(frames, 'message_start');
    await untilFrame(frames, 'tool_call_start');
    const { body } = await stored(url, conversationId);
    const { messages, run } = storedConversationSchema.parse(body);
    expect(run?.status).toBe('active');
    expect([
      ...toolInvocationsOf(messages[1]?.content ?? [], run?.status === 'active').values(),
    ]).toMatchObject([{ toolCallId: 'found', status: 'executing' }]);
    held.open();
    await untilFrame(frames, 'message_end');
    expect((await stored(url, conversationId)).body.run).toEqual({ status: 'idle' });
  });

  it('shows invocations where they were made, and no separate results [A19]', async () => {
    const { url } = await serveStored();
    const frames = await toolEvents(url, 'Find blue');
    const { body } = await stored(url, conversationIn(frames));
    const blocks = storedConversationSchema.parse(body).messages[1]?.content ?? [];
    const items = inlineItems(blocks, toolInvocationsOf(blocks));
    expect(items.map((item) => (item.type === 'text' ? item.text : item.invocation.toolCallId))).toEqual([
      'Let me look. ',
      'found',
      'none',
      'failing',
      'Done.',
    ]);
  });

  it('refuses another user’s or an unknown conversation, and a request without one [A20]', async () => {
    const { url } = await serveStored();
    const conversationId = conversationIn(await toolEvents(url, 'Find blue'));
    expect((await stored(url, conversationId, 'mallory')).status).toBe(404);
    expect((await stored(url, 'nowhere')).status).toBe(404);
    expect((await fetch(`${url}/api/dialects/tool-events`)).status).toBe(400);
  });

  it('removes what an edit or a regenerated answer removed from the conversation [A20]', async () => {
    const { url, flow } = await serveDialects([[{ text: 'First.' }], [{ text: 'Second.' }]]);
    const conversationId = conversationIn(await toolEvents(url, 'Hi'));
    const chat = { chatId: conversationId as never, principal: { id: 'ada', name: 'Ada' } };
    const again = await flow.chats.respond({ ...chat, trigger: 'regenerate-message', via: 'test' });
    for await (const _event of again.events);
    const { body } = await stored(url, conversationId);
    expect(storedConversationSchema.parse(body).messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Hi' }],
      [{ type: 'text', text: 'Second.' }],
    ]);
  });
});

describe('the client reducer of tool events', () => {
  const start: ToolEvent = { type: 'tool_call_start', toolCallId: 'a', toolName: 'search', input: { q: 1 } };
  const end: ToolEvent = {
    type: 'tool_call_end',
    toolCallId: 'a',
    summary: '1 result',
    resultCount: 1,
    durationMs: 2,
    output: [7],
  };
  const executing: ToolInvocation = {
    toolCallId: 'a',
    toolName: 'search',
    input: { q: 1 },
    status: 'executing',
    expanded: false,
  };

  it('adds, completes and fails invocations in new maps, and changes no old one [A18]', () => {
    const begun = reduceToolEvent(noToolInvocations, start);
    const ended = reduceToolEvent(begun, end);
    const failed = reduceToolEvent(begun, {
      type: 'tool_call_error',
      toolCallId: 'a',
      error: 'No.',
      retryable: true,
      wasRetried: false,
    });
    expect(noToolInvocations.size).toBe(0);
    expect(begun.get('a')).toStrictEqual(executing);
    expect(ended.get('a')).toStrictEqual({
      ...executing,
      status: 'completed',
      summary: '1 result',
      resultCount: 1,
      durationMs: 2,
      output: [7],
    });
    expect(failed.get('a')).toEqual({ ...executing, status: 'failed', error: 'No.', retryable: true });
  });

  it.each<[string, ToolEvent]>([
    ['an end of an unknown call', { ...end, toolCallId: 'x' } as ToolEvent],
    [
      'an error of an unknown call',
      { type: 'tool_call_error', toolCallId: 'x', error: '', retryable: false, wasRetried: false },
    ],
    ['a second start', start],
    ['text', { type: 'text_delta', content: 'Hi' }],
    [
      'a question',
      { type: 'approval_request', approvalId: 'q', toolCallId: 'a', toolName: 'search', input: {} },
    ],
  ])('returns the same map for %s [A18]', (_what, frame) => {
    const begun = reduceToolEvent(noToolInvocations, start);
    expect(reduceToolEvent(begun, frame)).toBe(begun);
  });

  it.each<ToolEvent>([
    { type: 'message_end', usage: { inputTokens: 0, outputTokens: 0 } },
    { type: 'error', code: 'INTERNAL_ERROR', message: 'No.', retryable: true },
  ])('settles what is still executing at $type, and keeps what has ended [A18, A22]', (frame) => {
    const ended = reduceToolEvent(reduceToolEvent(noToolInvocations, start), end);
    expect(reduceToolEvent(ended, frame)).toBe(ended);
    const open = reduceToolEvent(ended, { ...start, toolCallId: 'b' } as ToolEvent);
    expect([...reduceToolEvent(open, frame).values()]).toMatchObject([
      { toolCallId: 'a', status: 'completed' },
      { toolCallId: 'b', status: 'failed', error: 'Interrupted.' },
    ]);
  });

  it.each([
    ['an end without a summary', { type: 'tool_call_end', toolCallId: 'a', resultCount: 'many' }],
    ['an error without a text', { type: 'tool_call_error', toolCallId: 'a' }],
  ])('takes %s as the failure of its call, which is not shown as running any more [A18]', (_what, frame) => {
    const event = readToolEvent(JSON.stringify(frame));
    const begun = reduceToolEvent(noToolInvocations, start);
    expect(event && reduceToolEvent(begun, event).get('a')).toMatchObject({
      status: 'failed',
      error: 'The result could not be read.',
    });
  });

  it('reads a question without the part that it does not know, and no frame of another kind [A17, A25]', () => {
    const asked = {
      type: 'approval_request',
      approvalId: 'q',
      toolCallId: 'a',
      toolName: 'search',
      input: {},
    };
    expect(readToolEvent(JSON.stringify({ ...asked, question: { risk: 'cosmic' } }))).toEqual(asked);
    for (const data of ['', '7', '{"type":"news"}', '{"type":"tool_call_end"}', '[DONE]'])
      expect(readToolEvent(data)).toBeUndefined();
  });

  it('opens and closes the details of one invocation, and keeps this through its outcome [A18]', () => {
    const open = toggleToolInvocation(reduceToolEvent(noToolInvocations, start), 'a');
    expect(open.get('a')?.expanded).toBe(true);
    expect(reduceToolEvent(open, end).get('a')).toMatchObject({ status: 'completed', expanded: true });
    expect(toggleToolInvocation(open, 'a').get('a')?.expanded).toBe(false);
    expect(toggleToolInvocation(open, 'x')).toBe(open);
  });

  it('accepts blocks whose result is missing, belongs to another call or is malformed [A22]', () => {
    const use: ContentBlock = { type: 'tool_use', id: 'a', name: 'search', input: {} };
    const odd: ContentBlock = { type: 'tool_result', tool_use_id: 'x', content: 'text', is_error: true };
    expect([...toolInvocationsOf([odd, use]).values()]).toMatchObject([
      { toolCallId: 'a', status: 'failed', error: 'Interrupted.' },
    ]);
    expect(toolInvocationsOf([use, { ...odd, tool_use_id: 'a' }]).get('a')).toMatchObject({
      status: 'failed',
      error: 'The tool failed.',
    });
  });
});
