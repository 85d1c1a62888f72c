// depends on: app/dialects app/api lib/dialects lib/plugins/tool-events
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { appUrlOfWorker } from './support/app-url.ts';
import { it } from './support/browser-test.ts';
import { isSound } from './support/is-sound.ts';
import { tabTo } from './support/keyboard.ts';
import { eventually, type Person } from './support/person.ts';
import { viewsOfThisRun } from './support/views.ts';

const home = appUrlOfWorker();
const url = `${home}/dialects/tool-events`;
/** The box of a call on the page, by tool. */
const callOf = ({ page }: Person, tool: string, nth = 0) =>
  page.locator(`[role="group"][data-tool="${tool}"]`).nth(nth);

/** The states of the calls of the last answer, in display order. */
const statesOf = ({ answer }: Person) =>
  answer
    .locator('[data-tool]')
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('data-state') ?? ''));

const isIdle = ({ page }: Person) => page.locator('main[data-phase="idle"]').waitFor();

/** The text of the last answer, to compare after a reload. */
const shown = ({ answer }: Person) => answer.innerText();

describe('the page of tool events', () => {
  const prompts = [
    { prompt: 'search files for approval', tool: 'file_search', state: 'completed', status: /^Found \d/ },
    {
      prompt: 'call the flaky service',
      tool: 'flaky_service',
      state: 'completed',
      status: /^Answered on attempt 2$/,
    },
    {
      prompt: 'call the broken service',
      tool: 'broken_service',
      state: 'failed',
      status: /\. You can try again\.$/,
    },
  ];
  // Further tests here call the flaky service.
  it.for(rowsOfThisRun(prompts, ({ tool }) => tool !== 'flaky_service'))(
    '“$prompt” is $state inline, and the same after a reload [A18, A19, A22]',
    async (row, { open }) => {
      const person = await open({ url });
      await person.say(row.prompt);
      const call = callOf(person, row.tool);
      await eventually(() => call.getAttribute('data-state')).toBe(row.state);
      await isIdle(person);
      expect(await call.getByRole('status').innerText()).toMatch(row.status);
      expect(await call.locator('[data-part="count"]').count()).toBe(row.tool === 'file_search' ? 1 : 0);
      const order = await person.answer.evaluate((answer) =>
        [...answer.children].map((child) => (child.matches('[data-tool]') ? 'call' : 'text')),
      );
      expect(order).toEqual(['call', 'text']);

      const before = await shown(person);
      await person.page.reload();
      await call.waitFor();
      await eventually(() => shown(person)).toBe(before);
      expect(await call.getAttribute('data-state')).toBe(row.state);
      expect(await call.getAttribute('data-expanded')).toBe('false');
    },
  );

  it('shows a call as running while its retry is pending [A24]', async ({ open }) => {
    const person = await open({ url });
    await person.say('call the flaky service');
    const call = callOf(person, 'flaky_service');
    const running = call.and(person.page.locator('[data-state="executing"]'));
    await running
      .getByRole('status')
      .filter({ hasText: /^Working…$/ })
      .waitFor();
    await eventually(() => call.getAttribute('data-state')).toBe('completed');
  });

  it('a reload while a call is running stops nothing, and shows its outcome [A22, A26]', async ({ open }) => {
    const person = await open({ url });
    await person.say('call the flaky service');
    const call = callOf(person, 'flaky_service');
    await call.and(person.page.locator('[data-state="executing"]')).waitFor();
    await person.page.reload();
    await call.waitFor();
    expect(await call.getAttribute('data-state')).not.toBe('failed');
    await eventually(() => statesOf(person)).toEqual(['completed']);
    await isIdle(person);
    expect(await shown(person)).toContain('The flaky service responded.');
  });

  it('shows how often a call was tried, and makes it again in the same message [A9, A11]', async ({
    open,
  }) => {
    const person = await open({ url });
    await person.say('call the broken service');
    const call = callOf(person, 'broken_service');
    const again = call.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await call.locator('[data-part="attempts"]').innerText()).toBe('Attempt 2 of 2');
    await again.click();
    await eventually(() => statesOf(person)).toEqual(['failed', 'failed']);
    await isIdle(person);
    const before = await shown(person);
    await person.page.reload();
    await call.waitFor();
    await eventually(() => shown(person)).toBe(before);
  });

  it('a second page follows what the first one sends, is asked and runs [A22, A25]', async ({ open }) => {
    const first = await open({ url });
    await first.say('search files for approval');
    await eventually(() => statesOf(first)).toEqual(['completed']);
    await isIdle(first);
    const second = await open({ url: first.page.url() });
    await eventually(() => statesOf(second)).toEqual(['completed']);
    await first.say('Pay Alice 30');
    await second.isAsked('Alice');
    await first.isAsked('Alice');
    await first.mayAnswer();
    await first.deny('not today');
    await eventually(() => statesOf(second)).toEqual(['failed']);
    await isIdle(second);
    expect(await second.question.count()).toBe(0);
    expect(await second.page.locator('main').innerText()).toContain('Pay Alice 30');
  });

  it('leaving the page only detaches it: the run continues to its end [A26]', async ({ open }) => {
    const person = await open({ url });
    await person.say('call the flaky service');
    await callOf(person, 'flaky_service').waitFor();
    const conversation = await person.chatId();
    await person.page.getByRole('link', { name: 'New chat' }).click();
    await person.page.getByRole('heading', { name: 'The assistant asks before it acts.' }).waitFor();
    await eventually(() => person.server.runOf(conversation)).toBe('idle');
    await person.page.goto(`${url}?c=${conversation}`);
    await eventually(() => statesOf(person)).toEqual(['completed']);
  });

  it('is linked from the page of dialects, which is linked from the list of chats', async ({ open }) => {
    const person = await open();
    await person.page.getByRole('link', { name: 'Dialects' }).click();
    await person.page.getByRole('heading', { name: 'Dialects', level: 1 }).waitFor();
    await person.page.getByRole('link', { name: 'Tool events' }).click();
    await person.page.getByRole('heading', { name: 'Tool events', level: 1 }).waitFor();
  });

  it('opens a call and shows its output by keyboard alone [A18]', async ({ open }) => {
    const person = await open({ url });
    await person.message.waitFor();
    await person.message.focus();
    await person.page.keyboard.type('search files for approval');
    await person.page.keyboard.press('Enter');
    const button = callOf(person, 'file_search').getByRole('button', { name: 'File search' });
    await button.waitFor();
    await isIdle(person);
    await person.message.focus();
    await tabTo(person, button, 'Shift+Tab');
    await person.page.keyboard.press('Enter');
    await eventually(() => button.getAttribute('aria-expanded')).toBe('true');
    await callOf(person, 'file_search').getByRole('table').waitFor();
    await person.page.keyboard.press('Space');
    await eventually(() => button.getAttribute('aria-expanded')).toBe('false');
  });

  it('asks about two payments one after the other, and follows each answer [A25]', async ({ open, paid }) => {
    const person = await open({ url });
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Alice');
    expect(await person.question.count()).toBe(1);
    await person.mayAnswer();
    await person.approve();
    await person.isAsked('Bob');
    await person.mayAnswer();
    await person.deny('not this month');
    await eventually(() => statesOf(person)).toEqual(['completed', 'failed']);
    await isIdle(person);
    expect(await callOf(person, 'process_payment', 1).getByRole('status').innerText()).toContain(
      'not this month',
    );
    expect(await shown(person)).toContain('Alice was paid 30 USD.');
    expect(await paid()).toEqual(['Alice 30']);

    const before = await shown(person);
    await person.page.reload();
    await eventually(() => statesOf(person)).toEqual(['completed', 'failed']);
    expect(await shown(person)).toBe(before);
  });

  it('a reload at an open question shows it again, and the turn continues after the answer [A22, A26]', async ({
    open,
    paid,
  }) => {
    const person = await open({ url });
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Alice');
    await person.mayAnswer();
    await person.approve();
    await person.isAsked('Bob');
    await person.page.reload();
    await person.isAsked('Bob');
    await person.mayAnswer();
    await person.approve();
    await eventually(() => statesOf(person)).toEqual(['completed', 'completed']);
    await isIdle(person);
    expect(await shown(person)).toContain('Bob was paid 40 USD.');
    expect(await paid()).toEqual(['Alice 30', 'Bob 40']);
  });

  it('removes a question that was answered elsewhere, and shows its call (first answer wins)', async ({
    open,
  }) => {
    const person = await open({ url });
    await person.say('Pay Alice 30');
    await person.isAsked('Alice');
    const [approvalId = ''] = await person.server.openQuestions();
    expect(await person.server.answer(approvalId, false)).toBe(200);
    await eventually(() => statesOf(person)).toEqual(['failed']);
    await isIdle(person);
    expect(await person.question.count()).toBe(0);
  });

  it('shows why the server refused, and starts again', async ({ open }) => {
    const person = await open({ url: `${url}?c=nobody-has-this-one`, expected: /404/ });
    await person.banner.waitFor();
    await person.page.getByRole('button', { name: 'New', exact: true }).click();
    await person.page
      .getByRole('heading', { name: 'Each tool call appears inline, from start to result.' })
      .waitFor();
    await person.page.getByRole('button', { name: 'search files for approval', exact: true }).click();
    await eventually(() => statesOf(person)).toEqual(['completed']);
  });

  it.for(viewsOfThisRun)(
    'has no violation that axe finds and does not scroll sideways: $name',
    async (view, { open }) => {
      const person = await open({ ...view, url });
      await person.page.getByRole('heading', { level: 2 }).waitFor();
      await isSound(person, 'empty');
      await person.say('search files for approval');
      await eventually(() => statesOf(person)).toEqual(['completed']);
      await isIdle(person);
      await callOf(person, 'file_search').getByRole('button').first().click();
      await isSound(person, 'completed and open');
      await person.say('call the broken service');
      await eventually(() => statesOf(person)).toEqual(['failed']);
      await isIdle(person);
      await isSound(person, 'failed');
      await person.say('Pay Alice 30 and Bob 40');
      await person.isAsked('Alice');
      await isSound(person, 'asked');
    },
  );
});

