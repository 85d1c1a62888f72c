// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { readUnsent } from '../../lib/client/card/unsent.ts';
import type { Question } from '../../lib/client/question.ts';
import { ApprovalCard, type ApprovalCardProps } from '../../lib/react/card/approval-card.tsx';
// Loaded here, so that opening the form takes no time.
import '../../lib/react/card/form/json-form.tsx';
import { button, loaded, onCardPage, passTime, questionOf, write } from '../support/card-fixture.ts';

const input = { to: 'Alice', amount: 250 };

async function show(given: Partial<Question> = {}, props: Partial<ApprovalCardProps> = {}) {
  const onAnswer = vi.fn();
  const question = questionOf({ input, mayEdit: true, ...given });
  render(<ApprovalCard question={question} onAnswer={onAnswer} {...props} />);
  await passTime();
  return onAnswer;
}

async function edit(props: Partial<ApprovalCardProps> = {}) {
  const onAnswer = await show({}, props);
  fireEvent.click(button('Edit'));
  await loaded();
  return onAnswer;
}

const box = () => screen.getByLabelText<HTMLTextAreaElement>('Arguments as JSON');
const notes = () => document.getElementById(box().getAttribute('aria-describedby') ?? '')?.textContent;

onCardPage();

describe('a page without forms', () => {
  it('edits arguments as JSON, shows the changes, and keeps the shortcuts off meanwhile', async () => {
    const onAnswer = await edit();
    expect(document.activeElement).toBe(box());
    expect(JSON.parse(box().value)).toEqual(input);
    fireEvent.keyDown(box(), { key: 'Enter', ctrlKey: true });
    expect(onAnswer).not.toHaveBeenCalled();
    write('Arguments as JSON', '{"to": "Alice", "amount": 20}');
    expect(screen.getByRole('region', { name: 'Your changes' }).textContent).toContain('was 250 becomes 20');
    fireEvent.click(button(/^Approve edited/));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true, input: { to: 'Alice', amount: 20 } }]]);
  });

  it('sends nothing that is no JSON', async () => {
    const onAnswer = await edit();
    write('Arguments as JSON', '{"to": "Alice", "amount": 20}');
    write('Arguments as JSON', '{"to": "Alice", ');
    expect(screen.getByRole('region', { name: 'Your changes' }).textContent).toContain('was 250 becomes 20');
    fireEvent.click(button(/^Approve edited/));
    await loaded();
    expect(onAnswer).not.toHaveBeenCalled();
    expect(notes()).toBe('Enter valid JSON.');
    expect(document.activeElement).toBe(box());
    expect(screen.getByRole('alert').textContent).toBe('Check 1 field.');
  });

  it('says what the server refused, and shows characters that the control cannot show', async () => {
    const fieldErrors = [{ path: '/amount', message: 'Too much.' }, { path: '/to' }];
    const failure = { kind: 'refused', title: 'Refused', detail: 'It does not fit.', fieldErrors } as const;
    await edit({ failure });
    expect(notes()).toBe("/amount: Too much./to: This value wasn't accepted.");
    expect(box().getAttribute('aria-invalid')).toBe('true');
    write('Arguments as JSON', '{"to": "A\u202elice"}');
    expect(notes()).toContain('202E');
    expect(notes()).not.toContain('Too much.');
  });

  it('forgets an edit that was undone', async () => {
    await edit();
    write('Arguments as JSON', '{"to": "Alice", "amount": 20}');
    expect(readUnsent(questionOf().id)?.input).toEqual({ to: 'Alice', amount: 20 });
    write('Arguments as JSON', JSON.stringify(input, null, 2));
    expect(readUnsent(questionOf().id)).toBeUndefined();
  });

  it('leaves the form with Escape, and returns the focus', async () => {
    await edit();
    write('Arguments as JSON', '{}');
    fireEvent.keyDown(box(), { key: 'Escape' });
    await passTime();
    expect(screen.queryByLabelText('Arguments as JSON')).toBeNull();
    expect(document.activeElement).toBe(button('Edit'));
  });

  it.each<[string, Partial<Question>]>([
    ['options', { options: [{ id: 'yes', label: 'Yes', then: 'approve' }] }],
    ['a value', { needsValue: true }],
    ['a form of a running call', { needsInput: true }],
  ])('only denies a question with %s, and says so', async (_, given) => {
    const onAnswer = await show(given);
    expect(screen.getByText(/^This page can't show everything/)).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Approve|^Send|^Yes|^Edit/ })).toBeNull();
    const card = screen.getByRole('group', { name: /needed/ });
    fireEvent.keyDown(card, { key: 'Enter', ctrlKey: true });
    expect(onAnswer).not.toHaveBeenCalled();
    fireEvent.keyDown(card, { key: '.', ctrlKey: true });
    expect(onAnswer.mock.calls).toEqual([[{ approved: false }]]);
  });
});
