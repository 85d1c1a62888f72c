import { expect, it } from 'vitest';
import { foldTurn } from '../../lib/log/turn/fold-turn.ts';
import {
  type ChatEventBody,
  type EventBody,
  type FlowEvent,
  parseMessageId,
  parseToolCallId,
} from '../../lib/protocol/index.ts';
import { planCut } from '../../lib/run/kept-calls.ts';
import { ana, run } from '../contract/store-batches.ts';

const answer = parseMessageId('answer');
const call = { toolCallId: parseToolCallId('call'), toolName: 'pay', input: {} };
const { toolCallId } = call;
const modelOutput = { type: 'error-text' as const, value: 'Unknown.' };
const unknown = { error: 'Unknown.', outcome: 'unknown', retryable: false, wasRetried: false } as const;

/** A turn whose call started, and whose outcome is unknown. */
const turn: readonly EventBody[] = [
  {
    type: 'message-received',
    messageId: parseMessageId('message'),
    parts: [{ type: 'text', text: 'Pay.' }],
    by: ana,
  },
  { type: 'run-started', messageId: answer, release: 'final', by: ana },
  { type: 'step-started', step: 0 },
  {
    type: 'step-finished',
    step: 0,
    messages: [{ role: 'assistant', content: [{ type: 'tool-call', ...call }] }],
    finishReason: 'tool-calls',
    usage: {},
  },
  { type: 'tool-requested', ...call, executor: 'server', kind: 'function', gate: { type: 'ask' } },
  { type: 'tool-started', toolCallId, input: {} },
  { type: 'tool-failed', toolCallId, ...unknown, modelOutput },
  { type: 'run-completed', finishReason: 'stop', why: 'answered' },
];
const resolved = {
  type: 'outcome-resolved',
  toolCallId,
  outcome: 'not-run',
  error: 'It did not run.',
  modelOutput,
} as const;

it.each<[string, readonly ChatEventBody[], boolean]>([
  ['while its outcome is unknown', [], true],
  ['if a person reports that it did not run', [{ ...resolved, source: 'person', by: ana }], true],
  ['unless its own process reports that it did not run', [{ ...resolved, source: 'late' }], false],
])('a cut keeps a call that started, %s', (_when, reports, isKept) => {
  const log = [...turn.map((body) => ({ ...body, runId: run() })), ...reports];
  const events = log.map((body, index): FlowEvent => ({ ...body, seq: index + 1, at: 0 }));
  const { kept } = planCut(answer, events, foldTurn(events), () => false);
  expect(kept?.toolCallIds).toEqual(isKept ? [toolCallId] : undefined);
});
