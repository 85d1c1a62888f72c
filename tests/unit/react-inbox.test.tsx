import '../support/dom.ts';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { askPerson } from 'countersign';
import { formsCard } from 'countersign/plugins/forms/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { AnswerResult } from '../../lib/client/inbox/answer-result.ts';
import type { ApprovalInboxState } from '../../lib/client/inbox/inbox.ts';
import { type Principal, parseApprovalId } from '../../lib/protocol/index.ts';
import { ApprovalFeedProvider } from '../../lib/react/inbox/approval-feed.tsx';
import { ApprovalInbox } from '../../lib/react/inbox/approval-inbox.tsx';
import { useApprovalInbox } from '../../lib/react/inbox/use-approval-inbox.ts';
import type { CardPlugin } from '../../lib/react/plugins/card-plugin.ts';
import { CardPluginsProvider } from '../../lib/react/plugins/card-plugins.tsx';
import { defaultCardWords } from '../../lib/react/words/card-words.ts';
import { defaultInboxWords } from '../../lib/react/words/inbox-words.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { ada, countingTools, questionIn } from '../support/flow-fixture.ts';
import { heldTimers } from '../support/held-timers.ts';
import { serveFixture, userHeader } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

const pay = (to: string, amount = 30) => [{ call: 'pay', input: { to, amount } }];
const described = {
  pay: { describe: (input: unknown) => `Pay ${Object(input).to} ${Object(input).amount}.` },
};

/** A real server; each chat asks about one payment. */
async function served(payments: readonly string[], settings = {}) {
  const script = [...payments.map((to) => pay(to)), ...payments.map(() => [{ text: 'Done.' }])];
  const fixture = await serveFixture(script, { toolDetails: described, ...settings });
  let chats = 0;
  return {
    ...fixture,
    api: `${fixture.url}/api/approvals`,
    /** Begins a chat that asks the next question. @returns its id */
    ask: async (principal = ada) => questionIn(await fixture.chat(`chat${++chats}`, principal).say('Pay.')),
    answer: (approvalId: string, approved: boolean, principal = ada) =>
      fixture.flow.approvals.answer({
        approvalId: parseApprovalId(approvalId),
        approved,
        principal,
        via: 'test',
      }),
  };
}

/** The inbox of a person, rendered; `inbox()` is what the hook gave last. */
type Opened = { user?: string; leaveAfterMs?: number; plugins?: readonly CardPlugin[] };

function openInbox(api: string, { user, leaveAfterMs = 30, plugins = [] }: Opened = {}) {
  let current: ApprovalInboxState | undefined;
  const as: typeof fetch = (input, init) =>
    fetch(input, {
      ...init,
      headers: { ...init?.headers, ...(user !== undefined && { [userHeader]: user }) },
    });

  function Page() {
    current = useApprovalInbox({ api, fetch: as, leaveAfterMs });
    return (
      <CardPluginsProvider plugins={plugins}>
        <ApprovalInbox inbox={current} chatHref={({ chatId }) => `/chats/${chatId}`} />
      </CardPluginsProvider>
    );
  }
  render(<Page />);
  return () => {
    if (!current) throw new Error('The inbox was not rendered.');
    return current;
  };
}

const row = (words: string) => screen.findByRole('button', { name: new RegExp(`^${words}`) });

