// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/react';
import { asSchema } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Question } from '../../lib/client/question.ts';
import { button, loaded, onCardPage, passTime, questionOf, write } from '../support/card-fixture.ts';
import { withPlugins } from '../support/card-plugins.ts';
import { FormCard, type FormCardProps } from '../support/form-card.ts';

const order = z.object({
  recipient: z.string().min(1),
  amount: z.number().positive().describe('In whole units.'),
  currency: z.enum(['EUR', 'USD']).optional(),
  isUrgent: z.boolean(),
  comment: z.string().nullable(),
  address: z.object({ city: z.string() }).optional(),
  items: z.array(z.object({ sku: z.string() })),
  limits: z.record(z.string(), z.number()),
});

const input = {
  recipient: 'Alice',
  amount: 30,
  isUrgent: false,
  comment: null,
  items: [{ sku: 'a' }, { sku: 'b' }],
  limits: { day: 5 },
};

const question = questionOf({
  toolName: 'process_payment',
  title: 'Process payment',
  input,
  mayEdit: true,
  mayRemember: true,
});

const schema = () => Promise.resolve(asSchema(order).jsonSchema);

async function show(given: Partial<Question> = {}, props: Partial<FormCardProps> = {}) {
  const onAnswer = vi.fn();
  render(
    withPlugins(
      <FormCard
        question={{ ...question, ...given }}
        onAnswer={onAnswer}
        loadInputSchema={schema}
        {...props}
      />,
    ),
  );
  await passTime();
  return onAnswer;
}

async function edit(given: Partial<Question> = {}, props: Partial<FormCardProps> = {}) {
  const onAnswer = await show(given, props);
  fireEvent.click(button('Edit'));
  await loaded();
  return onAnswer;
}

const card = () => screen.getByRole('group', { name: /Approval needed/ });
const field = (name: string | RegExp) => screen.getByLabelText(name);
const choose = (group: string | RegExp, option: string) =>
  fireEvent.click(
    within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name: option }),
  );
const changes = () => screen.getByRole('region', { name: 'Your changes' }).textContent;

onCardPage();
afterEach(() => void vi.unstubAllGlobals());

