// @vitest-environment jsdom
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeInbox, emptyInbox } from '../../lib/client/inbox/inbox-state.ts';
import type { Question } from '../../lib/client/question.ts';
import { ApprovalCard } from '../../lib/react/card/approval-card.tsx';
import { InboxFacts } from '../../lib/react/inbox/list/inbox-facts.tsx';
import { questionOf } from '../support/card-fixture.ts';
import { withPlugins } from '../support/card-plugins.ts';

configure({ asyncUtilTimeout: 10_000 });

const bob = { id: 'bob', name: 'Bob' };
const cleo = { id: 'cleo', name: 'Cleo' };
const at = '2030-01-01T12:00:00.000Z';
const vote = (by: typeof bob, approved = true) => ({ approved, by, at, via: 'http' });

const question = questionOf({
  askedBy: { id: 'ada', name: 'Ada' },
  plugins: { votes: { needed: 2 } },
});

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

const page = (given: Partial<Question>) =>
  withPlugins(<ApprovalCard question={{ ...question, ...given }} onAnswer={() => undefined} />);
const lines = () =>
  [...document.querySelectorAll('[data-countersign="card-lines"] p')].map((line) => line.textContent);

describe('the card of a question that several people must approve', () => {
  const rows: readonly [string, Partial<Question>, readonly string[]][] = [
    ['nobody has voted', {}, ['0 of 2 approvals.']],
    [
      'another person has voted',
      { plugins: { votes: { needed: 2 } }, answers: [vote(bob)] },
      ['1 of 2 approvals: Bob approved.'],
    ],
    [
      'the reader has voted',
      { plugins: { votes: { needed: 2 } }, answers: [vote(bob)], mayAnswer: false, hasAnswered: true },
      ['You approved. Waiting for 1 more approval.'],
    ],
    [
      'the arguments were edited',
      { plugins: { votes: { needed: 3 } }, droppedAnswers: 1, answers: [vote(cleo)], editedBy: cleo },
      [
        'Cleo changed the arguments.',
        'Earlier approvals no longer count because the arguments changed.',
        '1 of 3 approvals: Cleo approved.',
      ],
    ],
    [
      'the tool has changed',
      { plugins: { votes: { needed: 2 } }, droppedAnswers: 1 },
      ['Earlier approvals no longer count because the tool changed.', '0 of 2 approvals.'],
    ],
    [
      'it is settled',
      { state: 'denied', plugins: { votes: { needed: 2 } }, answers: [vote(bob), vote(cleo, false)] },
      ['1 of 2 approvals: Bob approved, Cleo denied.'],
    ],
  ];
  it.each(rows)('says who has voted and what is missing: %s', async (_, given, expected) => {
    render(page(given));
    await waitFor(() => expect(lines()).toEqual(expected));
    const { mayAnswer = true, state = 'open' } = given;
    expect(screen.queryAllByRole('button', { name: /Approve/ })).toHaveLength(
      mayAnswer && state === 'open' ? 1 : 0,
    );
  });

  it('says it in a row of the inbox, to a person who has voted, too', async () => {
    const voted = { plugins: { votes: { needed: 2 } }, answers: [vote(bob)] };
    const row = () => document.querySelector('[data-countersign="inbox-item-lines"]')?.textContent;
    const rowOf = (given: Partial<Question>) =>
      withPlugins(<InboxFacts question={{ ...question, ...given }} now={0} />);
    const { rerender } = render(rowOf(voted));
    await waitFor(() => expect(row()).toBe('1 of 2 approvals: Bob approved.'));
    rerender(rowOf({ ...voted, mayAnswer: false, hasAnswered: true }));
    expect(row()).toBe('You approved. Waiting for 1 more approval.');
    rerender(rowOf({ plugins: undefined }));
    expect(row()).toBeUndefined();
  });

  it('announces a vote of somebody else', async () => {
    const { rerender } = render(page({}));
    await waitFor(() => expect(lines()).toHaveLength(1));
    rerender(page({ plugins: { votes: { needed: 2 } }, answers: [vote(bob)] }));
    const spoken = () => document.querySelector('[data-countersign="announcer"]')?.textContent;
    await waitFor(() => expect(spoken()).toContain('1 of 2 approvals: Bob approved.'));
  });

  it('shows nothing of votes on a page without their part', () => {
    render(
      <ApprovalCard
        question={{ ...question, mayAnswer: false, hasAnswered: true }}
        onAnswer={() => undefined}
      />,
    );
    expect(lines()).toEqual([]);
    expect(screen.getByText(/Waiting for someone else/)).toBeTruthy();
  });

  it('shows nothing of votes for other questions', async () => {
    render(page({ plugins: undefined }));
    await screen.findByRole('button', { name: /Approve/ });
    expect(lines()).toEqual([]);
  });
});

describe('the inbox', () => {
  it('takes a newer vote on an open question, and no older one', () => {
    const opened = changeInbox(emptyInbox, { type: 'opened', question });
    const voted = {
      ...question,
      plugins: { votes: { needed: 2 } },
      answers: [vote(bob)],
      mayAnswer: false,
      hasAnswered: true,
    } as const;
    const after = changeInbox(opened, { type: 'opened', question: voted });
    expect(after.shown).toEqual([voted]);
    expect(changeInbox(after, { type: 'opened', question }).shown).toEqual([voted]);
  });
});