/** What a browser's `EventSource` received from one stream. */
type Seen = { events: [type: string, data: string][]; lost: number; state: number; openings: number };

describe('a browser’s EventSource on the two-step stream', () => {
  it('reads calls, text and done, in order [B1-B3, B8]', async ({ open }) => {
    const { page } = await open();
    const seen = await readStream(page, await startStream(page, 'search files for approval'));
    const types = seen.events.map(([type]) => type);
    expect(types.slice(0, 2)).toEqual(['tool_call', 'tool_response']);
    expect(types).toContain('message_chunk');
    expect(types.at(-1)).toBe('done');
    expect(types.filter((type) => type === 'done')).toHaveLength(1);
    expect(seen.events.at(-1)?.[1]).toBe('{"reason":"complete"}');
  });

  it('an error frame also reaches onerror, with data, and the stream continues to done [B14, B17]', async ({
    open,
  }) => {
    const { page } = await open();
    const seen = await readStream(page, await startStream(page, 'call the broken service'));
    const failures = seen.events.filter(([type]) => type === 'error').map(([, data]) => JSON.parse(data));
    expect(failures).toEqual([
      {
        tool_call_id: expect.any(String),
        message: expect.stringMatching(/^Couldn't complete broken service: /),
      },
    ]);
    expect(seen.events.at(-1)?.[0]).toBe('done');
    const calls = seen.events.filter(([type]) => type === 'tool_call').map(([, data]) => JSON.parse(data));
    expect(failures[0].tool_call_id).toBe(calls[0].tool_call_id);
  });

  it('reconnects after done, gets 204, and stops: nothing is received twice [B17]', async ({ open }) => {
    const { page } = await open();
    const id = await startStream(page, 'call the flaky service');
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes(`/api/chat/stream/${id}?`)) statuses.push(response.status());
    });
    const seen = await readStream(page, id);
    expect(seen.state).toBe(2);
    expect(seen.openings).toBe(1);
    expect(seen.events.filter(([type]) => type === 'done')).toHaveLength(1);
    expect(seen.events.filter(([type]) => type === 'tool_call')).toHaveLength(1);
    await eventually(() => statuses).toEqual([200, 204]);
    // The end of the response and the 204: events of the browser, without data.
    expect(seen.lost).toBe(2);
  });

  it('ends at a question; the answer names the stream that continues [B18]', async ({ open }) => {
    const { page } = await open();
    const asked = await readStream(page, await startStream(page, 'Pay Alice 30'));
    expect(asked.events.at(-1)).toEqual(['done', '{"reason":"approval_required"}']);
    const [, question = '{}'] = asked.events.find(([type]) => type === 'approval_request') ?? [];
    const next = await page.evaluate(async (approvalId) => {
      const response = await fetch(`/api/approvals/${approvalId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ approved: false }),
      });
      return (await response.json()).stream_id as string;
    }, JSON.parse(question).approval_id as string);
    const rest = await readStream(page, next);
    expect(rest.events.map(([type]) => type)).not.toContain('tool_call');
    expect(rest.events.at(0)?.[0]).toBe('error');
    expect(rest.events.at(-1)).toEqual(['done', '{"reason":"complete"}']);
  });
});

function startStream(page: Page, message: string): Promise<string> {
  return page.evaluate(async (text) => {
    const response = await fetch('/api/chat/message', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: text }),
    });
    return (await response.json()).stream_id as string;
  }, message);
}

/** Reads a stream in the page until the `EventSource` stops permanently, as it does after a 204. */
function readStream(page: Page, id: string): Promise<Seen> {
  return page.evaluate(
    (streamId) =>
      new Promise<Seen>((resolve) => {
        const seen: Seen = { events: [], lost: 0, state: 0, openings: 0 };
        const source = new EventSource(`/api/chat/stream/${streamId}?accept_approvals=1`);
        const note = (event: Event) => {
          if (event instanceof MessageEvent) seen.events.push([event.type, event.data]);
        };
        for (const type of ['tool_call', 'tool_response', 'message_chunk', 'approval_request', 'done']) {
          source.addEventListener(type, note);
        }
        source.onopen = () => {
          seen.openings += 1;
        };
        source.onerror = (event) => {
          if (event instanceof MessageEvent) return note(event);
          seen.lost += 1;
          seen.state = source.readyState;
          if (source.readyState === EventSource.CLOSED) resolve(seen);
        };
      }),
    id,
  );
}
