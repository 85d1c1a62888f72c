// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CallState, CallView } from '../../lib/client/calls/tool-call.ts';
import { ApprovalCard } from '../../lib/react/card/approval-card.tsx';
import { ToolCard } from '../../lib/react/card/tool-card.tsx';
import { onCardPage, passTime, questionOf, spoken } from '../support/card-fixture.ts';

const question = (id: string) =>
  questionOf({
    id,
    toolCallId: `call-${id}`,
    title: 'Payment',
    input: { to: id },
    description: `Pay ${id}.`,
  });

const call = (id: string, state: CallState, more: Partial<CallView> = {}): CallView => ({
  toolCallId: `call-${id}`,
  toolName: 'pay',
  title: 'Payment',
  state,
  input: { to: id },
  ...more,
});

type Shown = { asks?: string; calls?: readonly CallView[] };

function Page({ asks, calls = [] }: Shown) {
  return (
    <main tabIndex={-1}>
      <textarea aria-label="Message" />
      {calls.map((one) => (
        <ToolCard key={one.toolCallId} call={one} />
      ))}
      {asks !== undefined && <ApprovalCard question={question(asks)} onAnswer={() => true} />}
    </main>
  );
}

const summary = () => document.querySelector('[data-countersign="tool-summary"]');
const focusOn = (name: RegExp) => screen.getByRole('button', { name }).focus();

onCardPage();

describe('when a question leaves the page', () => {
  it('after the last answer, the focus is on the card of its call, and nothing else is announced', async () => {
    const { rerender } = render(<Page asks="Alice" />);
    focusOn(/^Approve/);
    rerender(<Page calls={[call('Alice', 'approved')]} />);
    await passTime(400);
    expect(document.activeElement).toBe(summary());
    expect(spoken()).toBe('');
  });

  it('the next question takes the focus from there, even if it comes later', async () => {
    const { rerender } = render(<Page asks="Alice" />);
    focusOn(/^Deny/);
    rerender(<Page calls={[call('Alice', 'denied')]} />);
    await passTime(400);
    rerender(<Page calls={[call('Alice', 'denied')]} asks="Bob" />);
    expect(document.activeElement).toBe(screen.getByRole('group', { name: /Pay Bob/ }));
  });

  it('does not take the focus from a card of a call that the person chose', async () => {
    const { rerender } = render(<Page calls={[call('Alice', 'denied')]} />);
    const chosen = document.querySelector<HTMLElement>('[data-countersign="tool-summary"]');
    chosen?.focus();
    rerender(<Page calls={[call('Alice', 'denied')]} asks="Bob" />);
    expect(document.activeElement).toBe(chosen);
  });

  it('the focus of a person who types elsewhere stays, and the outcome is announced once', async () => {
    const { rerender } = render(<Page asks="Alice" />);
    screen.getByRole('textbox', { name: 'Message' }).focus();
    const denied = call('Alice', 'denied', { approval: { id: 'Alice', approved: false } });
    rerender(<Page calls={[denied]} />);
    await passTime(400);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }));
    expect(spoken()).toMatch(/Payment.*Denied/);
    expect(spoken().match(/Payment/g)).toHaveLength(1);
  });

  it('without a card of its call, the focus moves to the nearest element that can have it', async () => {
    const { rerender } = render(<Page asks="Alice" />);
    focusOn(/^Approve/);
    rerender(<Page />);
    await passTime(400);
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });
});

describe('the outcome of a call', () => {
  it.each<[CallState, Partial<CallView>, string]>([
    ['done', { summary: 'Paid Alice 30 USD' }, 'Paid Alice 30 USD. Done'],
    ['withheld', { summary: 'Paid Alice 30 USD' }, 'Paid Alice 30 USD'],
    ['failed', { problem: 'The bank is down.' }, 'The bank is down.'],
    ['unknown', { problem: 'The server stopped.' }, 'The server stopped.'],
  ])('that is %s is announced once, when it ends', async (state, more, words) => {
    const { rerender } = render(<Page calls={[call('Alice', 'running')]} />);
    await passTime(400);
    expect(spoken()).toBe('');
    rerender(<Page calls={[call('Alice', state, more)]} />);
    await passTime(400);
    expect(spoken()).toContain(words);
    rerender(<Page calls={[call('Alice', 'done', more)]} />);
    await passTime(400);
    expect(document.querySelectorAll('[data-countersign="announcer"] p')).toHaveLength(1);
  });

  it('that ended before the page was opened is not announced', async () => {
    render(<Page calls={[call('Alice', 'done')]} />);
    await passTime(400);
    expect(spoken()).toBe('');
  });

  it('of two calls that end at once is announced for both', async () => {
    const both = (state: CallState) => [call('Alice', state), call('Bob', state, { title: 'Refund' })];
    const { rerender } = render(<Page calls={both('running')} />);
    rerender(<Page calls={both('done')} />);
    await passTime(400);
    expect(spoken()).toMatch(/Payment.*Refund/);
  });
});