describe('editing the arguments', () => {
  it('is offered only to people who may edit', async () => {
    await show({ mayEdit: false });
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  });

  it('requests the schema from the server when a person starts', async () => {
    const fetched = vi.fn(async () =>
      Response.json({ approval: {}, history: [], inputSchema: asSchema(order).jsonSchema }),
    );
    vi.stubGlobal('fetch', fetched);
    await show({ id: 'q/1' }, { loadInputSchema: undefined });
    expect(fetched).not.toHaveBeenCalled();
    fireEvent.click(button('Edit'));
    await loaded();
    expect(fetched.mock.calls).toEqual([['/api/approvals/q%2F1', { cache: 'no-store' }]]);
    expect(field('Recipient')).toHaveProperty('value', 'Alice');
  });

  it('reports that the form could not be loaded, and tries again', async () => {
    const load = vi.fn().mockRejectedValueOnce(new Error('No way.')).mockImplementation(schema);
    await edit({}, { loadInputSchema: load });
    expect(card().textContent).toContain("The form couldn't be loaded. No way.");
    fireEvent.click(button('Edit'));
    await loaded();
    expect(field('Recipient')).toHaveProperty('value', 'Alice');
  });

  it('moves the focus into the form and back to where it was', async () => {
    await edit();
    expect(document.activeElement).toBe(field('Recipient'));
    fireEvent.click(button('Cancel editing'));
    await passTime();
    expect(document.activeElement).toBe(button('Edit'));
    expect(card().textContent).toContain('Alice');
  });

  it.each([
    ['a text', () => write('Recipient', 'Bob'), { recipient: 'Bob' }, 'Recipientwas Alice becomes Bob'],
    ['a number', () => write('Amount', '12.5'), { amount: 12.5 }, 'Amountwas 30 becomes 12.5'],
    [
      'a choice that was not given',
      () => choose(/^Currency/, 'USD'),
      { currency: 'USD' },
      'Currencywas Not set becomes USD',
    ],
    ['yes or no', () => choose('Is urgent', 'Yes'), { isUrgent: true }, 'Is urgentwas No becomes Yes'],
    ['a null', () => write('Comment', 'hello'), { comment: 'hello' }, 'Commentwas none becomes hello'],
    ['JSON', () => write('Limits', '{"day":6}'), { limits: { day: 6 } }, 'Limits · Daywas 5 becomes 6'],
    [
      'an item',
      () => fireEvent.change(screen.getAllByLabelText('Sku')[1] ?? card(), { target: { value: 'c' } }),
      { items: [{ sku: 'a' }, { sku: 'c' }] },
      'Items · Item 2 · Skuwas b becomes c',
    ],
    [
      'a removed item',
      () => fireEvent.click(button('Remove: Items, Item 1')),
      { items: [{ sku: 'b' }] },
      'Items',
    ],
    [
      'an added item',
      () => {
        fireEvent.click(button('Add: Items'));
        fireEvent.change(screen.getAllByLabelText('Sku')[2] ?? card(), { target: { value: 'c' } });
      },
      { items: [{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }] },
      'Items',
    ],
    [
      'an object that was not given',
      () => {
        fireEvent.click(button('Add: Address'));
        write('City', 'Oslo');
      },
      { address: { city: 'Oslo' } },
      'Addresswas Not set becomes CityOslo',
    ],
  ])('changes %s, shows the change and approves it', async (_, change, expected, shown) => {
    const onAnswer = await edit();
    change();
    expect(changes()).toContain(shown);
    fireEvent.click(button(/^Approve edited/));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true, input: { ...input, ...expected } }]]);
  });

  it('approves the proposal if nothing was changed in the end', async () => {
    const onAnswer = await edit();
    write('Recipient', 'Bob');
    write('Recipient', 'Alice');
    expect(changes()).toBe('No changes yet.');
    fireEvent.click(button('Approve'));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true }]]);
  });

  it('says that the sentence describes the proposal while the arguments differ from it', async () => {
    await edit();
    write('Amount', '20');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(
      'Approval needed: Proposed: Pay Alice 30',
    );
    expect(button(/^Approve edited/).getAttribute('aria-describedby')).toBe(
      screen.getByRole('region', { name: 'Your changes' }).id,
    );
  });

  it('does not send invalid values, but lists each field with the reason, and focuses the list', async () => {
    const onAnswer = await edit();
    write('Recipient', '');
    write('Amount', '-1');
    expect(card().textContent).not.toContain('More than 0.');
    fireEvent.click(button(/^Approve/));
    await passTime();
    expect(onAnswer).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toBe('Check 2 fields.');
    const summary = screen.getByRole('group', { name: 'There is a problem' });
    expect(document.activeElement).toBe(summary);
    const links = within(summary).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Recipient: Required.',
      'Amount: More than 0.',
    ]);
    fireEvent.click(links[1] ?? summary);
    expect(document.activeElement).toBe(field('Amount'));
    const amount = field('Amount');
    expect(amount.getAttribute('aria-invalid')).toBe('true');
    const told = amount.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(told.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'More than 0.',
      'In whole units.',
    ]);
    write('Recipient', 'Bob');
    write('Amount', '1');
    expect(screen.getByRole('alert').textContent).toBe('');
    expect(summary.isConnected).toBe(false);
    fireEvent.click(button(/^Approve edited/));
    expect(onAnswer).toHaveBeenCalledOnce();
  });

  it('shows the server’s refusal and loses no edit', async () => {
    const onAnswer = await edit();
    onAnswer.mockRejectedValueOnce(
      new Error('{"error":{"code":"invalid-request","message":"They do not fit."}}'),
    );
    write('Amount', '7');
    fireEvent.click(button(/^Approve edited/));
    await passTime();
    await passTime();
    expect(screen.getByRole('alert').textContent).toBe("Your answer wasn't accepted. They do not fit.");
    expect(field('Amount')).toHaveProperty('value', '7');
    expect(button(/^Approve edited/).getAttribute('aria-disabled')).toBe('false');
  });

  it('continues with edits that were refused before', async () => {
    await show({}, { initialAnswer: { approved: true, input: { ...input, amount: 9 } } });
    await loaded();
    expect(field('Amount')).toHaveProperty('value', '9');
    expect(changes()).toContain('was 30 becomes 9');
  });

  it('discards the edits on a denial', async () => {
    const onAnswer = await edit();
    write('Amount', 'no number');
    fireEvent.click(button('Deny'));
    expect(onAnswer.mock.calls).toEqual([[{ approved: false }]]);
  });

  it.each([
    ['Enter', { key: 'Enter', ctrlKey: true }],
    ['full stop', { key: '.', ctrlKey: true }],
  ])('prevents Control and %s from answering while a field is focused', async (_, keys) => {
    const onAnswer = await edit();
    fireEvent.keyDown(field('Recipient'), keys);
    expect(onAnswer).not.toHaveBeenCalled();
    fireEvent.keyDown(card(), keys);
    expect(onAnswer).toHaveBeenCalledOnce();
  });

  it('keeps a hidden value as it was shown, unless it is replaced', async () => {
    const hidden = { ...input, recipient: '[redacted]' };
    const onAnswer = await edit({ input: hidden });
    expect(card().textContent).toContain('Hidden. Keeps its current value.');
    write('Amount', '7');
    fireEvent.click(button('Replace: Recipient'));
    write('Recipient', 'Bob');
    fireEvent.click(button('Keep the current value: Recipient'));
    fireEvent.click(button(/^Approve edited/));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true, input: { ...hidden, amount: 7 } }]]);
  });

  it('edits the whole input as JSON if there is no schema', async () => {
    const onAnswer = await edit({}, { loadInputSchema: async () => undefined });
    write('Arguments', '{"a":');
    fireEvent.click(button(/^Approve/));
    await passTime();
    expect(card().textContent).toContain('Enter valid JSON.');
    write('Arguments', '{"a":1}');
    fireEvent.click(button(/^Approve edited/));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true, input: { a: 1 } }]]);
  });

  it('says so if there is nothing to edit', async () => {
    await edit({ input: {} }, { loadInputSchema: async () => ({ type: 'object', properties: {} }) });
    expect(card().textContent).toContain('This tool takes no arguments.');
  });
});

