import '../support/dom.ts';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { formsCard } from 'countersign/plugins/forms/react';
import { preApprovals } from 'countersign/plugins/pre-approvals';
import type { Script } from 'countersign/testing';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { InboxFilter } from '../../lib/client/inbox/filter-questions.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { ApprovalInbox } from '../../lib/react/inbox/approval-inbox.tsx';
import { useApprovalInbox } from '../../lib/react/inbox/use-approval-inbox.ts';
import { cardPluginsIn, withPlugins } from '../support/card-plugins.ts';
import { ada, questionIn } from '../support/flow-fixture.ts';
import { serveFixture } from '../support/serve-fixture.ts';

configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

const details = {
  pay: { describe: (input: unknown) => `Pay ${Object(input).to} ${Object(input).amount}.` },
};

/** A real server with one open question for each name, in a chat of its own, and the inbox over it. */
async function openInbox(names: readonly string[], settings = {}, given?: Script, cards = cardPluginsIn()) {
  const script = given ?? [
    ...names.map((to) => [{ call: 'pay', input: { to, amount: 30 } }]),
    ...names.map(() => [{ text: 'Done.' }]),
  ];
  const fixture = await serveFixture(script, {
    toolDetails: details,
    ...settings,
  });
  const ids: string[] = [];
  for (const name of names) ids.push(questionIn(await fixture.chat(`chat-${name}`).say('Pay.')));
  const filters: InboxFilter[] = [];
  function Page() {
    const inbox = useApprovalInbox({ api: `${fixture.url}/api/approvals`, leaveAfterMs: 30 });
    const [filter, setFilter] = useState<InboxFilter>({});
    const change = (next: InboxFilter) => {
      filters.push(next);
      setFilter(next);
    };
    return (
      <ApprovalInbox
        inbox={inbox}
        filter={filter}
        onFilterChange={change}
        chatTitle={({ chatId }) => `Chat ${chatId}`}
        questionHref={({ id }) => `/inbox/${id}`}
      />
    );
  }
  render(withPlugins(<Page />, cards));
  await screen.findAllByRole('button', { name: /^Pay / });
  return { ...fixture, ids, filters };
}

const row = (name: string) => screen.getByRole('button', { name: new RegExp(`^Pay ${name}`) });
const detail = () => screen.getByRole('region', { name: 'Request' });
const card = (name: string) => within(detail()).findByRole('group', { name: new RegExp(`Pay ${name} 30`) });
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(name) });

describe('the question beside the list', () => {
  it('is the chosen one; it takes the focus, and Escape gives the focus back to its row', async () => {
    await openInbox(['Alice', 'Bob', 'Carol']);
    expect(detail().textContent).toBe('Choose a request to see its details.');
    fireEvent.click(row('Bob'));
    expect(document.activeElement).toBe(await card('Bob'));
    expect(row('Bob').getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(within(detail()).getByRole('button', { name: 'Next' }));
    expect(document.activeElement).toBe(await card('Carol'));
    expect(detail().textContent).toContain('3 of 3');
    expect(within(detail()).queryByRole('button', { name: 'Next' })).toBeNull();
    const reason = within(detail()).getByRole('textbox', { name: 'Reason' });
    fireEvent.change(reason, { target: { value: 'Half written' } });
    fireEvent.keyDown(reason, { key: 'Escape' });
    await within(detail()).findByDisplayValue('Half written');
    fireEvent.keyDown(await card('Carol'), { key: 'Escape' });
    expect(document.activeElement).toBe(row('Carol'));
    expect(detail().textContent).toBe('Choose a request to see its details.');
  });

  it('is the only one from the start, without taking the focus', async () => {
    await openInbox(['Alice']);
    await card('Alice');
    expect(document.activeElement).toBe(document.body);
  });

  it('stays with its outcome after it has left the list', async () => {
    const { flow } = await openInbox(['Alice', 'Bob']);
    fireEvent.click(row('Alice'));
    const approve = await within(await card('Alice')).findByRole('button', { name: /^Approve/ });
    await waitFor(() => expect(approve.getAttribute('aria-disabled')).toBe('false'));
    approve.focus();
    fireEvent.click(approve);
    await screen.findByRole('region', { name: 'Recently decided' });
    expect(screen.queryByRole('button', { name: /^Pay Alice/ })).toBeNull();
    expect(detail().textContent).toMatch(/Approved by Ada/);
    await waitFor(() => expect(detail().contains(document.activeElement)).toBe(true));
    const searched = (text: string) =>
      fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } });
    searched('nobody');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Recently decided' })).toBeNull());
    searched('alice');
    await screen.findByRole('region', { name: 'Recently decided' });
    searched('');
    fireEvent.click(await within(detail()).findByRole('button', { name: 'Next' }));
    expect(document.activeElement).toBe(await card('Bob'));
    const { items } = await flow.approvals.list({ principal: ada, state: 'approved' });
    expect(items).toHaveLength(1);
  });

  it('has rows with age, asker and chat, and a link to the page of the question', async () => {
    const { ids } = await openInbox(['Alice', 'Bob']);
    expect(row('Alice').textContent).toMatch(
      /for Ada.*in “Chat chat-Alice”.*(Asked just now|Waiting \d+ min)/,
    );
    fireEvent.click(row('Alice'));
    const link = within(detail()).getByRole('link', { name: 'Open as a page' });
    expect(link.getAttribute('href')).toBe(`/inbox/${ids[0]}`);
  });

  it('is reached from the keyboard: j and k move between rows', async () => {
    await openInbox(['Alice', 'Bob']);
    row('Alice').focus();
    fireEvent.keyDown(row('Alice'), { key: 'j' });
    expect(document.activeElement).toBe(row('Bob'));
    fireEvent.keyDown(row('Bob'), { key: 'j' });
    expect(document.activeElement).toBe(row('Bob'));
    fireEvent.keyDown(row('Bob'), { key: 'k' });
    expect(document.activeElement).toBe(row('Alice'));
    fireEvent.keyDown(row('Alice'), { key: 'j', ctrlKey: true });
    expect(document.activeElement).toBe(row('Alice'));
  });
});

