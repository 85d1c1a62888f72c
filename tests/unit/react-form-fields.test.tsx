// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { NewAnswer } from '../../lib/client/question.ts';
import { button, loaded, onCardPage, passTime, questionOf, write } from '../support/card-fixture.ts';
import { FormCard, type FormCardProps } from '../support/form-card.ts';

const card = z.object({ kind: z.literal('card'), number: z.string().min(1) });
const account = z.object({ kind: z.literal('account'), iban: z.string() });

const booking = z.object({
  guest: z.string().min(1),
  arrival: z.iso.datetime(),
  departure: z.iso.date().optional(),
  room: z.enum(['single', 'double']).default('double'),
  floor: z.enum(['1', '2', '3', '4', '5', '6']),
  note: z.string().nullable(),
  payWith: z.discriminatedUnion('kind', [card, account]),
  tags: z.array(z.string()),
  version: z.literal(2),
});

const input = {
  guest: 'Ada',
  arrival: '2026-12-24T14:30:00Z',
  floor: '3',
  note: 'quiet',
  payWith: { kind: 'card', number: '4111' },
  tags: ['a', 'b', 'c'],
  version: 2,
};

const question = questionOf({
  toolName: 'book_room',
  title: 'Book room',
  input,
  description: 'Book a room for Ada',
  mayEdit: true,
  mayRemember: true,
});

const spy = () => vi.fn<(answer: NewAnswer) => unknown>();
type Decide = ReturnType<typeof spy>;

function cardOf(onAnswer: Decide, props: Partial<FormCardProps> = {}) {
  return (
    <FormCard
      question={question}
      onAnswer={onAnswer}
      loadInputSchema={async () => z.toJSONSchema(booking, { io: 'input' })}
      {...props}
    />
  );
}

async function edit(onAnswer: Decide = spy(), props: Partial<FormCardProps> = {}) {
  const { rerender } = render(cardOf(onAnswer, props));
  await passTime();
  fireEvent.click(button('Edit'));
  await loaded();
  return { onAnswer, rerender };
}

async function approved(onAnswer: Decide): Promise<unknown> {
  fireEvent.click(button(/^Approve/));
  await passTime();
  return onAnswer.mock.calls[0]?.[0].input;
}

const radio = (group: string | RegExp, name: string) =>
  within(screen.getByRole('radiogroup', { name: group })).getByRole('radio', { name });
const problemList = () => screen.getByRole('group', { name: 'There is a problem' });
const links = () => within(problemList()).getAllByRole('link');

onCardPage();

describe('choices of a form', () => {
  it('are radio buttons up to five, else a list, and the default is marked', async () => {
    await edit();
    const room = screen.getByRole('radiogroup', { name: /^Room/ });
    expect(
      within(room)
        .getAllByRole('radio')
        .map((one) => one.parentElement?.textContent),
    ).toEqual(['Not set', 'single', 'double (default)']);
    expect(radio(/^Room/, 'Not set')).toHaveProperty('checked', true);
    expect(screen.getByLabelText('Floor').tagName).toBe('SELECT');
  });

  it('show a constant, which cannot be changed', async () => {
    await edit();
    expect(screen.getByText('Version').closest('[data-type="constant"]')?.textContent).toBe('Version2');
    expect(screen.queryByRole('textbox', { name: 'Version' })).toBeNull();
  });

  it('of a union bring their own fields, and keep what was typed in the others', async () => {
    const { onAnswer } = await edit();
    expect(screen.queryByText('Kind')).toBeNull();
    write('Number', '4222');
    fireEvent.click(radio('Pay with', 'Account'));
    expect(screen.queryByLabelText('Number')).toBeNull();
    fireEvent.click(radio('Pay with', 'Card'));
    expect(screen.getByLabelText('Number')).toHaveProperty('value', '4222');
    fireEvent.click(radio('Pay with', 'Account'));
    write('IBAN', 'DE00');
    expect(await approved(onAnswer)).toEqual({ ...input, payWith: { kind: 'account', iban: 'DE00' } });
  });
});

describe('a nullable field', () => {
  it('is set to none by its checkbox, and back to its value', async () => {
    const { onAnswer } = await edit();
    const none = screen.getByRole('checkbox', { name: 'None: Note' });
    fireEvent.click(none);
    expect(screen.getByLabelText('Note')).toHaveProperty('value', '');
    fireEvent.click(none);
    expect(screen.getByLabelText('Note')).toHaveProperty('value', 'quiet');
    fireEvent.click(none);
    expect(await approved(onAnswer)).toEqual({ ...input, note: null });
  });
});

