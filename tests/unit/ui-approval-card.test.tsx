// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Announcer } from '../../app/_chat/announcer.tsx';
import type { CallView } from '../../app/_chat/tool-call.ts';
import { ApprovalCard } from '../../app/_components/approval-card.tsx';

const call: CallView = {
  toolCallId: 'c1',
  toolName: 'process_payment',
  title: 'Process payment',
  state: 'asking',
  input: { recipient: 'Alice', amount: 30 },
};

const descriptor = {
  description: 'Pay Alice 30',
  risk: 'high',
  position: { index: 1, of: 2 },
  mayAnswer: true,
};

function show(given: unknown = descriptor) {
  const onAnswer = vi.fn();
  render(
    <Announcer>
      <textarea data-yields-focus="" aria-label="Message" />
      <ApprovalCard call={call} descriptor={given} onAnswer={onAnswer} />
    </Announcer>,
  );
  return onAnswer;
}

/** The guard of a new card ends after some moments. */
function passGuard() {
  act(() => vi.advanceTimersByTime(1000));
}

describe('the approval card', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    Element.prototype.scrollIntoView = () => undefined;
  });

  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it('says what will happen, to what, by which tool, at which risk and place', () => {
    show();
    const card = screen.getByRole('group', { name: /Approval needed: *Pay Alice 30/ });
    for (const words of ['process_payment', 'High risk', '1 of 2', 'Recipient', 'Alice', 'Amount', '30']) {
      expect(card.textContent).toContain(words);
    }
  });

  it.each([
    ['Approve', true],
    ['Deny', false],
  ])('%s answers once, however often it is clicked', (name, approved) => {
    const onAnswer = show();
    passGuard();
    fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'because' } });
    const button = screen.getByRole('button', { name });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(onAnswer.mock.calls).toEqual([[approved, 'because']]);
  });

  it('ignores the second half of a double click on the question before', () => {
    const onAnswer = show();
    fireEvent.click(screen.getByRole('button', { name: 'Approve' }));
    expect(onAnswer).not.toHaveBeenCalled();
  });

  it.each([
    ['Control and Enter in the reason field approves', { key: 'Enter', ctrlKey: true }, [[true, '']]],
    ['Control and full stop denies', { key: '.', ctrlKey: true }, [[false, '']]],
    ['Enter alone does nothing', { key: 'Enter' }, []],
  ])('%s', (_, keys, answers) => {
    const onAnswer = show();
    passGuard();
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Reason' }), keys);
    expect(onAnswer.mock.calls).toEqual(answers);
  });

  it('takes the focus from an empty message box, and says nothing besides', () => {
    show();
    expect(document.activeElement).toBe(screen.getByRole('group', { name: /Approval needed/ }));
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('offers no answer to somebody who may not give one', () => {
    const onAnswer = show({ ...descriptor, mayAnswer: false });
    passGuard();
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
    fireEvent.keyDown(screen.getByRole('group', { name: /Approval needed/ }), {
      key: 'Enter',
      ctrlKey: true,
    });
    expect(onAnswer).not.toHaveBeenCalled();
  });

  it('leaves the focus with somebody who is typing, and is announced instead, once', () => {
    const page = (isAsked: boolean) => (
      <Announcer>
        <textarea data-yields-focus="" aria-label="Message" defaultValue="half a sent" />
        {isAsked && <ApprovalCard call={call} descriptor={descriptor} onAnswer={() => undefined} />}
      </Announcer>
    );
    const { rerender } = render(page(false));
    const box = screen.getByRole('textbox', { name: 'Message' });
    box.focus();
    rerender(page(true));
    expect(document.activeElement).toBe(box);
    expect(screen.getByRole('status').textContent).toBe(
      'Approval needed, question 1 of 2. Process payment: Pay Alice 30. high risk',
    );
  });
});