describe('an inbox over a real server', () => {
  it('shows the questions of all chats, oldest first, and adds each new one', async () => {
    const { api, ask } = await served(['Alice', 'Bob', 'Carol']);
    await ask();
    await ask();
    openInbox(api);
    await row('Pay Bob');
    await ask();
    await row('Pay Carol');
    const list = screen.getByRole('list');
    expect(within(list).getAllByRole('listitem')).toHaveLength(3);
    expect(list.textContent).toMatch(/Alice.*Bob.*Carol/);
  });

  it('keeps `refresh` the same, so that an effect may depend on it', async () => {
    const { api, ask } = await served(['Alice']);
    const inbox = openInbox(api);
    const { refresh } = inbox();
    await ask();
    await row('Pay Alice 30');
    expect(inbox().refresh).toBe(refresh);
  });

  it('answers a question, shows how and by whom, and moves it to the settled ones', async () => {
    const { api, ask, ran } = await served(['Alice']);
    await ask();
    const leave = heldTimers(4_711);
    const inbox = openInbox(api, { leaveAfterMs: 4_711 });
    await row('Pay Alice');
    const [question] = inbox().questions;
    const result = await inbox().answer(question?.id ?? '', { approved: true, reason: 'Fine.' });
    expect(result).toMatchObject({ type: 'answered', question: { state: 'approved' } });
    await waitFor(() => expect(inbox().questions[0]?.state).toBe('approved'));
    expect(screen.getByRole('list').textContent).toMatch(/Approved by Ada.*Fine\./);
    act(leave);
    const recent = await screen.findByRole('region', { name: 'Recently decided' });
    expect(recent.textContent).toMatch(/Pay Alice 30\..*Approved by Ada/);
    expect(inbox()).toMatchObject({ count: 0, questions: [] });
    await waitFor(() => expect(ran).toHaveLength(1));
  });

  it('shows that a question was settled elsewhere', async () => {
    const { api, ask, answer } = await served(['Alice', 'Bob']);
    const first = await ask();
    await ask();
    const inbox = openInbox(api);
    await row('Pay Bob');
    await answer(first, false);
    const recent = await screen.findByRole('region', { name: 'Recently decided' });
    expect(recent.textContent).toMatch(/Pay Alice 30\..*Denied by Ada/);
    expect(inbox().questions.map(({ description }) => description)).toEqual(['Pay Bob 30.']);
    expect(screen.getByRole('link', { name: 'Pay Alice 30.' }).getAttribute('href')).toBe('/chats/chat1');
  });

  it('shows the standing answer if another person was first, even before the feed reports it', async () => {
    const { ask, answer, url } = await served(['Alice']);
    const id = await ask();
    // The list alone, behind a feed that never says anything.
    const deaf = await serve({
      fetch: (request) => {
        const { pathname, search } = new URL(request.url);
        if (pathname.endsWith('/events')) return silentFeed();
        return fetch(`${url}${pathname}${search}`, {
          method: request.method,
          headers: { 'content-type': 'application/json' },
          ...(request.method === 'POST' && { body: request.body, duplex: 'half' }),
        });
      },
    });
    onTestFinished(deaf.close);
    const inbox = openInbox(`${deaf.url}/api/approvals`, { leaveAfterMs: 60_000 });
    await row('Pay Alice');
    await answer(id, false);
    const result = await inbox().answer(id, { approved: true });
    expect(result).toMatchObject({
      type: 'settled',
      question: { state: 'denied', answer: { by: { name: 'Ada' } } },
    });
    await waitFor(() => expect(inbox().questions[0]?.state).toBe('denied'));
  });

  it('shows which questions this person may not answer, and follows a revoked right', async () => {
    let mayBenAnswer = true;
    const mayAnswer = ({ id }: Principal) => (id === 'ben' ? mayBenAnswer : false);
    const { api, ask } = await served(['Alice'], { mayAnswer });
    const id = await ask();
    const inbox = openInbox(api, { user: 'ben' });
    await row('Pay Alice');
    mayBenAnswer = false;
    expect(await inbox().answer(id, { approved: true })).toMatchObject({ type: 'refused' });
    await screen.findByText("You're all caught up");
    cleanup();
    openInbox(api);
    const others = await screen.findByRole('region', { name: 'Waiting for someone else' });
    expect(others.textContent).toContain('Pay Alice 30.');
  });

  it('accepts an answer at the moment the question is shown', async () => {
    const { api, ask } = await served(['Alice']);
    const id = await ask();
    const decided = new Promise<AnswerResult>((resolve) => {
      // Called right after React has put the row into the document, before its passive effects.
      const observer = new MutationObserver(() => {
        if (!screen.queryByRole('button', { name: /^Pay Alice/ })) return;
        observer.disconnect();
        resolve(inbox().answer(id, { approved: true }));
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    const inbox = openInbox(api);
    expect(await decided).toMatchObject({ type: 'answered' });
  });

  it('refuses edited arguments that do not fit, and keeps the question', async () => {
    const { api, ask } = await served(['Alice']);
    const id = await ask();
    const inbox = openInbox(api);
    await row('Pay Alice');
    const result = await inbox().answer(id, { approved: true, input: { to: 5 } });
    expect(result).toMatchObject({ type: 'refused', code: 'invalid-request' });
    expect(inbox().questions).toMatchObject([{ id, state: 'open' }]);
  });

  it('denies everything that is selected and shown, with one reason', async () => {
    const { api, ask, flow, ran } = await served(['Alice', 'Bob', 'Carol']);
    for (let count = 0; count < 3; count += 1) await ask();
    openInbox(api);
    await row('Pay Carol');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search requests' }), { target: { value: 'o' } });
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Not today.' } });
    fireEvent.click(screen.getByRole('button', { name: 'Deny 2' }));
    await screen.findByText('2 denied.', { selector: '[data-countersign="inbox-batch-done"]' });
    const { items } = await flow.approvals.list({ principal: ada, state: 'denied' });
    expect(items.map(({ description, answer }) => [description, answer?.reason])).toEqual([
      ['Pay Bob 30.', 'Not today.'],
      ['Pay Carol 30.', 'Not today.'],
    ]);
    expect(ran).toEqual([]);
  });

  it('reads a long list page by page, as far as a person scrolls', async () => {
    const all = Array.from({ length: 250 }, (_, index) => longListed(index));
    const requests: number[] = [];
    const paged = await serve({
      fetch: (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname.endsWith('/events')) return silentFeed();
        const start = Number(searchParams.get('cursor') ?? 0);
        const end = start + Number(searchParams.get('limit'));
        requests.push(start);
        return Response.json({
          approvals: all.slice(start, end),
          ...(end < all.length && { nextCursor: String(end) }),
        });
      },
    });
    onTestFinished(paged.close);
    const inbox = openInbox(`${paged.url}/api/approvals`);
    await waitFor(() => expect(inbox().count).toBe(100));
    fireEvent.click(screen.getByText('Show more requests'));
    await waitFor(() => expect(inbox().count).toBe(200));
    fireEvent.click(screen.getByText('Show more requests'));
    await waitFor(() => expect(inbox().count).toBe(250));
    expect(screen.queryByText('Show more requests')).toBeNull();
    expect(requests).toEqual([0, 100, 200]);
    // A list that is read again is read as far as it was.
    inbox().refresh();
    await waitFor(() => expect(requests).toEqual([0, 100, 200, 0, 100, 200]));
    expect(inbox().count).toBe(250);
  });

  it('says if the list is empty, or could not be loaded', async () => {
    const { api } = await served([]);
    openInbox(api);
    await screen.findByRole('heading', { name: "You're all caught up" });
    cleanup();
    const broken = await serve({ fetch: async () => new Response(null, { status: 500 }) });
    onTestFinished(broken.close);
    openInbox(`${broken.url}/api/approvals`);
    await screen.findByText("The requests couldn't be loaded.");
    expect(screen.getByRole('alert')).toBeTruthy();
  });

  it('recovers after a feed that answered with errors, and misses nothing', async () => {
    const { url, ask } = await served(['Alice']);
    let isBroken = true;
    const seen: (string | null)[] = [];
    const flaky = await serve({
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        if (pathname.endsWith('/events')) seen.push(request.headers.get('last-event-id'));
        if (isBroken) return new Response(null, { status: 503 });
        const place = request.headers.get('last-event-id');
        return fetch(`${url}${pathname}${search}`, { headers: place ? { 'last-event-id': place } : {} });
      },
    });
    onTestFinished(flaky.close);
    const inbox = openInbox(`${flaky.url}/api/approvals`);
    await waitFor(() => expect(inbox().connection).toBe('lost'));
    fireEvent(window, new Event('online'));
    await waitFor(() => expect(seen.length).toBeGreaterThan(1));
    isBroken = false;
    await ask();
    await waitFor(() => {
      fireEvent(window, new Event('online'));
      expect(inbox().connection).toBe('live');
    });
    await row('Pay Alice');
  });
});

describe('the questions that the server sent with a page', () => {
  const sent = { approvals: [longListed(1)] };
  const feed = () => () => {};
  const Count = () => useApprovalInbox({ sent, feed }).count;

  it('are shown in its HTML, but not by a page that comes later: they may be settled', () => {
    expect(renderToString(<Count />)).toBe('1');
    expect(render(<Count />).container.textContent).toBe('0');
  });
});

describe('the feed of a page', () => {
  it('is one connection, however many parts read it', async () => {
    const { url, ask } = await served(['Alice']);
    let connections = 0;
    const counted: typeof fetch = (input, init) => {
      if (String(input).endsWith('/events')) connections += 1;
      return fetch(input, init);
    };
    const api = `${url}/api/approvals`;
    function Count({ name }: { name: string }) {
      const { count } = useApprovalInbox({ api });
      return <output aria-label={name}>{count}</output>;
    }
    render(
      <ApprovalFeedProvider api={api} fetch={counted}>
        <Count name="one" />
        <Count name="other" />
      </ApprovalFeedProvider>,
    );
    await ask();
    for (const name of ['one', 'other']) {
      await waitFor(() => expect(screen.getByRole('status', { name }).textContent).toBe('1'));
    }
    expect(connections).toBe(1);
  });
});

function silentFeed(): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('id: 0\n\n')),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function longListed(index: number) {
  return {
    id: `apr_${index}`,
    chatId: 'chat',
    toolCallId: `call_${index}`,
    toolName: 'pay',
    description: `Pay ${index}.`,
    requestedAt: new Date(Date.UTC(2030, 0, 1) + index).toISOString(),
    state: 'open',
    mayAnswer: true,
  };
}

describe('a review of several questions', () => {
  const form = askPerson({ schema: z.object({ nights: z.number() }), title: 'Nights' });
  const deny = { id: 'deny', label: 'Deny', then: 'deny' };
  const half = { id: 'half', label: 'Half', then: 'approve', input: () => ({ to: 'Bob', amount: 15 }) };
  const plainApproval = { id: 'yes', label: 'Yes', then: 'approve' };
  const options = [plainApproval, half, deny];
  const forms = [formsCard()];
  const { approveAlone } = defaultInboxWords;
  const { cannotApprove } = defaultCardWords;
  const value = [{ call: 'form', input: { question: 'How many?' } }];
  it.each<[string, object, object, readonly CardPlugin[], string?]>([
    ['that needs yes or no', pay('Alice'), {}, []],
    ['with an option that approves the arguments', pay('Alice'), { options }, forms],
    ['whose options all change something', pay('Alice'), { options: [half, deny] }, forms, approveAlone],
    ['that needs a value', value, {}, forms, approveAlone],
    ['whose options the page cannot show', pay('Alice'), { options }, [], cannotApprove],
    ['that needs a value, on a page without forms', value, {}, [], cannotApprove],
  ])('lets a person approve a question %s only if yes is enough', async (_, call, details, plugins, why) => {
    const { tools } = countingTools();
    const { url, chat } = await serveFixture([call as never, call as never], {
      tools: { ...tools, form } as never,
      toolDetails: { pay: { ...described.pay, ...details } } as never,
    });
    for (const id of ['one', 'other']) await chat(id).say('Ask.');
    openInbox(`${url}/api/approvals`, { plugins });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(await screen.findByRole('button', { name: /^Review/ }));
    await screen.findAllByRole('radio');
    const disabled = (name: string) =>
      screen.getAllByRole<HTMLInputElement>('radio', { name }).map((radio) => radio.disabled);
    const isRefused = why !== undefined;
    expect(disabled('Approve')).toEqual([isRefused, isRefused]);
    expect(disabled('Deny')).toEqual([false, false]);
    for (const text of [approveAlone, cannotApprove])
      expect(screen.queryAllByText(text)).toHaveLength(why === text ? 2 : 0);
  });
});
