// depends on: app/chats lib/react/chat lib/client/chat lib/client/transport lib/sse lib/bidi lib/commands
import { describe, expect } from 'vitest';
import { it } from './support/browser-test.ts';
import { eventually, modesOfThisRun, occurrences } from './support/person.ts';
import { watchTraffic } from './support/traffic.ts';

describe.each(modesOfThisRun('SSE'))('a change of mind over $mode', ({ mode }) => {
  it('Stop withdraws the open question and pays nothing', async ({ open, paid }) => {
    const person = await open();
    await person.choose(mode);
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    await person.stop.click();
    await eventually(() => person.call('process_payment').innerText()).toContain('the run was stopped');
    await person.regenerate.waitFor();
    expect(await person.question.count()).toBe(0);
    expect(await person.server.openQuestions()).toEqual([]);
    expect(await person.server.runOf()).toBe('idle');
    await person.say('multiply 5 and 4');
    await person.isTold('5 times 4 is 20.');
    expect(await paid()).toEqual([]);
  });

  it('a new message withdraws the open question and is answered instead', async ({ open, paid }) => {
    const person = await open();
    await person.choose(mode);
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    await person.approve();
    await person.isAsked('Pay Bob 40 USD.');
    await person.say('multiply 5 and 4');
    await person.isTold('5 times 4 is 20.');
    await eventually(() => person.call('process_payment', 1).innerText()).toContain(
      'Cancelled by a new message',
    );
    expect(await person.server.openQuestions()).toEqual([]);
    expect(await paid()).toEqual(['Alice 30']);
  });

  it('Regenerate answers the last message again, in place of the old answer', async ({ open }) => {
    const person = await open();
    const traffic = watchTraffic(person.page);
    await person.choose(mode);
    await person.say('multiply 5 and 4');
    await person.isTold('5 times 4 is 20.');
    await person.regenerate.click();
    await eventually(traffic.ended).toBe(2);
    await person.isTold('5 times 4 is 20.');
    expect(traffic.sent).toHaveLength(2);
    expect(await person.page.getByRole('article', { name: 'Assistant' }).count()).toBe(1);
    expect(await person.page.getByRole('article', { name: 'You' }).count()).toBe(1);
  });

  it('Regenerate after a payment keeps it, and the same payment is asked about with a warning', async ({
    open,
    paid,
  }) => {
    const person = await open();
    const traffic = watchTraffic(person.page);
    await person.choose(mode);
    await person.say('Pay Dora 30');
    await person.isAsked('Pay Dora 30 USD.');
    await person.approve();
    await person.isTold('Dora was paid 30 USD.');
    await person.regenerate.click();
    await eventually(traffic.ended).toBe(3);
    await person.isTold('Dora was paid 30 USD.');
    expect(await person.call('process_payment').count()).toBe(1);
    expect(await paid()).toEqual(['Dora 30']);

    await person.page.reload();
    await person.isTold('Dora was paid 30 USD.');
    expect(await person.call('process_payment').innerText()).toContain('Approved');
    await person.say('Pay Dora 30');
    await person.isAsked('Pay Dora 30 USD.');
    expect(await person.question.innerText()).toContain('The same request ran less than a minute ago.');
    await person.deny();
    expect(await paid()).toEqual(['Dora 30']);
  });

  it('an edited message is answered in place of the old one, and its question is withdrawn', async ({
    open,
    paid,
  }) => {
    const person = await open();
    await person.choose(mode);
    await person.say('Pay Alice 30 and Bob 40');
    await person.isAsked('Pay Alice 30 USD.');
    await person.page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Edit' }).click();
    const editor = person.page.getByRole('textbox', { name: 'Edit message' });
    expect(await editor.inputValue()).toBe('Pay Alice 30 and Bob 40');
    await editor.fill('Pay Carol 5');
    await person.page.getByRole('button', { name: 'Send again' }).click();
    await person.isAsked('Pay Carol 5 USD.');
    await person.approve();
    await person.isTold('Carol was paid 5 USD.');
    expect(await paid()).toEqual(['Carol 5']);

    await person.page.reload();
    await person.isTold('Carol was paid 5 USD.');
    const all = await person.page.getByRole('main').innerText();
    expect(occurrences('Pay Carol 5', all)).toBeGreaterThan(0);
    expect(all).not.toContain('Alice');
  });
});
