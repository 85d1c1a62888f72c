// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { asSchema } from 'ai';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Question } from '../../lib/client/question.ts';
import { ApprovalCard, type ApprovalCardProps } from '../../lib/react/card/approval-card.tsx';

const order = z.object({
  recipient: z.string().min(1),
  amount: z.number().positive().describe('In whole units.'),
  currency: z.enum(['EUR', 'USD']).optional(),
  isUrgent: z.boolean(),
  comment: z.string().nullable(),
  address: z.object({ city: z.string() }).optional(),
  items: z.array(z.object({ sku: z.string() })),
  anything: z.union([z.string(), z.number()]),
});

const input = {
  recipient: 'Alice',
  amount: 30,
  isUrgent: false,
  comment: null,
  items: [{ sku: 'a' }, { sku: 'b' }],
  anything: 5,
};

const question: Question = {
  id: 'q1',
  chatId: 'chat',
  toolCallId: 'c1',
  toolName: 'process_payment',
  title: 'Process payment',
  input,
  description: 'Pay Alice 30',
  state: 'open',
  mayAnswer: true,
  mayEdit: true,
  mayRemember: true,
};

const schema = () => Promise.resolve(asSchema(order).jsonSchema);

async function show(given: Partial<Question> = {}, props: Partial<ApprovalCardProps> = {}) {
  const onDecide = vi.fn();
  render(
    <ApprovalCard
      question={{ ...question, ...given }}
      onDecide={onDecide}
      loadInputSchema={schema}
      {...props}
    />,
  );
  await passTime();
  return onDecide;
}

async function edit(given: Partial<Question> = {}, props: Partial<ApprovalCardProps> = {}) {
  const onDecide = await show(given, props);
  fireEvent.click(button('Edit'));
  await passTime();
  return onDecide;
}

const card = () => screen.getByRole('group', { name: /Approval needed/ });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const field = (name: string | RegExp) => screen.getByLabelText(name);
const write = (name: string | RegExp, value: string) => fireEvent.change(field(name), { target: { value } });
const changes = () => screen.getByRole('region', { name: 'Your changes' }).textContent;

async function passTime(milliseconds = 1000) {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = () => undefined;
});

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('editing the arguments', () => {
  it('is offered only to whom may edit', async () => {
    await show({ mayEdit: false });
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  });

  it('asks the server for the schema, once somebody begins', async () => {
    const fetched = vi.fn(async () =>
      Response.json({ approval: {}, history: [], inputSchema: asSchema(order).jsonSchema }),
    );
    vi.stubGlobal('fetch', fetched);
    await show({ id: 'q/1' }, { loadInputSchema: undefined });
    expect(fetched).not.toHaveBeenCalled();
    fireEvent.click(button('Edit'));
    await passTime();
    expect(fetched.mock.calls).toEqual([['/api/approvals/q%2F1', { cache: 'no-store' }]]);
    expect(field('Recipient')).toHaveProperty('value', 'Alice');
  });

  it('says when the form cannot be had, and tries again', async () => {
    const load = vi.fn().mockRejectedValueOnce(new Error('No way.')).mockImplementation(schema);
    await edit({}, { loadInputSchema: load });
    expect(card().textContent).toContain('The form could not be prepared. No way.');
    fireEvent.click(button('Edit'));
    await passTime();
    expect(field('Recipient')).toHaveProperty('value', 'Alice');
  });

  it('moves the focus into the form and back to where it began', async () => {
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
      () => write(/^Currency/, '1'),
      { currency: 'USD' },
      'Currencywas Not given becomes USD',
    ],
    ['yes or no', () => write('Is urgent', '0'), { isUrgent: true }, 'Is urgentwas No becomes Yes'],
    ['a null', () => write('Comment', 'hello'), { comment: 'hello' }, 'Commentwas none becomes hello'],
    ['JSON', () => write('Anything', '"six"'), { anything: 'six' }, 'Anythingwas 5 becomes six'],
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
      'Addresswas Not given becomes CityOslo',
    ],
  ])('changes %s, shows the change and approves it', async (_, change, expected, shown) => {
    const onDecide = await edit();
    change();
    expect(changes()).toContain(shown);
    fireEvent.click(button(/^Approve edited/));
    expect(onDecide.mock.calls).toEqual([[{ approved: true, input: { ...input, ...expected } }]]);
  });

  it('approves the proposal when nothing was changed in the end', async () => {
    const onDecide = await edit();
    write('Recipient', 'Bob');
    write('Recipient', 'Alice');
    expect(changes()).toBe('Nothing is changed yet.');
    fireEvent.click(button('Approve'));
    expect(onDecide.mock.calls).toEqual([[{ approved: true }]]);
  });

  it('says that the sentence is the proposal’s while the arguments differ from it', async () => {
    await edit();
    write('Amount', '20');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(
      'Approval needed: Proposed: Pay Alice 30',
    );
    expect(button(/^Approve edited/).getAttribute('aria-describedby')).toBe(
      screen.getByRole('region', { name: 'Your changes' }).id,
    );
  });

  it('does not send what cannot be right: it names each field, says why, and goes to the first', async () => {
    const onDecide = await edit();
    write('Recipient', '');
    write('Amount', '-1');
    expect(card().textContent).not.toContain('More than 0.');
    fireEvent.click(button(/^Approve/));
    await passTime();
    expect(onDecide).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toBe('2 fields need another look.');
    expect(document.activeElement).toBe(field('Recipient'));
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
    fireEvent.click(button(/^Approve edited/));
    expect(onDecide).toHaveBeenCalledOnce();
  });

  it('shows the refusal of the server and loses no edit', async () => {
    const onDecide = await edit();
    onDecide.mockRejectedValueOnce(
      new Error('{"error":{"code":"invalid-request","message":"They do not fit."}}'),
    );
    write('Amount', '7');
    fireEvent.click(button(/^Approve edited/));
    await passTime();
    await passTime();
    expect(screen.getByRole('alert').textContent).toBe('Your answer was not taken. They do not fit.');
    expect(field('Amount')).toHaveProperty('value', '7');
    expect(button(/^Approve edited/).getAttribute('aria-disabled')).toBe('false');
  });

  it('goes on with edits that were refused before', async () => {
    await show({}, { initialDecision: { approved: true, input: { ...input, amount: 9 } } });
    expect(field('Amount')).toHaveProperty('value', '9');
    expect(changes()).toContain('was 30 becomes 9');
  });

  it('drops the edits when it is denied', async () => {
    const onDecide = await edit();
    write('Amount', 'no number');
    fireEvent.click(button('Deny'));
    expect(onDecide.mock.calls).toEqual([[{ approved: false }]]);
  });

  it.each([
    ['Enter', { key: 'Enter', ctrlKey: true }],
    ['full stop', { key: '.', ctrlKey: true }],
  ])('keeps Control and %s from answering while a field is written in', async (_, keys) => {
    const onDecide = await edit();
    fireEvent.keyDown(field('Recipient'), keys);
    expect(onDecide).not.toHaveBeenCalled();
    fireEvent.keyDown(card(), keys);
    expect(onDecide).toHaveBeenCalledOnce();
  });

  it('keeps a hidden value as it was shown, unless it is replaced', async () => {
    const hidden = { ...input, recipient: '[redacted]' };
    const onDecide = await edit({ input: hidden });
    expect(card().textContent).toContain('Hidden. It stays as it is.');
    write('Amount', '7');
    fireEvent.click(button('Replace: Recipient'));
    write('Recipient', 'Bob');
    fireEvent.click(button('Keep as it was: Recipient'));
    fireEvent.click(button(/^Approve edited/));
    expect(onDecide.mock.calls).toEqual([[{ approved: true, input: { ...hidden, amount: 7 } }]]);
  });

  it('edits the whole as JSON where there is no schema', async () => {
    const onDecide = await edit({}, { loadInputSchema: async () => undefined });
    write('Arguments', '{"a":');
    fireEvent.click(button(/^Approve/));
    await passTime();
    expect(card().textContent).toContain('This is no JSON.');
    write('Arguments', '{"a":1}');
    fireEvent.click(button(/^Approve edited/));
    expect(onDecide.mock.calls).toEqual([[{ approved: true, input: { a: 1 } }]]);
  });

  it('says so when there is nothing to edit', async () => {
    await edit({ input: {} }, { loadInputSchema: async () => ({ type: 'object', properties: {} }) });
    expect(card().textContent).toContain('This tool takes no arguments.');
  });
});

