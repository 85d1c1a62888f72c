import { expect, onTestFinished, vi } from 'vitest';
import type { FeedConnection, FeedOutage } from '../../lib/client/inbox/feed/approval-feed-reader.ts';
import { readApprovalFeed } from '../../lib/client/inbox/feed/read-approval-feed.ts';
import { adr } from '../support/adr.ts';
import { ada } from '../support/flow-fixture.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';
import { untilIdle } from '../support/until-idle.ts';
import { waitFor } from '../support/wait-for.ts';

const { clause } = adr('0054-one-feed-for-all-tabs.md');

/** A server, and the tabs of a browser that opens at most six connections to it. */
async function openBrowser() {
  const served = await serveFixture(
    Array.from({ length: 9 }, () => [{ call: 'pay', input: { to: 'alice', amount: 30 } }]),
  );
  const approvals = `${served.url}/api/approvals`;
  const feeds = new Set<AbortController>();
  const waiting: (() => void)[] = [];

  /** Holds its connection until it is aborted, as a feed does. */
  async function send(url: string, user: string, { signal, headers }: RequestInit = {}): Promise<Response> {
    while (feeds.size >= 6) await new Promise<void>((resolve) => waiting.push(resolve));
    const own = new AbortController();
    feeds.add(own);
    own.signal.addEventListener('abort', () => {
      feeds.delete(own);
      waiting.shift()?.();
    });
    signal?.addEventListener('abort', () => own.abort());
    return fetch(url, { headers: { ...headers, [userHeader]: user }, signal: own.signal });
  }

  function openTab({ user = ada.id, api = approvals, isNamed = true } = {}) {
    const signedIn = { as: user };
    const seen: string[] = [];
    let connection: FeedConnection = 'connecting';
    let outage: FeedOutage | undefined;
    const close = readApprovalFeed(
      {
        api,
        fetch: async (url, init) => {
          if (signedIn.as === '') return new Response(null, { status: 401 });
          const { body, status, headers } = await send(String(url), signedIn.as, init);
          return new Response(body, { status, ...(isNamed && { headers }) });
        },
      },
      {
        onEvent: ({ type, question }) => seen.push(`${type} ${question.chatId}`),
        onConnection: (now, lost) => {
          connection = now;
          outage = lost;
        },
      },
    );
    onTestFinished(close);
    const isLive = () => waitFor(() => expect(connection).toBe('live'));
    return { seen, close, signedIn, isLive, connection: () => connection, outage: () => outage };
  }

  async function openTabs(count: number, how: Parameters<typeof openTab>[0] = {}) {
    const tabs: ReturnType<typeof openTab>[] = [];
    for (let tab = 0; tab < count; tab += 1) {
      const opened = openTab(how);
      await opened.isLive();
      tabs.push(opened);
    }
    return tabs as [
      ReturnType<typeof openTab>,
      ReturnType<typeof openTab>,
      ReturnType<typeof openTab>,
      ...ReturnType<typeof openTab>[],
    ];
  }

  return {
    ...{ approvals, feeds, openTab, openTabs, send },
    ask: (chatId: string, user = ada.id) => served.chat(chatId, { id: user, name: user }).say('Pay.'),
    cut() {
      for (const feed of feeds) feed.abort();
    },
  };
}

const sawEach = (tabs: readonly { seen: string[] }[], ...chats: string[]) =>
  waitFor(() =>
    expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => chats.map((id) => `opened ${id}`))),
  );

/** The page's tab is shown or hidden. All tabs of this process have the same page. */
function stubPage(visibilityState: 'visible' | 'hidden') {
  const page = Object.assign(new EventTarget(), { visibilityState });
  vi.stubGlobal('document', page);
  onTestFinished(() => void vi.unstubAllGlobals());
  return (now: typeof visibilityState) => {
    page.visibilityState = now;
    page.dispatchEvent(new Event('visibilitychange'));
  };
}

clause('0054.1', async () => {
  // Also hidden tabs, which show how many questions wait.
  stubPage('hidden');
  const browser = await openBrowser();
  const tabs = await browser.openTabs(7);
  expect(browser.feeds.size).toBe(1);
  await browser.ask('first');
  await sawEach(tabs, 'first');
  await browser.ask('second');
  await sawEach(tabs, 'first', 'second');

  // The rejected option: a feed in each tab. The next request is not sent.
  vi.unstubAllGlobals();
  const other = await openBrowser();
  await other.openTabs(6, { isNamed: false });
  const sent = vi.fn();
  void other.send(other.approvals, ada.id).then(sent);
  await untilIdle();
  expect([other.feeds.size, sent.mock.calls.length]).toEqual([6, 0]);
  other.cut();
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
});

