import { describe, expect, it } from 'vitest';
import type { ChatMessage, ToolPart } from '../../app/_chat/chat-message.ts';
import { steadyMessages } from '../../app/_chat/steady-messages.ts';

const step: ChatMessage['parts'][number] = { type: 'step-start' };

const asked = (id: string): ToolPart => ({
  type: 'tool-pay',
  toolCallId: id,
  state: 'approval-requested',
  input: {},
  approval: { id: `q-${id}` },
});

const answered = (id: string): ToolPart => ({
  type: 'tool-pay',
  toolCallId: id,
  state: 'approval-responded',
  input: {},
  approval: { id: `q-${id}`, approved: true },
});

const message = (...parts: ChatMessage['parts']): ChatMessage[] => [{ id: 'm1', role: 'assistant', parts }];

const shown = message(step, answered('a'), step, asked('b'));

describe('messages during a replay', () => {
  it.each<[string, ChatMessage[]]>([
    ['the message was emptied', message()],
    ['the replay has not come to the second question', message(step, answered('a'))],
    ['the first question is asked again for an instant', message(step, asked('a'), step, asked('b'))],
  ])('stay as shown while %s', (_, next) => {
    expect(steadyMessages(shown, next)).toBe(shown);
  });

  it.each<[string, ChatMessage[]]>([
    ['has caught up', message(step, answered('a'), step, asked('b'))],
    ['has gone on', message(step, answered('a'), step, answered('b'), step)],
    ['is another message', [{ id: 'm2', role: 'assistant', parts: [] }]],
  ])('change once the replay %s', (_, next) => {
    expect(steadyMessages(shown, next)).toBe(next);
  });
});
