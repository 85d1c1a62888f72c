import { describe, expect, it } from 'vitest';
import { waitingCallOf } from '../../app/chats/_location/use-location-tool.ts';
import type { ChatMessage } from '../../app/chats/_messages/chat-message.ts';

describe('the location call', () => {
  const call = { type: 'tool-get_location', toolCallId: 'c1', input: {} } as const;
  const answer = (...parts: ChatMessage['parts']): ChatMessage[] => [{ id: 'm', role: 'assistant', parts }];

  it.each<[string, ChatMessage['parts'][number], boolean]>([
    ['approved', { ...call, state: 'approval-responded', approval: { id: 'q', approved: true } }, true],
    ['handed over without a question', { ...call, state: 'input-available' }, true],
    ['still asked', { ...call, state: 'approval-requested', approval: { id: 'q' } }, false],
    ['denied', { ...call, state: 'approval-responded', approval: { id: 'q', approved: false } }, false],
    ['answered', { ...call, state: 'output-available', output: {} }, false],
    ['settled by the server', { ...call, state: 'input-available', providerExecuted: true }, false],
  ])('that is %s runs here: see the table', (_, part, runs) => {
    expect(waitingCallOf(answer(part)) !== undefined).toBe(runs);
  });
});