describe('remembering', () => {
  const pick = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));

  it('is offered only to people who may have approvals remembered', async () => {
    await show({ mayRemember: false });
    expect(screen.queryByText('Remember this approval')).toBeNull();
  });

  it('is off unless it is chosen', async () => {
    const onAnswer = await show();
    fireEvent.click(screen.getByText('Remember this approval'));
    fireEvent.click(button('Approve'));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true }]]);
  });

  it.each([
    [
      'This chat',
      'These exact arguments',
      { scope: 'chat', match: 'exact-arguments' },
      /rest of this chat.*with these exact arguments/,
    ],
    ['This chat', 'Any arguments', { scope: 'chat', match: 'tool' }, /rest of this chat, with any arguments/],
    [
      'All my chats',
      'These exact arguments',
      { scope: 'me', match: 'exact-arguments' },
      /all your chats.*with these exact arguments/,
    ],
    ['All my chats', 'Any arguments', { scope: 'me', match: 'tool' }, /all your chats, with any arguments/],
  ])('%s, %s: says what will be allowed, and sends it', async (scope, match, remember, words) => {
    const onAnswer = await show();
    pick(scope);
    pick(match);
    expect(within(card()).getByText(words).textContent).toContain('Process payment will run without asking');
    fireEvent.click(button(/^Approve and remember/));
    expect(onAnswer.mock.calls).toEqual([[{ approved: true, plugins: { remembered: remember } }]]);
  });

  it('is withdrawn by choosing only this time, and is never sent with a denial', async () => {
    const onAnswer = await show();
    pick('All my chats');
    pick('This call only');
    expect(screen.queryByRole('radio', { name: 'Any arguments' })).toBeNull();
    pick('This chat');
    fireEvent.click(button('Deny'));
    expect(onAnswer.mock.calls).toEqual([[{ approved: false }]]);
  });

  it('is possible with edited arguments, and the button says both', async () => {
    const onAnswer = await edit();
    write('Amount', '7');
    pick('This chat');
    fireEvent.click(button(/^Approve edited and remember/));
    expect(onAnswer.mock.calls).toEqual([
      [
        {
          approved: true,
          input: { ...input, amount: 7 },
          plugins: { remembered: { scope: 'chat', match: 'exact-arguments' } },
        },
      ],
    ]);
  });
});