describe('remembering', () => {
  const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }));

  it('is offered only to whom may have it remembered', async () => {
    await show({ mayRemember: false });
    expect(screen.queryByText('Remember this approval')).toBeNull();
  });

  it('remembers nothing unless it is chosen', async () => {
    const onDecide = await show();
    fireEvent.click(screen.getByText('Remember this approval'));
    fireEvent.click(button('Approve'));
    expect(onDecide.mock.calls).toEqual([[{ approved: true }]]);
  });

  it.each([
    [
      'In this chat',
      'Exactly these arguments',
      { scope: 'chat', match: 'exact-arguments' },
      /rest of this chat.*exactly these/,
    ],
    ['In this chat', 'Any arguments', { scope: 'chat', match: 'tool' }, /rest of this chat.*whatever/],
    [
      'Always, for me',
      'Exactly these arguments',
      { scope: 'me', match: 'exact-arguments' },
      /all your chats.*exactly these/,
    ],
    ['Always, for me', 'Any arguments', { scope: 'me', match: 'tool' }, /all your chats.*whatever/],
  ])('%s, %s: says what will be allowed, and sends it', async (scope, match, remember, words) => {
    const onDecide = await show();
    choose(scope);
    choose(match);
    expect(within(card()).getByText(words).textContent).toContain('Process payment will run without asking');
    fireEvent.click(button(/^Approve and remember/));
    expect(onDecide.mock.calls).toEqual([[{ approved: true, remember }]]);
  });

  it('is taken back by choosing only this time, and never goes with a denial', async () => {
    const onDecide = await show();
    choose('Always, for me');
    choose('Only this time');
    expect(screen.queryByRole('radio', { name: 'Any arguments' })).toBeNull();
    choose('In this chat');
    fireEvent.click(button('Deny'));
    expect(onDecide.mock.calls).toEqual([[{ approved: false }]]);
  });

  it('goes with edited arguments, and the button says both', async () => {
    const onDecide = await edit();
    write('Amount', '7');
    choose('In this chat');
    fireEvent.click(button(/^Approve edited and remember/));
    expect(onDecide.mock.calls).toEqual([
      [
        {
          approved: true,
          input: { ...input, amount: 7 },
          remember: { scope: 'chat', match: 'exact-arguments' },
        },
      ],
    ]);
  });
});
