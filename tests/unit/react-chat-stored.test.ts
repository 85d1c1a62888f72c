import { loadChat } from 'countersign/react';
import { describe, expect, it } from 'vitest';

const question = {
  id: 'q1',
  chatId: 'c/1',
  toolCallId: 't1',
  toolName: 'pay',
  state: 'approved',
  description: 'Pay Bob.',
  mayAnswer: true,
  answer: {
    approved: true,
    by: { id: 'ada', name: 'Ada' },
    at: '2026-01-01T00:00:00.000Z',
    via: 'approvals',
  },
};
const chat = {
  id: 'c/1',
  title: 'Pay',
  messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Pay' }] }],
  run: { status: 'waiting' },
  draft: 'Let me',
  open: 'q2',
  questions: [question, { id: 'odd' }],
};

async function load(respond: () => Response) {
  const urls: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    urls.push(String(url));
    return respond();
  };
  return { urls, loaded: await loadChat('c/1', { api: 'https://api.example/chats', fetch }) };
}

describe('a stored chat', () => {
  it('is loaded with its draft, its run and its questions, from the chats’ endpoint', async () => {
    const { urls, loaded } = await load(() => Response.json(chat));
    expect(urls).toEqual(['https://api.example/chats/c%2F1']);
    expect(loaded).toMatchObject({
      type: 'loaded',
      chat: { ...chat, questions: [{ id: 'q1', answer: question.answer }] },
    });
  });

  it('may come from a server with fewer fields', async () => {
    const { id, messages, run } = chat;
    const { loaded } = await load(() => Response.json({ id, messages, run }));
    expect(loaded).toEqual({ type: 'loaded', chat: { id, title: '', messages, run, questions: [] } });
  });

  it.each<[string, string, () => Response]>([
    ['it does not exist', 'missing', () => new Response(null, { status: 404 })],
    ['the server has no chats', 'missing', () => new Response(null, { status: 405 })],
    ['something else answers there', 'missing', () => new Response('<!doctype html>')],
    ['its messages are invalid', 'missing', () => Response.json({ ...chat, messages: [{ id: 'u1' }] })],
    ['the server fails', 'failed', () => new Response(null, { status: 503 })],
    [
      'the server is not reached',
      'failed',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ])('if %s, is %s', async (_, type, respond) => {
    expect((await load(respond)).loaded).toEqual({ type });
  });
});
