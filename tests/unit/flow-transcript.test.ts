import { expect, it } from 'vitest';
import { createTranscript } from '../../lib/flow/projections/transcript.ts';
import {
  type EventBody,
  type FlowEvent,
  type MessageId,
  parseMessageId,
  parseToolCallId,
} from '../../lib/vocabulary/index.ts';
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
    { type: 'run-completed', finishReason: 'stop' },
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

it('tells the same, however often it was asked on the way', () => {
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