describe('a filter that the page keeps', () => {
  it('is reported when the person changes it, and counts what it leaves', async () => {
    const { filters } = await openInbox(['Alice', 'Bob']);
    screen.getByText('2 open');
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'bob' } });
    expect(filters).toEqual([{ text: 'bob' }]);
    await screen.findByText('1 of 2 open');
  });

  it('permanently deselects the requests that it hides', async () => {
    await openInbox(['Alice', 'Bob']);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'bob' } });
    await screen.findByText('1 selected');
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: '' } });
    await screen.findByText('2 open');
    expect(box('Alice').checked).toBe(false);
    expect(box('Bob').checked).toBe(true);
  });
});

describe('several questions answered in one go', () => {
  it('are shown with their evidence, and each gets its own answer in its own log', async () => {
    const { flow, store, ids, ran } = await openInbox(['Alice', 'Bob', 'Carol']);
    fireEvent.click(box('Alice'));
    fireEvent.click(box('Bob'));
    fireEvent.click(screen.getByRole('button', { name: 'Review 2' }));
    const heading = within(detail()).getByRole('heading', { name: 'Answer 2 requests' });
    expect(document.activeElement).toBe(heading);
    const [first, second] = within(detail()).getAllByRole('listitem');
    if (!first || !second) throw new Error('Two questions were expected.');
    expect(first.textContent).toMatch(/Alice.*30/);

    const submit = within(detail()).getByRole('button', { name: 'Submit 2 answers' });
    fireEvent.click(within(first).getByRole('radio', { name: 'Approve' }));
    expect(detail().textContent).toContain('1 request has no answer yet.');
    fireEvent.click(submit);
    fireEvent.click(within(second).getByRole('radio', { name: 'Deny' }));
    fireEvent.change(within(second).getByRole('textbox', { name: 'Reason' }), {
      target: { value: 'Not Bob.' },
    });
    fireEvent.click(submit);
    await within(detail()).findByRole('heading', { name: '1 approved, 1 denied.' });
    fireEvent.click(within(detail()).getByRole('button', { name: 'Back to the list' }));
    expect(document.activeElement).not.toBe(document.body);
    await waitFor(() => expect(ran.map(({ input }) => input)).toEqual([{ to: 'Alice', amount: 30 }]));

    const answers = await Promise.all(
      ['Alice', 'Bob'].map(async (name) =>
        (await store.events.read(parseChatId(`chat-${name}`), 0)).flatMap((event) =>
          event.type === 'approval-requested' || event.type === 'approval-answered' ? [event] : [],
        ),
      ),
    );
    expect(answers).toMatchObject([
      [{ digest: expect.any(String) }, { approvalId: ids[0], approved: true }],
      [{ digest: expect.any(String) }, { approvalId: ids[1], approved: false, reason: 'Not Bob.' }],
    ]);
    const open = await flow.approvals.list({ principal: ada, state: 'open' });
    expect(open.items.map(({ id }) => id)).toEqual([ids[2]]);
  });

  it('can be denied, but not approved, while their tool is paused', async () => {
    const { flow } = await openInbox(['Alice', 'Bob']);
    await flow.tools.pause({ tool: 'pay', reason: 'Audit.', principal: ada });
    fireEvent.click(row('Alice'));
    await within(detail()).findByText(/Paused: Audit/);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Review 2' }));
    const approvals = within(detail()).getAllByRole<HTMLInputElement>('radio', { name: 'Approve' });
    expect(approvals.every(({ disabled }) => disabled)).toBe(true);
    expect(detail().textContent).toContain('Open this request on its own to approve it.');
  });

  it('cannot be approved together if an approval has to name an option', async () => {
    const less = { id: 'less', label: 'Less', then: 'approve', input: () => ({ to: 'Alice', amount: 1 }) };
    const no = { id: 'no', label: 'No', then: 'deny' };
    const toolDetails = {
      pay: { describe: ({ to }: { to: string }) => `Pay ${to} 1.`, options: [less, no] },
    } as never;
    await openInbox(['Alice', 'Bob'], { toolDetails }, undefined, [formsCard({})]);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Review 2' }));
    const approvals = within(detail()).getAllByRole<HTMLInputElement>('radio', { name: 'Approve' });
    expect(approvals.every(({ disabled }) => disabled)).toBe(true);
    expect(detail().textContent).toContain('Open this request on its own to approve it.');
  });

  it('says which answer was not accepted, and keeps that question', async () => {
    const mayAnswer = { current: true };
    await openInbox(['Alice', 'Bob'], { mayAnswer: () => mayAnswer.current });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(screen.getByRole('button', { name: 'Review 2' }));
    for (const deny of within(detail()).getAllByRole('radio', { name: 'Deny' })) fireEvent.click(deny);
    mayAnswer.current = false;
    fireEvent.click(within(detail()).getByRole('button', { name: 'Submit 2 answers' }));
    await within(detail()).findByRole('heading', { name: '2 failed.' });
  });
});

