import { askPerson, notTheAsker, type Principal } from 'countersign';
import { pageForms } from 'countersign/plugins/forms';
import { links } from 'countersign/plugins/links';
import { createFetchHandler } from 'countersign/sse/server';
import type { Script } from 'countersign/testing';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../../lib/testing/server/serve.ts';
import { answerBy, readPage, sendForm } from '../../support/answer-links-fixture.ts';
import { emailFixture, linkIn } from '../../support/email-fixture.ts';
import { ask as askForDates, dates, done, stay } from '../../support/form-fixture.ts';
import { waitFor } from '../../support/wait-for.ts';

const people: readonly Principal[] = [
  { id: 'ada', name: 'Ada' },
  { id: 'ben', name: 'Ben', role: 'manager' },
];

/** Questions by e-mail, each with an answer link for its recipient. */
async function withLinks(given: Parameters<typeof emailFixture>[0] = {}, script?: Script) {
  const served = await serve({ fetch: (request) => handle(request) });
  onTestFinished(() => served.close());
  const answerLinks = links({
    secret: 'a secret of these tests',
    baseUrl: `${served.url}/api`,
    person: (id) => people.find((person) => person.id === id) ?? null,
    forms: pageForms(),
  });
  const fixture = await emailFixture(
    { ...given, plugins: [answerLinks] },
    { link: ({ approvalId, recipient }) => answerLinks.create({ approvalId, for: { id: recipient.id } }) },
    script,
  );
  const handle = createFetchHandler(fixture.flow, { authorize: () => null });
  return { ...fixture, linkTo: (address: string) => linkIn(fixture.mailTo(address)[0]?.text) };
}

it('an e-mail is answered by the link of its recipient, after a confirmation [0051.10]', async () => {
  const { ask, linkTo, store, ran } = await withLinks();
  const id = await ask();
  const url = linkTo('ben@example.com');
  expect(url).not.toBe(linkTo('ada@example.com'));
  // A scanner opens it.
  for (const method of ['GET', 'HEAD', 'GET']) expect((await readPage(url, { method })).status).toBe(200);
  expect((await store.questions.read(id))?.state).toBe('open');
  expect((await answerBy(url, 'approve')).status).toBe(303);
  const answer = { approved: true, by: { id: 'ben' }, via: 'link' };
  expect((await store.questions.read(id))?.answer).toMatchObject(answer);
  await waitFor(() => expect(ran).toHaveLength(1));
});

it('the rules decide whether a recipient may answer by their link [0051.10]', async () => {
  const { ask, linkTo, store } = await withLinks({
    toolDetails: { pay: { approvers: notTheAsker } } as never,
  });
  const id = await ask();
  expect((await answerBy(linkTo('ada@example.com'), 'approve')).html).toContain('Waiting for someone else');
  expect((await store.questions.read(id))?.state).toBe('open');
  expect((await answerBy(linkTo('ben@example.com'), 'approve')).status).toBe(303);
});

it('the link of an e-mail about a question that needs a value leads to its form [0053.1]', async () => {
  const tools = { askForDates: askPerson({ schema: stay.omit({ guests: true }), title: 'Dates' }) };
  const { ask, linkTo, model, flow } = await withLinks({ tools: tools as never }, [[askForDates()], done]);
  await ask();
  const url = linkTo('ada@example.com');
  const form = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
  const typed = { 'value/from': dates.from, 'value/nights': String(dates.nights) };
  expect((await sendForm(url, { ...form.fields, ...typed })).status).toBe(303);
  await flow.close();
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain(JSON.stringify(dates));
});