describe('a date in a form', () => {
  it('is chosen on the clock of this person, in a zone that is named', async () => {
    const { onAnswer } = await edit();
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(screen.getByText(`In your time zone (${zone}).`)).toBeTruthy();
    expect(screen.getByLabelText('Arrival').getAttribute('type')).toBe('datetime-local');
    write('Arrival', '2026-12-25T10:15');
    expect(screen.getByLabelText('Arrival')).toHaveProperty('value', '2026-12-25T10:15');
    const arrival = new Date(2026, 11, 25, 10, 15).toISOString().replace('.000Z', 'Z');
    expect(await approved(onAnswer)).toEqual({ ...input, arrival });
  });

  it('is not left out silently if it is incomplete', async () => {
    const { onAnswer } = await edit();
    const departure = screen.getByLabelText(/^Departure/);
    Object.defineProperty(departure, 'validity', { value: { badInput: true } });
    fireEvent.blur(departure);
    expect(await approved(onAnswer)).toBeUndefined();
    expect(onAnswer).not.toHaveBeenCalled();
    expect(links().map(({ textContent }) => textContent)).toEqual(['Departure: Enter a full date.']);
  });
});

describe('a list in a form', () => {
  const focused = () => document.activeElement?.getAttribute('aria-label');
  const values = () => [1, 2, 3].map((at) => (screen.getByLabelText(`Item ${at}`) as HTMLInputElement).value);

  it('moves items, says where they are, and the focus goes with them', async () => {
    const { onAnswer } = await edit();
    expect(screen.queryByRole('button', { name: 'Move up: Tags, Item 1' })).toBeNull();
    fireEvent.click(button('Move down: Tags, Item 1'));
    expect([values(), focused()]).toEqual([['b', 'a', 'c'], 'Move down: Tags, Item 2']);
    fireEvent.click(button('Move down: Tags, Item 2'));
    // The last item cannot move on: its other button has the focus.
    expect([values(), focused()]).toEqual([['b', 'c', 'a'], 'Move up: Tags, Item 3']);
    await passTime();
    expect(screen.getByText('Tags: moved to position 3 of 3.')).toBeTruthy();
    expect(await approved(onAnswer)).toEqual({ ...input, tags: ['b', 'c', 'a'] });
  });

  it('keeps the focus near an item that was removed, and moves it into one that was added', async () => {
    await edit();
    fireEvent.click(button('Remove: Tags, Item 1'));
    expect(focused()).toBe('Remove: Tags, Item 1');
    fireEvent.click(button('Remove: Tags, Item 2'));
    expect(focused()).toBe('Remove: Tags, Item 1');
    fireEvent.click(button('Remove: Tags, Item 1'));
    expect(focused()).toBe('Add: Tags');
    fireEvent.click(button('Add: Tags'));
    expect(document.activeElement).toBe(screen.getByLabelText('Item 1'));
  });
});

