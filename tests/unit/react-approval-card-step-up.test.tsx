// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { parseQuestion, type Question } from '../../lib/client/question.ts';
import { ApprovalCard, type ApprovalCardProps } from '../../lib/react/card/approval-card.tsx';
import { button, onCardPage, passTime } from '../support/card-fixture.ts';

const needed = { maxAgeMs: 60_000, needed: true };
const wire = {
  ...{ id: 'q1', chatId: 'chat', toolCallId: 'c1', toolName: 'rotate_key', input: {} },
  ...{ description: 'Rotate the key.', state: 'open', mayAnswer: true, stepUp: needed },
};

function show(given: object = {}, props: Partial<ApprovalCardProps> = {}) {
  const onAnswer = vi.fn();
  const question = parseQuestion({ ...wire, ...given }) as Question;
  render(<ApprovalCard question={question} onAnswer={onAnswer} {...props} />);
  return onAnswer;
}

const answers = () => [button(/Deny/), button(/Approve/)];
const areDisabled = () => answers().map((one) => one.getAttribute('aria-disabled') === 'true');

onCardPage();

describe('a question that requires a recent sign-in', () => {
  it('asks for it with a button, and accepts no answer before, by mouse or keyboard', async () => {
    const onStepUp = vi.fn(() => new Promise(() => {}));
    const onAnswer = show({}, { onStepUp });
    await passTime();
    expect(screen.getByText('Sign in again to answer this request.')).toBeTruthy();
    for (const one of answers()) {
      expect(document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
        /Sign in/,
      );
      fireEvent.click(one);
    }
    fireEvent.keyDown(screen.getByRole('group', { name: /Rotate/ }), { key: 'Enter', ctrlKey: true });
    expect(onAnswer).not.toHaveBeenCalled();
    fireEvent.click(button('Sign in again'));
    fireEvent.click(button('Sign in again'));
    expect(onStepUp).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'q1' }));
    expect(areDisabled()).toEqual([true, true]);
  });

  it('accepts the answer once the person has signed in', async () => {
    const onAnswer = show({}, { onStepUp: async () => {} });
    await passTime();
    fireEvent.click(button('Sign in again'));
    await passTime();
    expect(screen.queryByText(/Sign in again/)).toBeNull();
    fireEvent.click(button(/Approve/));
    expect(onAnswer).toHaveBeenCalledWith({ approved: true });
  });

  it('keeps asking if the sign-in failed', async () => {
    show({}, { onStepUp: () => Promise.reject(new Error('The window was closed.')) });
    await passTime();
    fireEvent.click(button('Sign in again'));
    await passTime();
    expect(button('Sign in again').getAttribute('aria-disabled')).toBe('false');
    expect(areDisabled()).toEqual([true, true]);
  });

  it('says what is needed if the page has no way to sign in', async () => {
    show();
    await passTime();
    expect(screen.getByText(/then reload this page/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sign in again' })).toBeNull();
    expect(areDisabled()).toEqual([true, true]);
  });

  it('offers the sign-in again when it is no longer recent', async () => {
    const refused = { error: { code: 'step-up-required', message: 'Sign in again, then answer it.' } };
    const onAnswer = () => Promise.reject(new Error(JSON.stringify(refused)));
    const onStepUp = vi.fn();
    show({ stepUp: { ...needed, needed: false } }, { onAnswer, onStepUp });
    await passTime();
    expect(screen.queryByRole('button', { name: 'Sign in again' })).toBeNull();
    fireEvent.click(button(/Approve/));
    await passTime();
    expect(screen.getByRole('alert').textContent).toContain('Sign in again, then answer it.');
    fireEvent.click(button('Sign in again'));
    expect(onStepUp).toHaveBeenCalledOnce();
  });

  it.each<[string, object]>([
    ['one that needs none', { stepUp: undefined }],
    ['one that someone else answers', { mayAnswer: false }],
    ['one that is settled', { state: 'approved' }],
  ])('does not mention it with %s', async (_what, given) => {
    show(given, { onStepUp: vi.fn() });
    await passTime();
    expect(screen.queryByText(/[Ss]ign.in/)).toBeNull();
  });
});
