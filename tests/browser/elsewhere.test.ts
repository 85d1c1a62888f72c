// depends on: app/chats lib/react/chat lib/client/chat lib/client/transport lib/sse lib/bidi lib/react/card lib/views/questions
import { describe, expect } from 'vitest';
import { it } from './support/browser-test.ts';
import { eventually, modesOfThisRun, type Person, personAt } from './support/person.ts';

describe.each(modesOfThisRun('SSE'))('a question answered elsewhere, page over $mode', ({ mode }) => {
  async function asksForAlice(person: Person) {
    await person.choose(mode);
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    await person.chatId();
  }

  it('in another tab: both tabs show it as decided, then the next question and the end', async ({
    open,
    paid,
  }) => {
    const first = await open();
    await asksForAlice(first);
    const second = personAt(await first.page.context().newPage());
    await second.page.goto(first.page.url());
    await second.isAsked('Pay Alice 30 USD.');

    await first.approve('from the first tab');
    await second.isAsked('Pay Bob 40 USD.');
    await eventually(() => second.call('process_payment').innerText()).toMatch(
      /Approved[\s\S]*from the first tab/,
    );
    await second.deny();
    const end = 'Alice was paid 30 USD. Bob was not paid 40 USD: the payment was denied.';
    await second.isTold(end);
    await first.isTold(end);
    expect(await first.question.count()).toBe(0);
    expect(await first.call('process_payment', 1).innerText()).toContain('Denied');
    expect(await paid()).toEqual(['Alice 30']);
  });

  it('before this tab follows the questions: it shows the next one', async ({ open }) => {
    const first = await open();
    await asksForAlice(first);
    const second = personAt(await first.page.context().newPage());
    const isAnswered = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await second.page.route('**/api/approvals/events', async (route) => {
      asked.resolve();
      await isAnswered.promise;
      await route.continue();
    });
    await second.page.goto(first.page.url());
    await second.isAsked('Pay Alice 30 USD.');
    await asked.promise;
    await first.approve('from the first tab');
    await first.isAsked('Pay Bob 40 USD.');
    isAnswered.resolve();
    await second.isAsked('Pay Bob 40 USD.');
  });

  it('through the API: the page continues to the end without a reload', async ({ open, paid }) => {
    const person = await open();
    await person.choose(mode);
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    const [alice = ''] = await person.server.openQuestions();
    expect(await person.server.answer(alice, true)).toBe(200);
    await person.isAsked('Pay Bob 40 USD.');
    const [bob = ''] = await person.server.openQuestions();
    expect(bob).not.toBe(alice);
    expect(await person.server.answer(bob, true)).toBe(200);
    await person.isTold('Alice was paid 30 USD. Bob was paid 40 USD.');
    expect(await person.server.answer(bob, true)).toBe(409);
    expect(await paid()).toEqual(['Alice 30', 'Bob 40']);
  });
});
