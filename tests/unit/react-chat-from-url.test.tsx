// @vitest-environment jsdom
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react';
import { useChatFromUrl } from 'countersign/react';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';

configure({ asyncUtilTimeout: 10_000 });

const stored = (id: string) => ({
  id,
  title: id,
  messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: `Hello from ${id}` }] }],
  run: { status: 'idle' },
  questions: [],
});

/** A page at an address, with a server that has these chats. */
function at(address: string, respond: (id: string) => Response) {
  history.replaceState(null, '', address);
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    const id = String(url).replace('/api/chat/', '');
    asked.push(id);
    return respond(id);
  };
  return { asked, ...renderHook(() => useChatFromUrl({ fetch, newTitle: 'New' }), { wrapper: StrictMode }) };
}

const chatIn = () => new URL(location.href).searchParams.get('chat');

describe('a chat from the URL', () => {
  afterEach(cleanup);

  it('is created if the URL names none, and then added to the URL’s other parameters', async () => {
    const { result, asked } = at('/page?theme=dark#end', () => new Response(null, { status: 404 }));
    const entries = history.length;
    await waitFor(() => expect(result.current.type).toBe('ready'));
    const id = chatIn();
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(result.current).toMatchObject({ chat: { id, title: 'New', messages: [] } });
    expect(location.href).toContain(`/page?theme=dark&chat=${id}#end`);
    expect(history.length).toBe(entries);
    expect(asked).toEqual([]);
  });

  it('is loaded if the URL names it', async () => {
    const { result } = at('/?chat=a', (id) => Response.json(stored(id)));
    expect(result.current).toEqual({ type: 'loading' });
    await waitFor(() => expect(result.current).toEqual({ type: 'ready', chat: stored('a') }));
    expect(chatIn()).toBe('a');
  });

  it('is replaced by a new one if it does not exist', async () => {
    const { result } = at('/?chat=gone', () => new Response(null, { status: 404 }));
    await waitFor(() => expect(result.current.type).toBe('ready'));
    expect(chatIn()).not.toBe('gone');
    expect(result.current).toMatchObject({ chat: { id: chatIn(), messages: [] } });
  });

  it('is kept in the URL if it cannot be loaded, and loaded again on request', async () => {
    let isUp = false;
    const { result } = at('/?chat=a', (id) =>
      isUp ? Response.json(stored(id)) : new Response(null, { status: 503 }),
    );
    await waitFor(() => expect(result.current.type).toBe('failed'));
    expect(chatIn()).toBe('a');
    isUp = true;
    act(() => {
      if (result.current.type === 'failed') result.current.again();
    });
    await waitFor(() => expect(result.current).toEqual({ type: 'ready', chat: stored('a') }));
  });

  it('changes when Back leads to another one', async () => {
    const { result } = at('/?chat=a', (id) => Response.json(stored(id)));
    await waitFor(() => expect(result.current.type).toBe('ready'));
    history.pushState(null, '', '/?chat=b');
    act(() => {
      window.dispatchEvent(new PopStateEvent('popstate'));
    });
    await waitFor(() => expect(result.current).toEqual({ type: 'ready', chat: stored('b') }));
  });

  it('is loading while a server renders the page', () => {
    function Page() {
      return useChatFromUrl().type;
    }
    expect(renderToString(<Page />)).toBe('loading');
  });
});
