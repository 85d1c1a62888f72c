// depends on: app/dialects app/chats lib/sse lib/bidi lib/dialects lib/plugins
import { describe, expect } from 'vitest';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { eventually, type Person } from './support/person.ts';
import { viewsOfThisRun } from './support/views.ts';

const home = appUrlOfWorker();
const url = `${home}/dialects`;
const wires = ['ai-sdk', 'two-step-stream', 'tool-events', 'responses', 'chat-socket'] as const;
const eachWire = <T>(value: T) => Object.fromEntries(wires.map((wire) => [wire, value]));

const columnOf = ({ page }: Person, wire: (typeof wires)[number]) => page.locator(`[data-wire="${wire}"]`);

/** An attribute of all columns, by wire. */
const phasesOf = async ({ page }: Person) =>
  Object.fromEntries(
    await page
      .locator('[data-wire]')
      .evaluateAll((columns) =>
        columns.map((column) => [column.getAttribute('data-wire'), column.getAttribute('data-phase')]),
      ),
  );

async function send({ page }: Person, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message for all wires' }).fill(text);
  await page.keyboard.press('Enter');
}

async function press({ page }: Person, wire: (typeof wires)[number], answer: 'Approve' | 'Deny') {
  await page.locator(`[data-wire="${wire}"]`).getByRole('button', { name: answer }).click();
}

describe('the page of dialects', () => {
  it('asks over five wires at the same time, and each takes its own answer', async ({ open, paid }) => {
    const person = await open({ url });
    await send(person, 'Pay Wanda 30');
    await eventually(() => phasesOf(person)).toEqual(eachWire('waiting'));
    expect(await paid()).toEqual([]);
    for (const wire of wires) {
      expect(
        await columnOf(person, wire).getByRole('group', { name: 'Approval needed' }).innerText(),
      ).toContain('Wanda');
    }

    await press(person, 'responses', 'Deny');
    await eventually(() => phasesOf(person)).toEqual({ ...eachWire('waiting'), responses: 'done' });
    await press(person, 'two-step-stream', 'Deny');
    for (const wire of ['ai-sdk', 'tool-events', 'chat-socket'] as const)
      await press(person, wire, 'Approve');
    await eventually(() => phasesOf(person)).toEqual(eachWire('done'));
    expect(await paid()).toEqual(['Wanda 30', 'Wanda 30', 'Wanda 30']);
    for (const wire of ['ai-sdk', 'tool-events', 'chat-socket'] as const) {
      expect(await columnOf(person, wire).innerText()).toContain('Wanda was paid 30 USD.');
    }
    const states = Object.fromEntries(
      await person.page
        .locator('[data-call]')
        .evaluateAll((calls) =>
          calls.map((call) => [
            call.closest('[data-wire]')?.getAttribute('data-wire'),
            call.getAttribute('data-call'),
          ]),
        ),
    );
    expect(states).toEqual({
      'ai-sdk': 'output-available',
      'two-step-stream': 'failed',
      'tool-events': 'completed',
      responses: 'failed',
      'chat-socket': 'completed',
    });
  });

  it('continues each chat with the next message, which cancels the open questions', async ({
    open,
    paid,
  }) => {
    const person = await open({ url });
    await send(person, 'Pay Xaver 30');
    await eventually(() => phasesOf(person)).toEqual(eachWire('waiting'));
    await send(person, 'multiply 5 and 4');
    await eventually(() => phasesOf(person)).toEqual(eachWire('done'));
    for (const wire of wires) {
      expect(await columnOf(person, wire).innerText()).toContain('5 times 4 is 20.');
    }
    expect(await paid()).toEqual([]);
    const chats = person.page.locator('#rail').getByRole('link', { name: 'Pay Xaver 30' });
    await eventually(() => chats.count()).toBe(wires.length);
  });

  it('shows the newest frames, in view and bounded, and is usable by keyboard alone', async ({ open }) => {
    const person = await open({ url });
    const { page } = person;
    await page.getByRole('button', { name: 'search files for approval', exact: true }).focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Message for all wires' });
    await eventually(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await field.inputValue()).toBe('search files for approval');
    await page.keyboard.press('Enter');
    await eventually(() => phasesOf(person)).toEqual(eachWire('done'));
    for (const wire of wires) {
      const frames = columnOf(person, wire).getByRole('group', { name: 'Frames:' });
      const { shown, fromEnd } = await frames.evaluate((list) => ({
        shown: list.querySelectorAll('[data-direction]').length,
        // The list is reversed: 0 is its end.
        fromEnd: Math.abs(list.scrollTop),
      }));
      expect(shown).toBeGreaterThan(3);
      expect(shown).toBeLessThanOrEqual(60);
      expect(fromEnd).toBeLessThanOrEqual(1);
    }
  });

  it.for(viewsOfThisRun)(
    'has no violation that axe finds and does not scroll sideways: $name',
    async (view, { open }) => {
      const person = await open({ ...view, url });
      await person.page.getByRole('heading', { level: 2 }).waitFor();
      await isSound(person, 'empty');
      await send(person, 'Pay Yvonne 30');
      await eventually(() => phasesOf(person)).toEqual(eachWire('waiting'));
      await isSound(person, 'asked');
      await press(person, 'two-step-stream', 'Deny');
      await eventually(() => phasesOf(person)).toEqual({ ...eachWire('waiting'), 'two-step-stream': 'done' });
      await isSound(person, 'denied');
      for (const wire of wires) {
        if (wire !== 'two-step-stream') await press(person, wire, 'Deny');
      }
      await eventually(() => phasesOf(person)).toEqual(eachWire('done'));
    },
  );
});
