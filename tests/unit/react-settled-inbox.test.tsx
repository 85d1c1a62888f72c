import '../support/dom.ts';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { InboxFilter } from '../../lib/client/inbox/filter-questions.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { SettledInbox } from '../../lib/react/inbox/settled/settled-inbox.tsx';
import { useSettledQuestions } from '../../lib/react/inbox/settled/use-settled-questions.ts';
import { ada, questionIn } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

const described = { pay: { describe: (input: unknown) => `Pay ${Object(input).to}.` } };

/** A real server; each chat asks about one payment. */
async function served(payments: readonly string[]) {
  const script = [
    ...payments.map((to) => [{ call: 'pay', input: { to, amount: 30 } }]),
    ...payments.map(() => [{ text: 'Done.' }]),
  ];
  const { url, flow, chat } = await serveFixture(script, { toolDetails: described });
  let chats = 0;
  const ask = async () => questionIn(await chat(`chat${++chats}`).say('Pay.'));
  const deny = (approvalId: string) =>
    flow.approvals.answer({
      ...{ principal: ada, approvalId: parseApprovalId(approvalId), via: 'test' },
      ...{ approved: false, reason: 'Not now.' },
    });
  return {
    api: `${url}/api/approvals`,
    ask,
    deny,
    /** Asks about all payments, one after the other, and denies them. */
    async settleAll() {
      const ids: string[] = [];
      for (const _ of payments) ids.push(await ask());
      for (const id of ids) await deny(id);
    },
  };
}

/** Every request of the list, in order. */
function openList(api: string, first: InboxFilter = {}, limit?: string) {
  const queries: URLSearchParams[] = [];
  const noting: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    if (limit !== undefined && url.searchParams.has('limit')) url.searchParams.set('limit', limit);
    if (url.searchParams.has('state')) queries.push(url.searchParams);
    return fetch(url, init);
  };
  function Page() {
    const [filter, setFilter] = useState(first);
    const settled = useSettledQuestions({ api, fetch: noting, filter });
    return (
      <SettledInbox
        settled={settled}
        filter={filter}
        onFilterChange={setFilter}
        questionHref={({ id }) => `/inbox/${id}`}
      />
    );
  }
  render(<Page />);
  return queries;
}

const rows = () =>
  within(screen.getByRole('list', { hidden: true }))
    .queryAllByRole('link', { hidden: true })
    .map(({ textContent }) => textContent);

describe('the settled questions', () => {
  it('are empty at first, and say what will appear; a question joins when it is settled', async () => {
    const { api, ask, deny } = await served(['Alice']);
    const id = await ask();
    openList(api);
    await screen.findByRole('heading', { name: 'No decided requests yet' });
    await deny(id);
    const link = await screen.findByRole('link', { name: 'Pay Alice.' });
    expect(link.getAttribute('href')).toBe(`/inbox/${id}`);
    expect(screen.getByText(/^Denied/).closest('li')?.textContent).toContain('Not now.');
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('come the latest first, and page by page', async () => {
    const { api, settleAll } = await served(['Alice', 'Bob', 'Carol']);
    await settleAll();
    openList(api, {}, '2');
    await waitFor(() => expect(rows()).toEqual(['Pay Carol.', 'Pay Bob.']));
    fireEvent.click(screen.getByRole('button', { name: 'Show more requests' }));
    await waitFor(() => expect(rows()).toEqual(['Pay Carol.', 'Pay Bob.', 'Pay Alice.']));
    expect(screen.queryByRole('button', { name: 'Show more requests' })).toBeNull();
  });

  it('are searched by the server, and say when nothing matches', async () => {
    const { api, settleAll } = await served(['Alice', 'Bob']);
    await settleAll();
    const queries = openList(api, { tool: 'pay', age: 'day' });
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(queries[0]?.get('toolName')).toBe('pay');
    expect(queries[0]?.get('requestedSince')).toMatch(/Z$/);
    const search = screen.getByRole('searchbox', { name: 'Search requests' });
    fireEvent.change(search, { target: { value: 'BOB' } });
    await waitFor(() => expect(rows()).toEqual(['Pay Bob.']));
    fireEvent.change(search, { target: { value: 'nobody' } });
    await screen.findByText('No decided requests match.');
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(queries.at(-1)?.has('text')).toBe(false);
  });

  it('say how many requests were searched while there are more', async () => {
    const { api, settleAll } = await served(['Alice', 'Bob', 'Carol']);
    await settleAll();
    openList(api, { tool: 'pay' }, '2');
    await screen.findByText('2 matches in the last 2 requests.');
    fireEvent.click(screen.getByRole('button', { name: 'Show more requests' }));
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(screen.queryByText(/matches in/)).toBeNull();
  });

  it('offer another attempt when they cannot be read', async () => {
    openList('http://127.0.0.1:9/api/approvals');
    await screen.findByText("The requests couldn't be loaded.");
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});
