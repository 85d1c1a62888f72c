import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ToolPart } from '../../lib/client/chat/message-parts.ts';
import { messagesDuringReplay } from '../../lib/client/chat/requests/messages-during-replay.ts';

const step: UIMessage['parts'][number] = { type: 'step-start' };

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

const message = (...parts: UIMessage['parts']): UIMessage[] => [{ id: 'm1', role: 'assistant', parts }];

const shown = message(step, answered('a'), step, asked('b'));

describe('messages during a replay', () => {
  it.each<[string, UIMessage[]]>([
    ['the message was emptied', message()],
    ['the replay has not come to the second question', message(step, answered('a'))],
    ['the first question is asked again for an instant', message(step, asked('a'), step, asked('b'))],
  ])('stay as shown while %s', (_, next) => {
    expect(messagesDuringReplay(shown, next)).toBe(shown);
  });

  it.each<[string, UIMessage[]]>([
    ['has caught up', message(step, answered('a'), step, asked('b'))],
    ['has continued', message(step, answered('a'), step, answered('b'), step)],
    ['is another message', [{ id: 'm2', role: 'assistant', parts: [] }]],
  ])('change once the replay %s', (_, next) => {
    expect(messagesDuringReplay(shown, next)).toBe(next);
  });
});
