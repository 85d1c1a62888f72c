// depends on: app lib
import { describe, expect } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { it } from './support/browser-test.ts';
import { flat, modes, modesOfThisRun } from './support/person.ts';

/** Two payments, each approved (A) or denied (D). */
const verdicts = [
  { first: true, second: true, paid: ['Alice 30', 'Bob 40'] },
  { first: true, second: false, paid: ['Alice 30'] },
  { first: false, second: true, paid: ['Bob 40'] },
  { first: false, second: false, paid: [] },
];
const payments = modes.flatMap(({ mode }) => verdicts.map((verdict) => ({ mode, ...verdict })));
/** In `npm test`, over SSE, the first payment is denied and the second approved. */
const paymentsOfThisRun = rowsOfThisRun(
  payments,
  ({ mode, first, second }) => mode === 'SSE' && !first && second,
);

describe.each(modesOfThisRun('SSE'))('the whole job by mouse over $mode', ({ mode }) => {
  it('asks twice about "Search and update database", then shows all text and both results', async ({
    open,
  }) => {
    const person = await open();
    await person.choose(mode);
    await person.page.getByRole('button', { name: /^Search and update database/ }).click();

    await person.isAsked('from the demo database.');
    await person.draft.getByText('Let me look.').waitFor();
    await person.approve();

    await person.isAsked('to "reviewed"');
    await person.draft.getByText('Found 10 users.').waitFor();
    // Drafts stand where their texts will: before the question that they lead to, after the call that they follow.
    expect(flat(await person.answer.innerText())).toMatch(
      /^Let me look\. .*Approved by you.* Found 10 users\. .*Approval needed/i,
    );
    await person.approve();

    await person.isTold('Let me look.', 'Found 10 users.', 'Database updated.');
    expect(await person.answer.innerText()).toMatch(
      /Let me look\..*Search database · Done.*Found 10 users\..*Update database · Done.*Database updated\./s,
    );
    expect(await person.call('search_database').innerText()).toMatch(
      /^Found 10 users\s+Search database · Done/,
    );
    expect(await person.call('update_database').innerText()).toMatch(
      /^Set 10 users to "reviewed"\s+Update database · Done/,
    );
    expect(await person.question.count()).toBe(0);
  });

  it('passes the reason for a denial to the assistant, and still asks about the next step', async ({
    open,
  }) => {
    const person = await open();
    await person.choose(mode);
    await person.say('Search and update database');
    await person.isAsked('from the demo database.');
    await person.deny('not on a Friday');
    await person.isAsked('to "reviewed"');
    await person.approve();
    await person.isTold('The search was not approved (not on a Friday).', 'Database updated.');
    expect(await person.call('search_database').innerText()).toMatch(
      /^Read .+ from the demo database\.\s+Search database · Not run[\s\S]*Denied by you.*not on a Friday/,
    );
    expect(await person.call('update_database').innerText()).toContain('Done');
  });

  it('continues where it was after a reload between the questions', async ({ open }) => {
    const person = await open();
    await person.choose(mode);
    await person.say('Search and update database');
    await person.isAsked('from the demo database.');
    await person.page.reload();
    await person.isAsked('from the demo database.');
    await person.approve();
    await person.isAsked('to "reviewed"');
    await person.page.reload();

    await person.isAsked('to "reviewed"');
    expect(await person.draft.innerText()).toMatch(/Found 10 users\./);
    expect(await person.answer.innerText()).toMatch(
      /Let me look\..*Approved.*Found 10 users\..*Approval needed/s,
    );
    expect(await person.call('search_database').innerText()).toContain('Approved');
    await person.approve();
    await person.isTold('Let me look.', 'Found 10 users.', 'Database updated.');
    await person.page.reload();
    await person.isTold('Let me look.', 'Found 10 users.', 'Database updated.');
  });
});

describe('two payments by mouse', () => {
  it.for(paymentsOfThisRun)(
    'pays exactly what was approved over $mode: Alice $first, Bob $second',
    async (row, { open, paid }) => {
      const person = await open();
      await person.choose(row.mode);
      await person.say('Pay Alice 30 and Bob 40');
      await person.isAsked('Pay Alice 30 USD.');
      await (row.first ? person.approve() : person.deny('too much'));
      await person.isAsked('Pay Bob 40 USD.');
      await person.page.reload();
      await person.isAsked('Pay Bob 40 USD.');
      await (row.second ? person.approve('as agreed') : person.deny());

      const alice = row.first
        ? 'Alice was paid 30 USD.'
        : 'Alice was not paid 30 USD: the payment was denied (too much).';
      const bob = row.second ? 'Bob was paid 40 USD.' : 'Bob was not paid 40 USD: the payment was denied.';
      await person.isTold(`${alice} ${bob}`);
      expect(await person.call('process_payment', 0).innerText()).toContain(row.first ? 'Done' : 'Not run');
      expect(await person.call('process_payment', 1).innerText()).toContain(row.second ? 'Done' : 'Not run');
      expect(await paid()).toEqual(row.paid);
    },
  );
});
