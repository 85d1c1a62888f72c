// depends on: app/chats lib/react/chat lib/client/chat lib/client/transport lib/sse lib/bidi lib/react/connection
import { describe, expect } from 'vitest';
import { it } from './support/browser-test.ts';
import { eventually, modesOfThisRun } from './support/person.ts';

/** Chromium's console messages for a failed connection. */
const expected = /net::ERR_|WebSocket connection to .* failed/;

describe.each(modesOfThisRun('SSE'))('a connection that breaks over $mode', ({ mode }) => {
  it('before a message arrives: Try again sends it, once', async ({ open, line, paid }) => {
    const person = await open({ url: line.url, expected });
    await person.choose(mode);
    await person.say('multiply 5 and 4');
    await person.isTold('5 times 4 is 20.');
    line.cut();
    await person.say('Pay Alice 30');
    await person.banner.waitFor();
    expect(await person.banner.innerText()).toContain('saved on the server');
    line.mend();
    await person.banner.getByRole('button', { name: 'Try again' }).click();
    await person.isAsked('Pay Alice 30 USD.');
    expect(await person.banner.count()).toBe(0);
    expect(await person.page.getByRole('article', { name: 'You' }).count()).toBe(2);
    await person.question.getByText('Not connected to the server').waitFor({ state: 'hidden' });
    await person.approve();
    await person.isTold('Alice was paid 30 USD.');
    expect(await paid()).toEqual(['Alice 30']);
  });

  it('before an answer is given: it is sent once it can be, if the person wants that, and the call runs once', async ({
    open,
    line,
    paid,
  }) => {
    const person = await open({ url: line.url, expected });
    await person.choose(mode);
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    line.cut();
    await person.isCutOff();
    await person.approve('go');
    await person.question.getByText('Approval not sent').waitFor();
    await person.question.getByRole('button', { name: 'Send when connected' }).click();
    expect(await paid()).toEqual([]);
    line.mend();
    await person.isAsked('Pay Bob 40 USD.');
    await person.approve();
    await person.isTold('Alice was paid 30 USD. Bob was paid 40 USD.');
    expect(await paid()).toEqual(['Alice 30', 'Bob 40']);
  });

  it('before edited arguments arrive: they stay in the form to approve again, and a reload asks again', async ({
    open,
    line,
    paid,
  }) => {
    const person = await open({ url: line.url, expected });
    const edit = async (amount: string) => {
      await person.mayAnswer();
      await person.question.getByRole('button', { name: 'Edit' }).click();
      await person.question.getByLabel('Amount').fill(amount);
    };
    await person.choose(mode);
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    await edit('3');
    line.hold('requests');
    await person.approve();
    await person.page.getByText('Sending your answer').waitFor();
    line.cut();
    await person.question.getByText('Not confirmed.').waitFor();
    line.mend();
    await person.question.getByText('Not received.').waitFor();
    expect(await person.question.getByLabel('Amount').inputValue()).toBe('3');
    // The page learns over HTTP that nothing was received, and may do so before its connection is back.
    await person.question.getByText('Not connected to the server').waitFor({ state: 'hidden' });
    await person.approve();
    await person.isAsked('Pay Bob 40 USD.');

    await edit('4');
    line.hold('requests');
    await person.approve();
    await person.page.getByText('Sending your answer').waitFor();
    line.cut();
    await person.question.getByText('Not confirmed.').waitFor();
    line.mend();
    await person.page.reload();
    // The edit is restored. When it appears, the card ignores answers for a moment, because its content has changed.
    await person.isAsked('Pay Bob 4 USD.');
    await person.mayAnswer();
    await person.deny();
    await person.regenerate.waitFor();
    expect(await paid()).toEqual(['Alice 3']);
  });

  it('while a chat is loading: the page offers to try again', async ({ open, line }) => {
    const person = await open({ url: line.url, expected });
    await person.choose(mode);
    await person.say('multiply 5 and 4');
    await person.isTold('5 times 4 is 20.');
    await person.page.getByRole('link', { name: 'New chat' }).click();
    await person.page.getByRole('heading', { name: 'The assistant asks before it acts.' }).waitFor();
    await person.page.route(/\/api\/chat\/[^/]+$/, (route) => route.abort());
    await person.page.getByRole('navigation').getByRole('link', { name: 'multiply 5 and 4' }).first().click();
    await person.page.getByRole('heading', { name: 'The chat couldn’t be loaded' }).waitFor();
    await person.page.unrouteAll();
    await person.page.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => person.answer.innerText()).toContain('5 times 4 is 20.');
  });
});
