import { expect, it } from 'vitest';
import {
  type ChatEventBody,
  type EventBody,
  type FlowEvent,
  type MessageId,
  parseApprovalId,
  parseMessageId,
  parseToolCallId,
} from '../../lib/protocol/index.ts';
import { createTranscript } from '../../lib/views/transcript.ts';
import { ana, run } from '../contract/store-batches.ts';

const idOf = (turn: number): MessageId => parseMessageId(`message-${turn}`);

/** A turn of two messages, whose model calls one tool. */
function turnOf(turn: number): EventBody[] {
  const call = { toolCallId: parseToolCallId(`call-${turn}`), toolName: 'look', input: {} };
  const usage = {};
  return [
    { type: 'message-received', messageId: idOf(turn), parts: [{ type: 'text', text: `${turn}?` }], by: ana },
    { type: 'run-started', messageId: parseMessageId(`answer-${turn}`), release: 'final', by: ana },
    { type: 'step-started', step: 0 },
    {
      type: 'step-finished',
      step: 0,
      messages: [{ role: 'assistant', content: [{ type: 'tool-call', ...call }] }],
      finishReason: 'tool-calls',
      usage,
    },
    { type: 'tool-requested', ...call, executor: 'server', kind: 'function', gate: { type: 'none' } },
    { type: 'tool-started', toolCallId: call.toolCallId, input: {} },
    {
      type: 'tool-completed',
      toolCallId: call.toolCallId,
      output: turn,
      summary: '',
      resultCount: 1,
      modelOutput: { type: 'json', value: turn },
    },
    {
      type: 'step-finished',
      step: 1,
      messages: [{ role: 'assistant', content: `${turn}!` }],
      finishReason: 'stop',
      usage,
    },
    { type: 'run-completed', finishReason: 'stop', why: 'answered' },
  ];
}

const bodies: readonly EventBody[] = [
  ...[1, 2, 3].flatMap(turnOf),
  { type: 'history-cut', messageId: idOf(2) },
  ...[4, 5].flatMap(turnOf),
  { type: 'history-cut', messageId: parseMessageId('answer-5') },
  ...turnOf(6).slice(1),
];
const events = bodies.map((body, index): FlowEvent => ({ ...body, seq: index + 1, at: 0, runId: run() }));

it('returns the same prompt, however often it was requested before', () => {
  const kept = createTranscript();
  for (const [index, event] of events.entries()) {
    kept.apply(event);
    const anew = createTranscript();
    for (const earlier of events.slice(0, index + 1)) anew.apply(earlier);
    expect(kept.messages()).toEqual(anew.messages());
  }
  const words = kept.messages().flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
  expect(words.filter((content) => typeof content === 'string')).toEqual(['1!', '4!', '6!']);
});

it('applies pending events to the open turn, without keeping them', () => {
  const pending = events.slice(-3);
  const durable = events.slice(0, -3);
  const transcript = createTranscript();
  for (const event of durable) transcript.apply(event);
  const before = transcript.messages();
  const whole = createTranscript();
  for (const event of events) whole.apply(event);

  expect(transcript.messages(pending)).toEqual(whole.messages());
  expect(transcript.messages(pending)).not.toEqual(before);
  expect(transcript.messages()).toEqual(before);
  for (const event of pending) transcript.apply(event);
  expect(transcript.messages(pending)).toEqual(whole.messages());
});

it('ignores pending events that do not follow what it knows', () => {
  const transcript = createTranscript();
  for (const event of events.slice(0, -4)) transcript.apply(event);
  expect(transcript.messages(events.slice(-3))).toEqual(transcript.messages());
});

it.each(['completed', 'not-run'] as const)(
  'lets no provider repeat a call whose outcome was found to be %s',
  (outcome) => {
    const call = { toolCallId: parseToolCallId('mail'), toolName: 'send_mail', input: {} };
    const approvalId = parseApprovalId('question');
    const outcomeOf: Omit<Extract<ChatEventBody, { type: 'outcome-resolved' }>, 'outcome'> = {
      type: 'outcome-resolved',
      toolCallId: call.toolCallId,
      source: 'person',
      modelOutput: { type: 'text', value: outcome },
    };
    const log: (EventBody | ChatEventBody)[] = [
      { type: 'message-received', messageId: idOf(1), parts: [{ type: 'text', text: 'Mail.' }], by: ana },
      { type: 'run-started', messageId: parseMessageId('answer'), release: 'final', by: ana },
      { type: 'step-started', step: 0 },
      {
        type: 'step-finished',
        step: 0,
        messages: [{ role: 'assistant', content: [{ type: 'tool-call', ...call, providerExecuted: true }] }],
        finishReason: 'stop',
        usage: {},
      },
      {
        type: 'tool-requested',
        ...call,
        executor: 'provider',
        kind: 'mcp',
        gate: { type: 'ask', providerApprovalId: 'vendor-1' },
      },
      {
        type: 'approval-requested',
        approvalId,
        toolCallId: call.toolCallId,
        description: 'Mail.',
        askedBy: ana,
      },
      {
        type: 'approval-answered',
        approvalId,
        toolCallId: call.toolCallId,
        approved: true,
        by: ana,
        via: 'test',
      },
      { type: 'tool-started', toolCallId: call.toolCallId, input: {} },
      {
        type: 'tool-failed',
        toolCallId: call.toolCallId,
        error: 'outcome-unknown: the provider reported no result.',
        outcome: 'unknown',
        retryable: false,
        wasRetried: false,
        modelOutput: { type: 'error-text', value: 'unknown' },
      },
      { ...outcomeOf, outcome },
    ];
    const transcript = createTranscript();
    for (const [index, body] of log.entries()) {
      transcript.apply({ ...body, seq: index + 1, at: 0, runId: run() } as FlowEvent);
    }
    const answers = transcript.messages().flatMap(({ role, content }) => (role === 'tool' ? content : []));
    expect(answers).toMatchObject([{ type: 'tool-approval-response', approved: false }]);
  },
);
