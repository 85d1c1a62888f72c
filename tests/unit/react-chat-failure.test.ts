import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../lib/client/chat/requests/explain-failure.ts';
import { defaultChatWords } from '../../lib/client/words/chat-words.ts';

const explain = (message: string) => explainFailure(new Error(message), defaultChatWords);

describe('what did not work', () => {
  it.each<[string, string, string]>([
    ['a lost connection', 'Failed to fetch', 'network'],
    ['a second answer', '{"error":{"code":"already-answered","message":"…"}}', 'settled'],
    ['a late answer', '{"error":{"code":"expired","message":"…"}}', 'settled'],
    ['a message during a run', '{"error":{"code":"run-active","message":"…"}}', 'busy'],
    ['a refusal', '{"error":{"code":"forbidden","message":"…"}}', 'refused'],
    ['an error inside a stream', 'The model is overloaded.', 'broken'],
  ])('%s is distinguished from the others', (_, message, kind) => {
    expect(explain(message).kind).toBe(kind);
  });

  it.each([
    ['the server’s words', '{"error":{"code":"forbidden","message":"Not yours."}}', 'Not yours.'],
    [
      'our own sentence if the server sent none',
      '{"error":{"code":"forbidden","message":" "}}',
      'No reason was given.',
    ],
    ['no more than 300 characters of it', 'x'.repeat(400), `${'x'.repeat(299)}…`],
  ])('is described in %s', (_, message, detail) => {
    expect(explain(message).detail).toBe(detail);
  });
});
