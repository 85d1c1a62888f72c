// @vitest-environment jsdom
import { act, cleanup, configure, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ChatListProvider, useChatList } from '../../app/chats/_list/chat-list.tsx';
import { untilIdle } from '../support/until-idle.ts';

configure({ asyncUtilTimeout: 10_000 });

const page = { chats: [{ id: 'c1', title: 'Payments', updatedAt: '2026-01-01T00:00:00.000Z' }] };

/** A page that loads the list again when it is shown, as the chat page does. */
function Titles() {
  const { chats, state, refresh } = useChatList();
  useEffect(() => refresh(), [refresh]);
  if (state === 'failed') return <p>Failed</p>;
  return chats.map(({ id, title }) => <p key={id}>{title}</p>);
}

describe('the list of chats', () => {
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('is loaded once for itself and once for the page, and then not again', async () => {
    const requested: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(url);
      if (requested.length > 10) return new Promise<Response>(() => {});
      return url.endsWith('/events') ? new Response(new ReadableStream()) : Response.json(page);
    });
    render(
      <ChatListProvider>
        <Titles />
      </ChatListProvider>,
    );
    await screen.findByText('Payments');
    await act(untilIdle);
    await untilIdle();
    expect(requested.filter((url) => url === '/api/chat')).toHaveLength(2);
  });

  it.each([{}, null, { chats: 'Payments' }])('has failed when the server sends %j', async (body) => {
    vi.stubGlobal('fetch', async (url: string) =>
      url.endsWith('/events') ? new Response(new ReadableStream()) : Response.json(body),
    );
    render(
      <ChatListProvider>
        <Titles />
      </ChatListProvider>,
    );
    await screen.findByText('Failed');
  });
});
