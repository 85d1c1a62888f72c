import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { nextStep } from '../../lib/client/chat/requests/next-step.ts';
import { newChat, type StoredChat } from '../../lib/client/chat/stored-chat.ts';

const user = (id: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text: 'hi' }] });
const reply: UIMessage = { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'ho' }] };

const stored = (status: StoredChat['run']['status'], ...messages: UIMessage[]): StoredChat => ({
  ...newChat('c'),
  messages,
  run: { status },
});

describe('a retry', () => {
  it.each<[string, StoredChat | undefined, string]>([
    ['sends again what the server never received', undefined, 'send-again'],
    ['sends again a message that the stored chat lacks', stored('idle', user('u0'), reply), 'send-again'],
    ['runs a failed run again', stored('failed', user('u1'), reply), 'run-again'],
    ['answers a message that was received and left', stored('idle', user('u1')), 'run-again'],
    ['follows a run that continues', stored('active', user('u1')), 'follow'],
    ['follows a question that waits', stored('waiting', user('u1'), reply), 'follow'],
    ['shows an answer that was finished meanwhile', stored('idle', user('u1'), reply), 'follow'],
  ])('%s', (_, chat, step) => {
    expect(nextStep(chat, [user('u1')])).toBe(step);
  });
});