clause('0054.2', async () => {
  const browser = await openBrowser();
  const [leader, ...others] = await browser.openTabs(3);
  await browser.ask('first');
  await sawEach([leader, ...others], 'first');
  leader.close();
  await browser.ask('second');
  await sawEach(others, 'first', 'second');
  expect(browser.feeds.size).toBe(1);
  expect(leader.seen).toEqual(['opened first']);
});

clause('0054.3', async () => {
  const browser = await openBrowser();
  const [first] = await browser.openTabs(2);
  const [bens] = await browser.openTabs(2, { user: 'ben' });
  const [elsewhere] = await browser.openTabs(2, { api: browser.approvals.replace('127.0.0.1', 'localhost') });
  expect(browser.feeds.size).toBe(3);
  await browser.ask('of-ada');
  await browser.ask('of-ben', 'ben');
  await sawEach([first, elsewhere], 'of-ada');
  await sawEach([bens], 'of-ben');
});

clause('0054.4', async () => {
  const browser = await openBrowser();
  const [leader, second, third] = await browser.openTabs(3);
  leader.signedIn.as = 'ben';
  browser.cut();
  await waitFor(() => expect(leader.connection()).toBe('lost'));
  leader.outage()?.retry();
  await waitFor(() => expect(browser.feeds.size).toBe(2));
  await browser.ask('of-ben', 'ben');
  await browser.ask('of-ada');
  await sawEach([leader], 'of-ben');
  await sawEach([second, third], 'of-ada');

  // A sign-out: the server refuses the leader, and the other tab has its own sign-in.
  second.signedIn.as = '';
  third.signedIn.as = 'ben';
  browser.cut();
  for (const tab of [second, third]) {
    await waitFor(() => expect(tab.connection()).toBe('lost'));
    tab.outage()?.retry();
  }
  await third.isLive();
  await browser.ask('for-ben', 'ben');
  await sawEach([second], 'of-ada');
  await waitFor(() => expect(third.seen).toEqual(['opened of-ada', 'opened for-ben']));
});

clause('0054.5', async () => {
  const browser = await openBrowser();
  const [first] = await browser.openTabs(1);
  const { held = [] } = await navigator.locks.query();
  const name = held.find((lock) => lock.name?.includes(browser.approvals))?.name ?? '';
  first.close();
  // A suspended tab has the lock, and does not reply.
  await new Promise<void>((resolve) => {
    const hold = () =>
      new Promise<void>((release) => {
        onTestFinished(() => release());
        resolve();
      });
    navigator.locks.request(name, hold).catch(() => {});
  });
  const asked = vi.fn();
  const channel = new BroadcastChannel(name);
  channel.onmessage = asked;
  onTestFinished(() => channel.close());

  const show = stubPage('hidden');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const tab = browser.openTab();
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  await vi.advanceTimersByTimeAsync(600_000);
  expect([tab.connection(), browser.feeds.size]).toEqual(['connecting', 0]);
  show('visible');
  await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  await vi.advanceTimersByTimeAsync(2_000);
  await tab.isLive();
  await browser.ask('first');
  await sawEach([tab], 'first');
});

clause('0054.6', async () => {
  const browser = await openBrowser();
  const tabs = await browser.openTabs(2);
  browser.cut();
  for (const tab of tabs) {
    await waitFor(() =>
      expect(tab.outage()).toMatchObject({ isReached: false, retryAt: expect.any(Number) }),
    );
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  tabs[1].outage()?.retry();
  for (const tab of tabs) await tab.isLive();
});

clause('0054.7', async () => {
  const browser = await openBrowser();
  const show = stubPage('visible');
  const tabs = await browser.openTabs(2, { isNamed: false });
  expect(browser.feeds.size).toBe(2);
  await browser.ask('first');
  await sawEach(tabs, 'first');
  show('hidden');
  await waitFor(() => expect(browser.feeds.size).toBe(0));
  for (const tab of tabs) await waitFor(() => expect(tab.connection()).toBe('connecting'));
  await browser.ask('second');
  show('visible');
  await sawEach(tabs, 'first', 'second');
});
