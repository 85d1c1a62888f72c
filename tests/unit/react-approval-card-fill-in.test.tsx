// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { asSchema } from 'ai';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Question } from '../../lib/client/question.ts';
import { button, loaded, onCardPage, questionOf } from '../support/card-fixture.ts';
import { FormCard, type FormCardProps } from '../support/form-card.ts';

const question = questionOf({
  toolName: 'book/ask',
  title: 'book → ask',
  input: { breakfast: true },
  description: 'How many nights at Ritz?',
  needsInput: true,
  mayEdit: true,
});
const schema = asSchema(
  z.object({ nights: z.number().int(), breakfast: z.boolean().default(true) }),
).jsonSchema;
const loadInputSchema = vi.fn<() => Promise<unknown>>();

async function show(given: Partial<Question> = {}, props: Partial<FormCardProps> = {}) {
  const onAnswer = vi.fn();
  const card = (more: Partial<FormCardProps> = {}) => (
    <FormCard
      question={{ ...question, ...given }}
      onAnswer={onAnswer}
      loadInputSchema={loadInputSchema}
      {...props}
      {...more}
    />
  );
  const { rerender } = render(card());
  await loaded();
  const change = async (more: Partial<FormCardProps>) => {
    rerender(card(more));
    await loaded();
  };
  return { onAnswer, change };
}

const card = () => screen.getByRole('group', { name: /Approval needed/ });
const nights = () => screen.getByLabelText('Nights');
const write = (value: string) => fireEvent.change(nights(), { target: { value } });
const describedBy = (element: HTMLElement) =>
  element
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent);

onCardPage();
beforeEach(() => void loadInputSchema.mockReset().mockResolvedValue(schema));

describe('a card of a question that has to be filled in', () => {
  it('shows its form immediately, and keeps the focus', async () => {
    await show();
    expect(nights()).toHaveProperty('value', '');
    expect(screen.getByRole('group', { name: 'Your answer' })).toBeTruthy();
    expect(document.activeElement).toBe(card());
    expect(screen.queryByRole('button', { name: 'Cancel editing' })).toBeNull();
  });

  it('sends the content of the form with Approve', async () => {
    const { onAnswer } = await show();
    fireEvent.click(button('Approve'));
    await loaded();
    expect(onAnswer).not.toHaveBeenCalled();
    expect(document.activeElement?.textContent).toContain('Required.');
    expect(describedBy(nights())).toEqual(['Required.']);
    write('2');
    expect(card().textContent).not.toMatch(/Proposed|Your changes/);
    fireEvent.click(button('Approve'));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true, input: { nights: 2, breakfast: true } }]]);
  });

  it('can be denied while it is empty', async () => {
    const { onAnswer } = await show();
    fireEvent.click(button('Deny'));
    expect(onAnswer.mock.calls).toEqual([[{ approved: false }]]);
  });

  it('loads the form again with Approve if it could not be loaded', async () => {
    loadInputSchema.mockReset().mockRejectedValueOnce(new Error('No way.')).mockResolvedValue(schema);
    const { onAnswer } = await show();
    expect(card().textContent).toContain("The form couldn't be loaded. No way.");
    fireEvent.click(button('Approve'));
    await loaded();
    expect(onAnswer).not.toHaveBeenCalled();
    expect(nights()).toHaveProperty('value', '');
  });

  it.each<[string, Partial<Question>]>([
    ['has defaults for all its fields', { needsInput: undefined }],
    ['is for somebody who may not edit', { mayEdit: false }],
    ['is settled', { state: 'denied' }],
  ])('stays closed if it %s', async (_, given) => {
    await show(given);
    expect(loadInputSchema).not.toHaveBeenCalled();
  });
});

describe('a card that begins with the edits of a lost answer', () => {
  const lost = { initialAnswer: { approved: true, input: { breakfast: false } } };

  it('approves nothing before its form shows them', async () => {
    loadInputSchema.mockReset().mockRejectedValueOnce(new Error('No way.')).mockResolvedValue(schema);
    const { onAnswer } = await show({ needsInput: undefined }, lost);
    fireEvent.click(button(/^Approve/));
    expect(onAnswer).not.toHaveBeenCalled();
    await loaded();
    write('2');
    fireEvent.click(button(/^Approve/));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true, input: { nights: 2, breakfast: false } }]]);
  });
});

describe('a refusal that names a field', () => {
  const failure = {
    kind: 'refused',
    title: 'Refused',
    detail: 'It does not fit.',
    fieldErrors: [{ path: '/nights' }],
  } as const;
  const refused = (path: string) =>
    new Error(
      JSON.stringify({
        error: { code: 'invalid-request', message: 'It does not fit.', fieldErrors: [{ path }] },
      }),
    );

  async function refuse() {
    const { onAnswer } = await show();
    onAnswer.mockRejectedValueOnce(refused('/nights'));
    write('2');
    fireEvent.click(button('Approve'));
    await loaded();
    await loaded();
    return onAnswer;
  }

  it('is shown at that field until something is changed', async () => {
    const onAnswer = await refuse();
    expect(screen.getByRole('alert').textContent).toBe("Your answer wasn't accepted. It does not fit.");
    expect(describedBy(nights())).toEqual(['Check this value.']);
    expect(nights().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement?.textContent).toContain('Check this value.');
    write('3');
    expect(nights().getAttribute('aria-invalid')).toBeNull();
    fireEvent.click(button('Approve'));
    expect(onAnswer).toHaveBeenCalledTimes(2);
  });

  it('is shown there again in the card that starts from the refused decision', async () => {
    await show(
      {},
      {
        initialAnswer: { approved: true, input: { nights: 9, breakfast: true } },
        failure,
      },
    );
    expect(nights()).toHaveProperty('value', '9');
    expect(describedBy(nights())).toEqual(['Check this value.']);
  });

  it('may come from outside after the answer was given', async () => {
    const { change } = await show();
    write('2');
    fireEvent.click(button('Approve'));
    await change({ failure });
    expect(describedBy(nights())).toEqual(['Check this value.']);
  });
});

describe('a card with which the model asks a person', () => {
  const asked: Partial<Question> = {
    input: { question: 'How many nights?' },
    needsInput: undefined,
    needsValue: true,
    description: 'The assistant asks: “How many nights?”',
  };

  it('opens the form, and sends what the person fills in as the value', async () => {
    const { onAnswer } = await show(asked);
    expect(nights()).toHaveProperty('value', '');
    fireEvent.click(button(/^Send answer/));
    expect(onAnswer).not.toHaveBeenCalled();
    write('3');
    fireEvent.click(button(/^Send answer/));
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith({
      approved: true,
      value: expect.objectContaining({ nights: 3 }),
    });
  });

  it('can be declined', async () => {
    const { onAnswer } = await show(asked);
    fireEvent.click(button(/^Decline/));
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ approved: false });
  });
});
