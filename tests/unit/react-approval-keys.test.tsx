// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../lib/client/question.ts';
import { ApprovalKeys, ApprovalKeysButton } from '../../lib/react/keys/approval-keys.tsx';
import { onCardPage, passTime, questionOf } from '../support/card-fixture.ts';
import { FormCard } from '../support/form-card.ts';

const question = (id: string, more: Partial<Question> = {}) =>
  questionOf({
    ...{ id, toolCallId: `call-${id}`, title: 'Payment', input: { to: id }, description: `Pay ${id}.` },
    ...{ mayEdit: true, ...more },
  });

async function show(...questions: readonly Question[]) {
  const onAnswer = vi.fn();
  render(
    <ApprovalKeys>
      <textarea aria-label="Message" />
      <ApprovalKeysButton />
      {questions.map((one) => (
        <FormCard
          key={one.id}
          question={one}
          attention="none"
          onAnswer={(answer) => onAnswer(one.id, answer.approved)}
          loadInputSchema={async () => ({ type: 'object', properties: { to: { type: 'string' } } })}
        />
      ))}
    </ApprovalKeys>,
  );
  await passTime(400);
  return onAnswer;
}

const card = (id: string) => screen.getByRole('group', { name: new RegExp(`Pay ${id}`) });

function type(
  key: string,
  more: KeyboardEventInit = {},
  target: Element = document.activeElement ?? document.body,
) {
  fireEvent.keyDown(target, { key, bubbles: true, cancelable: true, ...more });
}

onCardPage();
beforeEach(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
    this.open = true;
    this.querySelector<HTMLElement>('button, input')?.focus();
  };
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
});

describe('a single key', () => {
  it.each([
    ['a', [['Alice', true]]],
    ['d', [['Alice', false]]],
    ['x', []],
    ['Enter', []],
  ])('%s answers the card with the focus: %j', async (key, answers) => {
    const onAnswer = await show(question('Alice'), question('Bob'));
    card('Alice').focus();
    type(key);
    expect(onAnswer.mock.calls).toEqual(answers);
  });

  it('e opens the form of the card with the focus', async () => {
    await show(question('Alice'), question('Bob'));
    card('Bob').focus();
    type('e');
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(card('Bob').contains(screen.getByRole('group', { name: 'Edit arguments' }))).toBe(true);
  });

  it('j and k move between questions, and stop at the ends', async () => {
    await show(question('Alice'), question('Bob'));
    const visited = ['j', 'j', 'j', 'k', 'k'].map((key) => {
      type(key);
      return document.activeElement;
    });
    expect(visited).toEqual([card('Alice'), card('Bob'), card('Bob'), card('Alice'), card('Alice')]);
  });

  it('without the focus on a question first leads to the only one, and does nothing if there are several', async () => {
    const onAnswer = await show(question('Alice'));
    type('a');
    expect(document.activeElement).toBe(card('Alice'));
    expect(onAnswer).not.toHaveBeenCalled();
    type('a');
    expect(onAnswer.mock.calls).toEqual([['Alice', true]]);
    cleanup();
    const others = await show(question('Bob'), question('Carol'));
    type('a');
    type('a');
    expect(others).not.toHaveBeenCalled();
  });

  it.each<[string, () => Element | null, KeyboardEventInit]>([
    ['while a person types a message', () => screen.getByRole('textbox', { name: 'Message' }), {}],
    ['while a person types a reason', () => screen.getByRole('textbox', { name: 'Reason' }), {}],
    ['with Control', () => card('Alice'), { ctrlKey: true }],
    ['with Alt', () => card('Alice'), { altKey: true }],
    ['with Command', () => card('Alice'), { metaKey: true }],
    ['while it is held', () => card('Alice'), { repeat: true }],
    ['that ends the composition of a character', () => card('Alice'), { isComposing: true }],
  ])('does nothing %s', async (_when, target, more) => {
    const onAnswer = await show(question('Alice'));
    const element = target();
    if (element instanceof HTMLElement) element.focus();
    for (const key of ['a', 'd', 'e', 'j', '?']) type(key, more);
    expect(onAnswer).not.toHaveBeenCalled();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(element);
  });
});

describe('a question of high risk', () => {
  it.each([
    ['Cancel', []],
    ['Yes, approve it', [['Alice', true]]],
  ])('is approved by a only after a confirmation: %s', async (name, answers) => {
    const onAnswer = await show(question('Alice', { risk: 'high' }));
    card('Alice').focus();
    type('a');
    const dialog = screen.getByRole('dialog', { name: 'Approve this high-risk request?' });
    expect(dialog.textContent).toContain('Pay Alice.');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
    type('a');
    type('d');
    expect(onAnswer).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name }));
    expect(onAnswer.mock.calls).toEqual(answers);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is not asked about while it cannot be approved', async () => {
    const onAnswer = await show(question('Alice', { risk: 'high', paused: { reason: 'The bank is down.' } }));
    card('Alice').focus();
    type('a');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(onAnswer).not.toHaveBeenCalled();
  });

  it('is denied by d immediately', async () => {
    const onAnswer = await show(question('Alice', { risk: 'high' }));
    card('Alice').focus();
    type('d');
    expect(onAnswer.mock.calls).toEqual([['Alice', false]]);
  });
});

describe('the list of keys', () => {
  it('is opened by ? and by its button', async () => {
    await show(question('Alice'));
    type('?', { shiftKey: true });
    expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' }).textContent).toContain('Next request');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
    expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
  });

  it.each([
    ['does nothing while another dialog is open', '', []],
    ['answers while another dialog is hidden', 'hidden', [['Alice', true]]],
    ['answers while another dialog is not displayed', 'style="display: none"', [['Alice', true]]],
  ])('%s', async (_what, attribute, answers) => {
    const onAnswer = await show(question('Alice'));
    document.body.insertAdjacentHTML('beforeend', `<div role="dialog" ${attribute}></div>`);
    card('Alice').focus();
    type('a');
    expect(onAnswer.mock.calls).toEqual(answers);
  });

  it('turns the keys off, also after a reload', async () => {
    const onAnswer = await show(question('Alice'));
    fireEvent.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Use single-key shortcuts' }));
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    card('Alice').focus();
    type('a');
    cleanup();
    await show(question('Alice'));
    card('Alice').focus();
    type('a');
    type('?');
    expect(onAnswer).not.toHaveBeenCalled();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
