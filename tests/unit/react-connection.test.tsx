// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import {
  ApprovalCard,
  ApprovalFeedProvider,
  ConnectionNotice,
  parseQuestion,
  useReconnected,
  useServerConnection,
} from 'countersign/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** A server whose feed the test controls. */
function feedServer() {
  let reply: () => Response = () => open();
  let attempts = 0;
  let aheadMs = 0;
  let delay: Promise<void> | undefined;
  const connections = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const open = () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        connections.add(controller);
        controller.enqueue(new TextEncoder().encode('id: 0\n\n'));
      },
    });
    const date = new Date(Date.now() + aheadMs).toUTCString();
    return new Response(body, { headers: { 'content-type': 'text/event-stream', date } });
  };
  const cut = () => {
    for (const connection of connections) connection.error(new TypeError('network error'));
    connections.clear();
  };
  const end = () => {
    for (const connection of connections) connection.close();
    connections.clear();
  };
  return {
    attempts: () => attempts,
    fetch: async (_url: unknown, init?: RequestInit) => {
      attempts += 1;
      init?.signal?.addEventListener('abort', cut);
      await delay;
      return reply();
    },
    delays(until: Promise<void>) {
      delay = until;
    },
    setsItsClock(ahead: number) {
      aheadMs = ahead;
    },
    dies() {
      reply = () => {
        throw new TypeError('fetch failed');
      };
      cut();
    },
    /** As when a delegation to the reader begins or ends. */
    endsTheFeed: end,
    stops() {
      reply = () => {
        throw new TypeError('fetch failed');
      };
      end();
    },
    endsEachFeed() {
      reply = () => new Response('id: 0\n\n', { headers: { 'content-type': 'text/event-stream' } });
      end();
    },
    repliesWith(status: number) {
      reply = () => new Response(null, { status });
      cut();
    },
    returns() {
      reply = open;
    },
  };
}

function Facts({ onReconnected }: { onReconnected: () => void }) {
  useReconnected(onReconnected);
  return <output>{String(useServerConnection().isConnected)}</output>;
}

async function openPage({ aheadMs = 0, children }: { aheadMs?: number; children?: ReactNode } = {}) {
  const server = feedServer();
  server.setsItsClock(aheadMs);
  const onReconnected = vi.fn();
  render(
    <ApprovalFeedProvider api="/api/approvals" fetch={server.fetch}>
      <ConnectionNotice />
      <Facts onReconnected={onReconnected} />
      {children}
    </ApprovalFeedProvider>,
  );
  await pass(0);
  return { ...server, onReconnected };
}