describe('a list of 900 items in a form', () => {
  const focused = () => document.activeElement?.getAttribute('aria-label');
  const tags = Array.from({ length: 900 }, (_, index) => `tag ${index + 1}`);
  const shown = () => screen.getByText(/^Items \d+ to/).textContent;
  const editAll = () => edit(spy(), { question: { ...question, input: { ...input, tags } } });

  it('opens with the first page, says so, and leads to the others', async () => {
    await editAll();
    expect(screen.getAllByLabelText(/^Item \d+$/)).toHaveLength(20);
    expect(document.querySelectorAll('*').length).toBeLessThan(600);
    expect(shown()).toBe('Items 1 to 20 of 900');
    fireEvent.click(button('Previous items: Tags'));
    expect(shown()).toBe('Items 1 to 20 of 900');
    fireEvent.click(button('Next items: Tags'));
    expect(shown()).toBe('Items 21 to 40 of 900');
    expect((screen.getByLabelText('Item 21') as HTMLInputElement).value).toBe('tag 21');
  });

  it('shows the page of an item that is added or moved, and sends all items', async () => {
    const { onAnswer } = await editAll();
    fireEvent.click(button('Move down: Tags, Item 20'));
    expect([shown(), focused()]).toEqual(['Items 21 to 40 of 900', 'Move down: Tags, Item 21']);
    fireEvent.click(button('Add: Tags'));
    expect(shown()).toBe('Items 901 to 901 of 901');
    expect(document.activeElement).toBe(screen.getByLabelText('Item 901'));
    write('Item 901', 'new');
    fireEvent.click(button('Previous items: Tags'));
    fireEvent.click(button('Next items: Tags'));
    const moved = [...tags.slice(0, 19), 'tag 21', 'tag 20', ...tags.slice(21)];
    expect(await approved(onAnswer)).toEqual({ ...input, tags: [...moved, 'new'] });
  });

  it('goes back a page with the last item of one', async () => {
    await editAll();
    fireEvent.click(button('Add: Tags'));
    fireEvent.click(button('Remove: Tags, Item 901'));
    expect([shown(), focused()]).toEqual(['Items 881 to 900 of 900', 'Remove: Tags, Item 900']);
  });

  it('leads from a problem to the page of its item', async () => {
    const { onAnswer } = await editAll();
    const fieldErrors = [{ path: '/tags/444', message: 'No such tag.' }];
    onAnswer.mockRejectedValueOnce(
      new Error(JSON.stringify({ error: { code: 'invalid-request', message: 'No.', fieldErrors } })),
    );
    write('Guest', 'Bob');
    fireEvent.click(button(/^Approve edited/));
    await passTime();
    const [link] = links();
    expect(link?.textContent).toBe('Tags · Item 445: No such tag.');
    if (link) fireEvent.click(link);
    expect(shown()).toBe('Items 441 to 460 of 900');
    expect(document.activeElement).toBe(screen.getByLabelText('Item 445'));
  });
});

describe('arguments that the server refuses', () => {
  const refusal = (fieldErrors: unknown) =>
    JSON.stringify({ error: { code: 'invalid-request', message: 'They do not fit.', fieldErrors } });
  const fieldErrors = [
    { path: '/payWith/number', message: 'No such card.' },
    { path: '/tags/1' },
    { path: '', message: 'The room is taken.' },
  ];

  it('are listed with the reasons, shown at their fields, and forgotten when they are changed', async () => {
    const { onAnswer } = await edit();
    onAnswer.mockRejectedValueOnce(new Error(refusal(fieldErrors)));
    write('Guest', 'Bob');
    fireEvent.click(button(/^Approve edited/));
    await passTime();
    expect(screen.getByRole('alert').textContent).toBe("Your answer wasn't accepted. They do not fit.");
    expect(document.activeElement).toBe(problemList());
    expect(
      within(problemList())
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Pay with · Number: No such card.', 'Tags · Item 2: Check this value.', 'The room is taken.']);
    const number = screen.getByLabelText('Number');
    expect(number.getAttribute('aria-invalid')).toBe('true');
    const described = document.getElementById(number.getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toBe('No such card.');
    fireEvent.click(links()[0] ?? number);
    expect(document.activeElement).toBe(number);

    await passTime();
    write('Number', '4222');
    expect(number.getAttribute('aria-invalid')).toBeNull();
    expect(links().map(({ textContent }) => textContent)).toEqual(['Tags · Item 2: Check this value.']);
    fireEvent.click(button(/^Approve edited/));
    await passTime();
    expect(onAnswer).toHaveBeenCalledTimes(2);
  });

  it('are shown as well if the refusal comes from the chat', async () => {
    const { onAnswer, rerender } = await edit();
    write('Guest', 'Bob');
    fireEvent.click(button(/^Approve edited/));
    rerender(
      cardOf(onAnswer, {
        failure: { kind: 'refused', title: 'Refused', detail: 'They do not fit.', fieldErrors },
      }),
    );
    await passTime();
    expect(links()).toHaveLength(2);
  });

  it.each([[undefined], ['much'], [[{ path: 7 }, null]]])('are shown without fields for %j', async (odd) => {
    const { onAnswer } = await edit();
    onAnswer.mockRejectedValueOnce(new Error(refusal(odd)));
    write('Guest', 'Bob');
    fireEvent.click(button(/^Approve edited/));
    await passTime();
    expect(screen.getByRole('alert').textContent).toContain('They do not fit.');
    expect(screen.queryByRole('group', { name: 'There is a problem' })).toBeNull();
  });
});