describe('the upcoming calls of a question', () => {
  const payment = (to: string, amount: number) => ({ call: 'pay', id: `pay-${to}`, input: { to, amount } });
  const step = [payment('Alice', 30), payment('Bob', 40), payment('Carol', 5)];
  const upcoming = () => within(detail()).findByRole('region', { name: 'Upcoming in this chat' });
  const tick = (section: HTMLElement, name: string) =>
    fireEvent.click(within(section).getByRole('checkbox', { name: `Pre-approve: Pay ${name}.` }));

  it('are pre-approved and revoked, each separately', async () => {
    const { ran, ids, flow } = await openInbox(['Alice'], { plugins: [preApprovals()] }, [
      step,
      [{ text: 'Done.' }],
    ]);
    const section = await upcoming();
    expect(section.textContent).toContain('2 more calls of Pay');
    const approve = within(section).getByRole('button', { name: 'Pre-approve 0' });
    expect(approve.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(approve);
    fireEvent.click(within(section).getByRole('checkbox', { name: 'Select all' }));
    fireEvent.click(within(section).getByRole('button', { name: 'Pre-approve 2' }));
    await within(section).findByText('2 pre-approved.');
    expect(document.activeElement).toBe(within(section).getByRole('heading', { level: 3 }));
    expect(within(section).queryAllByRole('checkbox')).toEqual([]);
    const takeBack = within(section).getAllByRole('button', { name: /^Revoke: Pay/ });
    expect(takeBack).toHaveLength(2);
    if (takeBack[0]) fireEvent.click(takeBack[0]);
    await within(section).findByText('Revoked.');
    expect(ran).toEqual([]);
    const answer = (approvalId: unknown, approved: boolean) =>
      flow.approvals.answer({ principal: ada, approvalId: approvalId as never, approved, via: 'test' });
    await answer(ids[0], true);
    await waitFor(() => expect(ran).toHaveLength(1));
    await screen.findByText(/Approved by/);
    const { items } = await flow.approvals.list({ principal: ada, state: 'open' });
    expect(items).toMatchObject([{ toolCallId: 'pay-Bob' }]);
    expect(items[0]?.id).not.toBe(ids[0]);
    await answer(items[0]?.id, false);
    await waitFor(() =>
      expect(ran).toMatchObject([{ toolCallId: 'pay-Alice' }, { toolCallId: 'pay-Carol' }]),
    );
  });

  it('are listed again if something has changed, and say why one cannot be approved now', async () => {
    const { flow } = await openInbox(['Alice'], { plugins: [preApprovals()] }, [step, [{ text: 'Done.' }]]);
    const section = await upcoming();
    tick(section, 'Carol 5');
    await flow.tools.pause({ tool: 'pay', reason: 'Audit.', principal: ada });
    fireEvent.click(within(section).getByRole('button', { name: 'Pre-approve 1' }));
    await within(section).findByText("Your change couldn't be saved. Check the list.");
    expect(within(section).getAllByText('The tool is paused.')).toHaveLength(2);
    expect(within(section).queryByRole('button', { name: /^Pre-approve/ })).toBeNull();
  });
});