/** A card in the page, which accepts answers after a moment. */
async function openCard() {
  const question = parseQuestion({
    ...{ id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'pay', input: {}, state: 'open' },
    mayAnswer: true,
  });
  if (!question) throw new Error('Not a question.');
  const onAnswer = vi.fn();
  const page = await openPage({
    children: <ApprovalCard question={question} onAnswer={onAnswer} attention="none" />,
  });
  await pass(1_000);
  const approve = () =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name: /^Approve/ })));
  return { ...page, onAnswer, approve };
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const notice = () => document.querySelector('[data-countersign="connection"]')?.textContent ?? '';
const isConnected = () => document.querySelector('output')?.textContent;
const retry = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Try now' })));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe('the connection of a page', () => {
  it('is shown as lost immediately, with the time until the next attempt, which grows', async () => {
    const page = await openPage();
    expect(notice()).toBe('');
    page.dies();
    await pass(0);
    expect(notice()).toContain('Not connected to the server. Reconnecting in 1 s.');
    const seconds = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      seconds.push(Number(/in (\d+) s/.exec(notice())?.[1]));
      await pass((seconds.at(-1) ?? 0) * 1_000);
    }
    expect(seconds).toEqual([...seconds].sort((a, b) => a - b));
    expect(seconds.at(-1)).toBeGreaterThan(20);
    expect(seconds.at(-1)).toBeLessThanOrEqual(30);
  });

  it('counts the seconds down', async () => {
    const page = await openPage();
    page.dies();
    await pass(60_000);
    const seconds = () => Number(/in (\d+) s/.exec(notice())?.[1]);
    // The pauses between attempts are random. The next one may be less than three seconds away.
    while (!(seconds() > 3)) await pass(1_000);
    const before = seconds();
    await pass(3_000);
    expect(seconds()).toBe(before - 3);
  });

  it.each([
    ['ahead', 600_000],
    ['behind', -600_000],
  ])('knows the clock of a server that is %s, also after an outage', async (_how, aheadMs) => {
    const now = Date.now() + aheadMs;
    const question = parseQuestion({
      ...{ id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'pay', input: {}, state: 'open' },
      requestedAt: new Date(now - 23 * 60_000 - 10_000).toISOString(),
      deadline: new Date(now + 290_000).toISOString(),
    });
    if (!question) throw new Error('Not a question.');
    const page = await openPage({
      aheadMs,
      children: <ApprovalCard question={question} onAnswer={() => undefined} attention="none" />,
    });
    expect(screen.getByText('Waiting for 23 minutes')).toBeTruthy();
    expect(screen.getByText(/^Expires in 4 min/)).toBeTruthy();
    page.dies();
    await pass(60_000);
    expect(screen.getByText('Waiting for 24 minutes')).toBeTruthy();
    expect(screen.getByText(/^Expires in 3 min/)).toBeTruthy();
  });

  it('is tried now on request, and its return is reported once', async () => {
    const page = await openPage();
    page.dies();
    await pass(40_000);
    page.returns();
    const before = page.attempts();
    await retry();
    await pass(0);
    expect(page.attempts()).toBe(before + 1);
    expect(notice()).toBe('');
    expect(page.onReconnected).toHaveBeenCalledTimes(1);
  });

  it.each([
    [401, 'true'],
    [404, 'true'],
    [429, 'true'],
    [500, 'true'],
    [502, 'false'],
    [503, 'false'],
    [504, 'false'],
  ])('is there if the feed is refused with %s: %s', async (status, there) => {
    const page = await openPage();
    page.repliesWith(status);
    await pass(1_000);
    expect(isConnected()).toBe(there);
  });

  it('is lost immediately when the browser loses its network, although the feed was not cut', async () => {
    const page = await openPage();
    expect(page.attempts()).toBe(1);
    await act(async () => void fireEvent(window, new Event('offline')));
    await pass(0);
    expect(isConnected()).toBe('false');
    await act(async () => void fireEvent(window, new Event('online')));
    await pass(0);
    expect(isConnected()).toBe('true');
    expect(page.attempts()).toBe(2);
  });
});

describe('a feed that the server ends in order', () => {
  it('is read again immediately, and an answer that is given meanwhile is sent', async () => {
    const page = await openCard();
    // The next attempt has no reply yet.
    const later = Promise.withResolvers<void>();
    page.delays(later.promise);
    page.endsTheFeed();
    await pass(0);
    await page.approve();
    expect(page.onAnswer).toHaveBeenCalledTimes(1);
    expect(page.attempts()).toBe(2);
    expect(isConnected()).toBe('true');
    later.resolve();
    await pass(0);
    expect(isConnected()).toBe('true');
  });

  it('is lost immediately if the server has stopped', async () => {
    const page = await openCard();
    page.stops();
    await pass(0);
    expect(notice()).toContain('Not connected to the server. Reconnecting in 1 s.');
  });

  it('is not read more than once a second, even if it always ends', async () => {
    const page = await openCard();
    page.endsEachFeed();
    await pass(0);
    const before = page.attempts();
    await pass(10_000);
    expect(page.attempts() - before).toBeLessThanOrEqual(10);
    expect(isConnected()).toBe('true');
  });
});
