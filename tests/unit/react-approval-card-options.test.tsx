// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { asSchema } from 'ai';
import { formsCard } from 'countersign/plugins/forms/react';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Question } from '../../lib/client/question.ts';
import { CardActions } from '../../lib/react/card/answer/action-parts.tsx';
import { CardFrame } from '../../lib/react/card/card-frame.tsx';
import { CardHeading } from '../../lib/react/card/heading-parts.tsx';
import { button, loaded, onCardPage, passTime, questionOf } from '../support/card-fixture.ts';
import { withPlugins } from '../support/card-plugins.ts';
import { FormCard } from '../support/form-card.ts';

const question = questionOf({
  input: { to: 'Alice', amount: 250 },
  description: 'Pay 250 to Alice.',
  options: [
    { id: 'approve', label: 'Approve', then: 'approve' },
    {
      ...{ id: 'up-to-100', label: 'Approve up to 100', then: 'approve' },
      input: { to: 'Alice', amount: 100 },
      description: 'Pay 100 to Alice.',
    },
    { id: 'later', label: 'Ask me later', then: 'deny' },
    { id: 'never', label: 'Never', then: 'deny' },
  ],
  mayEdit: true,
  mayRemember: true,
});

async function show(given: Partial<Question> = {}) {
  const onAnswer = vi.fn();
  const loadInputSchema = async () => asSchema(z.object({ to: z.string(), amount: z.number() })).jsonSchema;
  const props = { onAnswer, loadInputSchema };
  const { rerender } = render(<FormCard question={{ ...question, ...given }} {...props} />);
  await loaded();
  return {
    onAnswer,
    again: (more: Partial<Question>) => rerender(<FormCard question={{ ...question, ...more }} {...props} />),
  };
}

const names = () =>
  [...document.querySelectorAll('[data-countersign="card-actions"] button')].map(
    (one) => one.firstChild?.textContent,
  );
const press = (key: string) =>
  fireEvent.keyDown(screen.getByRole('group', { name: /Approval needed/ }), { key, ctrlKey: true });

onCardPage();

it('a card of another layout approves no option whose arguments it does not show', async () => {
  const onAnswer = vi.fn();
  const options = question.options?.filter(({ id }) => id === 'up-to-100') ?? [];
  render(
    withPlugins(
      <CardFrame question={{ ...question, options }} onAnswer={onAnswer}>
        <CardHeading />
        <CardActions />
      </CardFrame>,
      [formsCard({})],
    ),
  );
  await passTime();
  fireEvent.click(button('Approve up to 100'));
  expect(onAnswer).not.toHaveBeenCalled();
});

describe('a card with options', () => {
  it('has a button for each option, and says what those with other arguments would run', async () => {
    await show();
    expect(names()).toEqual(['Ask me later', 'Approve up to 100', 'Never', 'Approve']);
    const list = within(screen.getByRole('region', { name: 'What each option does' }));
    expect(list.getByText('Pay 100 to Alice.')).toBeDefined();
    expect(list.getByText('Amount')).toBeDefined();
    const described = button('Approve up to 100').getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described)?.textContent).toContain('Pay 100 to Alice.');
  });

  it.each([
    ['Approve up to 100', { approved: true, option: 'up-to-100' }],
    ['Never', { approved: false, option: 'never' }],
    [/^Ask me later/, { approved: false, option: 'later' }],
    ['Approve', { approved: true, option: 'approve' }],
  ] as const)('sends the option of the button %s', async (name, answer) => {
    const { onAnswer } = await show();
    fireEvent.click(button(name));
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(answer);
  });

  it.each([
    ['Enter', { approved: true, option: 'approve' }],
    ['.', { approved: false, option: 'later' }],
  ])('answers with the keys Ctrl %s', async (key, answer) => {
    const { onAnswer } = await show();
    press(key);
    expect(onAnswer).toHaveBeenCalledExactlyOnceWith(answer);
  });

  it('sends edited arguments without an option, and an option without the edits', async () => {
    const { onAnswer } = await show();
    fireEvent.click(button('Edit'));
    await loaded();
    fireEvent.change(screen.getByLabelText(/Amount/), { target: { value: '20' } });
    fireEvent.click(button(/^Approve edited/));
    expect(onAnswer).toHaveBeenLastCalledWith({ approved: true, input: { to: 'Alice', amount: 20 } });
    cleanup();
    const second = await show({ id: 'q2' });
    fireEvent.click(button('Edit'));
    await loaded();
    fireEvent.change(screen.getByLabelText(/Amount/), { target: { value: '20' } });
    fireEvent.click(button('Approve up to 100'));
    expect(second.onAnswer).toHaveBeenLastCalledWith({ approved: true, option: 'up-to-100' });
  });

  it('keeps Deny if no option denies, and makes the first that approves the primary one', async () => {
    const options = question.options?.filter(({ id }) => id === 'up-to-100');
    const { onAnswer } = await show({ options });
    expect(names()).toEqual(['Deny', 'Approve up to 100']);
    press('Enter');
    expect(onAnswer).toHaveBeenLastCalledWith({ approved: true, option: 'up-to-100' });
  });

  it('offers only denials while the tool is paused or has changed', async () => {
    const { onAnswer } = await show({ paused: { reason: 'Audit.' } });
    fireEvent.click(button('Approve up to 100'));
    press('Enter');
    expect(onAnswer).not.toHaveBeenCalled();
    cleanup();
    await show({ id: 'q3', outdated: true });
    expect(names()).toEqual(['Ask me later', 'Never']);
  });

  it('says which option was chosen', async () => {
    const { again } = await show();
    const by = { by: { id: 'ben', name: 'Ben' }, at: '2026-07-01T10:00:00.000Z', via: 'http' };
    again({
      state: 'approved',
      answer: {
        ...by,
        approved: true,
        option: { id: 'up-to-100', label: 'Approve up to 100' },
        input: { to: 'Alice', amount: 100 },
      },
    });
    expect(document.querySelector('[data-countersign="card-settled"]')?.textContent).toContain(
      'Approved: up to 100 by Ben',
    );
    expect(names()).toEqual([]);
  });
});
