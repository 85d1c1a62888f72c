import { describe, expect, it } from 'vitest';
import type { StoredChat } from '../../app/_chat/chat-api.ts';
import type { ChatMessage } from '../../app/_chat/chat-message.ts';
import { nextStep } from '../../app/_chat/use-chat-recovery.ts';
import { waitingCallOf } from '../../app/_chat/use-location-tool.ts';

const user = (id: string): ChatMessage => ({ id, role: 'user', parts: [{ type: 'text', text: 'hi' }] });
const reply: ChatMessage = { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'ho' }] };

const stored = (status: StoredChat['run']['status'], ...messages: ChatMessage[]): StoredChat => ({
  id: 'c',
  title: 'c',
  messages,
  run: { status },
});

describe('a retry', () => {
  it.each<[string, StoredChat | undefined, string]>([
    ['sends again what the server never received', undefined, 'send-again'],
    ['sends again a message that the stored chat lacks', stored('idle', user('u0'), reply), 'send-again'],
    ['runs a failed run again', stored('failed', user('u1'), reply), 'run-again'],
    ['answers a message that was received and left', stored('idle', user('u1')), 'run-again'],
    ['follows a run that goes on', stored('active', user('u1')), 'follow'],
    ['follows a question that waits', stored('waiting', user('u1'), reply), 'follow'],
    ['shows an answer that was finished meanwhile', stored('idle', user('u1'), reply), 'follow'],
  ])('%s', (_, chat, step) => {
    expect(nextStep(chat, [user('u1')])).toBe(step);
  });
});

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
