import { notTheAsker, type Principal } from 'countersign';
import { escalation, escalationLines } from 'countersign/plugins/escalation';
import { votesLines } from 'countersign/plugins/votes';
import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { answerBy, answerLinksFixture, people, readPage, sendForm } from '../support/answer-links-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';

const { ada, bob } = people;
const byAda = { principal: ada as never, via: 'http' };

const withLines = { words: { lines: [escalationLines(), votesLines()] } };

describe('an answer by link', () => {
  it('shows the question, asks for a confirmation, runs the call once and then shows the outcome [0045.3]', async () => {
    const { linkFor, ran, recorded, flow, chat } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const before = await recorded();
    const shown = await readPage(url);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('You answer as Ada.');
    const review = await sendForm(url, { ...shown.fields, answer: 'approve', reason: 'Agreed\r\nin May' });
    expect(review.html).toContain('You approve:');
    expect([await recorded(), ran]).toEqual([before, []]);
    const confirmed = await sendForm(url, review.fields);
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, url]);
    expect((await readPage(url)).html).toMatch(
      /<strong>Approved<\/strong>.*by Ada.*by link.*Agreed\nin May/s,
    );
    await flow.close();
    expect(ran).toHaveLength(1);
    const answered = (await chat.events()).find(({ type }) => type === 'approval-answered');
    expect(answered).toMatchObject({ via: 'link', by: { id: 'ada' }, reason: 'Agreed\nin May' });
  });

  it('shows who has voted, and does not ask a person again who has [0047.2]', async () => {
    const details = { approvers: () => true, votes: { count: 2 } };
    const { linkFor, ran, flow, id } = await answerLinksFixture(
      { toolDetails: { pay: details } as never },
      withLines,
    );
    const url = await linkFor({ id: 'bob' });
    expect((await readPage(url)).html).toContain('0 of 2 approvals.');
    await answerBy(url, 'approve');
    const shown = await readPage(url);
    expect(shown.html).toContain('You approved. Waiting for 1 more approval.');
    expect(shown.fields.form).toBeUndefined();
    expect(ran).toEqual([]);
    await flow.approvals.answer({
      principal: people.ada as never,
      approvalId: id,
      approved: true,
      via: 'http',
    });
    expect((await readPage(url)).html).toContain('2 of 2 approvals: Bob and Ada approved.');
  });

  it('says what happens if nobody answers [0045.14]', async () => {
    const end = { afterMs: 600_000, then: 'deny' as const };
    const steps = [{ afterMs: 60_000, to: () => true, label: 'managers' }];
    const { linkFor } = await answerLinksFixture({ plugins: [escalation({ steps, end })] }, withLines);
    const { html } = await readPage(await linkFor({ id: 'ada' }));
    expect(html).toContain('Will be denied at Jan 1, 2030, 00:10 UTC if nobody answers.');
  });

  it('says to whom the request was escalated, and when [0048.3]', async () => {
    const steps = [{ afterMs: 60_000, to: ({ id }: { id: string }) => id === 'bob', label: 'managers' }];
    const { linkFor, clock, flow } = await answerLinksFixture(
      { plugins: [escalation({ steps })] },
      withLines,
    );
    const url = await linkFor({ id: 'bob' });
    expect((await readPage(url)).status).toBe(404);
    clock.advance(60_000);
    await flow.recover();
    const { html, fields } = await readPage(url);
    expect(html).toContain('<p><bdi>Escalated to managers at Jan 1, 2030, 00:01 UTC.</bdi></p>');
    expect(fields.step).toBe('review');
  });

  it('denies with a reason, and runs nothing [0045.3]', async () => {
    const { linkFor, ran, flow } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    expect((await answerBy(url, 'deny', undefined, 'Too much')).status).toBe(303);
    expect((await readPage(url)).html).toMatch(/<strong>Denied<\/strong>.*Too much/s);
    await flow.close();
    expect(ran).toEqual([]);
  });

  it('chooses an option by its button, and runs what was shown with it [ADR 0050]', async () => {
    const options = [
      { id: 'all', label: 'Approve', then: 'approve' },
      { id: 'less', label: 'Approve 10 only', then: 'approve', input: () => ({ to: 'alice', amount: 10 }) },
    ] as const;
    const { linkFor, ran, flow, id, store } = await answerLinksFixture({ toolDetails: { pay: { options } } });
    const url = await linkFor({ id: 'ada' });
    const shown = await readPage(url);
    for (const value of ['option.all', 'option.less', 'deny'])
      expect(shown.html).toContain(`name="answer" value="${value}"`);
    const forged = await sendForm(url, { ...shown.fields, answer: 'option.more' });
    expect([forged.status, (await store.questions.read(id))?.state]).toEqual([409, 'open']);
    const review = await sendForm(url, { ...shown.fields, answer: 'option.less' });
    expect(review.html).toContain('Approve 10 only');
    expect(ran).toEqual([]);
    expect((await sendForm(url, review.fields)).status).toBe(303);
    expect((await store.questions.read(id))?.answer).toMatchObject({
      option: { id: 'less' },
      input: { to: 'alice', amount: 10 },
      via: 'link',
    });
    await flow.close();
    expect(ran).toHaveLength(1);
  });

  it('is a vote if several people must approve, and the page shows who has voted [ADR 0047]', async () => {
    const approvers = ({ id }: { id: string }) => id === 'ada' || id === 'bob';
    const details = { approvers, votes: { count: 2 } };
    const { linkFor, ran, flow } = await answerLinksFixture(
      { toolDetails: { pay: details } as never },
      withLines,
    );
    const url = await linkFor({ id: 'ada' });
    expect((await answerBy(url, 'approve')).status).toBe(303);
    const voted = await readPage(url);
    expect(voted.html).toContain('You approved. Waiting for 1 more approval.');
    expect([voted.html.includes('<button'), ran]).toEqual([false, []]);
    const other = await linkFor({ id: 'bob' });
    expect((await readPage(other)).html).toContain('1 of 2 approvals: Ada approved.');
    expect((await answerBy(other, 'approve')).status).toBe(303);
    await flow.close();
    expect(ran).toHaveLength(1);
  });

  it('counts once for a double click and for a replayed form, and never shows an error [0045.8]', async () => {
    const { linkFor, ran, flow, chat } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const shown = await readPage(url);
    const review = await sendForm(url, { ...shown.fields, answer: 'approve' });
    const clicks = await Promise.all([sendForm(url, review.fields), sendForm(url, review.fields)]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    const replayed = [
      await sendForm(url, review.fields),
      await sendForm(url, { ...shown.fields, answer: 'deny' }),
    ];
    expect(replayed.map(({ status }) => status)).toEqual([303, 303]);
    await flow.close();
    expect(ran).toHaveLength(1);
    expect((await chat.events()).filter(({ type }) => type === 'approval-answered')).toHaveLength(1);
  });

  it('loses to an answer from the inbox at the same time, and shows that answer [0045.4, 0045.9]', async () => {
    const { linkFor, flow, id, chat } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    const [page, inbox] = await Promise.all([
      sendForm(url, review.fields),
      flow.approvals.answer({ ...byAda, approvalId: id, approved: false }).then(
        () => 'taken',
        () => 'late',
      ),
    ]);
    expect(page.status).toBe(303);
    const answers = (await chat.events()).filter(({ type }) => type === 'approval-answered');
    expect(answers).toMatchObject([{ approved: inbox === 'late', via: inbox === 'late' ? 'link' : 'http' }]);
    expect((await readPage(url)).html).toContain(inbox === 'late' ? 'Approved' : 'Denied');
  });

  it('shows who answered elsewhere instead of the form, even to a person who is about to confirm [0045.9]', async () => {
    const { linkFor, flow, id } = await answerLinksFixture({ mayAnswer: () => true });
    const url = await linkFor({ id: 'bob' });
    const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    await flow.approvals.answer({ ...byAda, approvalId: id, approved: false, reason: 'Paid already' });
    expect((await sendForm(url, review.fields)).status).toBe(303);
    const { html, status } = await readPage(url);
    expect(status).toBe(200);
    expect(html).toMatch(/<strong>Denied<\/strong>.*by Ada.*from the inbox.*Paid already/s);
    expect(html).not.toContain('<form');
  });
});

it('a link for a former id of a person is answered under the current one [0056.5]', async () => {
  const person = () => ({ id: 'old-bob', name: 'Bob' });
  const former = { formerIds: { 'old-bob': 'bob' }, mayAnswer: ({ id }: Principal) => id === 'bob' };
  const { linkFor, store, id } = await answerLinksFixture(former, { person });
  expect((await answerBy(await linkFor({ id: 'old-bob' }), 'deny')).status).toBe(303);
  expect((await store.questions.read(id))?.answer?.by.id).toBe('bob');
});

describe('opening a link', () => {
  it.each(rowsOfThisRun(['GET', 'HEAD', 'OPTIONS'], (method) => method === 'GET'))(
    'records nothing with 100 requests of a scanner: %s [0045.2]',
    async (method) => {
      const { linkFor, recorded, store, id } = await answerLinksFixture();
      const url = await linkFor({ id: 'ada' });
      const [before, change] = [await recorded(), await store.questions.lastChange()];
      const headers = { purpose: 'prefetch', 'sec-purpose': 'prefetch' };
      const query = `${url}?step=confirm&answer=approve`;
      const opened = await Promise.all(
        Array.from({ length: 100 }, (_, index) => readPage(index % 2 ? url : query, { method, headers })),
      );
      expect(new Set(opened.map(({ status }) => status))).toEqual(
        new Set([method === 'OPTIONS' ? 204 : 200]),
      );
      expect([await recorded(), await store.questions.lastChange()]).toEqual([before, change]);
      expect((await store.questions.read(id))?.state).toBe('open');
      if (method !== 'GET') expect(opened[0]?.html).toBe('');
      expect((await answerBy(url, 'approve')).status).toBe(303);
    },
  );

  it('sends headers that protect the address, and no CORS headers [0045.2]', async () => {
    const { linkFor } = await answerLinksFixture();
    const { headers } = await readPage(await linkFor({ id: 'ada' }), {
      headers: { origin: 'https://evil.example' },
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': expect.stringContaining('noindex'),
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('is limited for each link, with a response that says when to try again [0045.2]', async () => {
    const { linkFor, open } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const flood = Array.from({ length: 260 }, () => open(new Request(url, { method: 'HEAD' })));
    const late = (await Promise.all(flood)).find(({ status }) => status === 429);
    expect(late?.headers.get('retry-after')).toBe('1');
    expect((await readPage(await linkFor({ id: 'bob' }))).status).not.toBe(429);
  });

  it('is limited for each client address, if the app provides it [0045.2]', async () => {
    const { linkFor, open: handle } = await answerLinksFixture(
      {},
      { addressOf: ({ headers }) => headers.get('x-client') ?? undefined },
    );
    const url = await linkFor({ id: 'ada' });
    const open = (client: string) =>
      handle(new Request(`${url.slice(0, -9)}wrong`, { headers: { 'x-client': client } }));
    const responses = await Promise.all(Array.from({ length: 601 }, () => open('10.0.0.1')));
    expect(responses.at(-1)?.status).toBe(429);
    expect((await open('10.0.0.2')).status).toBe(404);
  });
});

describe('between the page of the question and the confirmation', () => {
  it('a link that expires answers nothing [0045.8]', async () => {
    const { linkFor, clock, id, store } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' }, 60_000);
    const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    clock.advance(60_000);
    const page = await sendForm(url, review.fields);
    expect([page.status, page.html.includes('This link has expired')]).toEqual([410, true]);
    expect((await store.questions.read(id))?.state).toBe('open');
  });

  it('a question that is withdrawn is not answered, and its page says so [0045.9]', async () => {
    const { linkFor, chat } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    await chat.stop();
    expect((await sendForm(url, review.fields)).status).toBe(303);
    const { status, html } = await readPage(url);
    expect([status, html.includes('Cancelled: the run was stopped')]).toEqual([410, true]);
  });

  it('an effect that changes is shown before anything is confirmed [0045.3, 0045.4]', async () => {
    let users = 2;
    const preview = () => ({ summary: `${users} users` });
    const { linkFor, clock, ran, flow, store, id } = await answerLinksFixture({
      toolDetails: { pay: { preview } } as never,
    });
    const url = await linkFor({ id: 'ada' });
    const shown = await readPage(url);
    users = 900;
    clock.advance(120_000);
    const again = await sendForm(url, { ...shown.fields, answer: 'approve', reason: '<kept>' });
    expect([again.status, again.fields.step]).toEqual([409, 'review']);
    expect(again.html).toMatch(/has changed since.*900 users.*&lt;kept&gt;/s);
    const review = await sendForm(url, { ...again.fields, answer: 'approve' });
    expect(review.html).toContain('900 users');
    users = 2;
    clock.advance(120_000);
    expect((await sendForm(url, review.fields)).status).toBe(409);
    expect((await store.questions.read(id))?.state).toBe('open');
    await answerBy(url, 'approve');
    await flow.close();
    expect(ran).toHaveLength(1);
  });

  it('a person who loses the right answers nothing [0045.4]', async () => {
    let isManager = true;
    const { linkFor, id, store } = await answerLinksFixture({ mayAnswer: () => isManager });
    const url = await linkFor({ id: 'ada' });
    const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    isManager = false;
    const page = await sendForm(url, review.fields);
    expect([page.status, page.html.includes('<form')]).toEqual([403, false]);
    expect((await store.questions.read(id))?.state).toBe('open');
  });

  it('a tool that is paused cannot be approved, but its question can be denied [0045.4]', async () => {
    const { linkFor, flow, id, store } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    await flow.tools.pause({ principal: bob as never, tool: 'pay', reason: 'Audit.' });
    const page = await sendForm(url, review.fields);
    expect([page.status, page.html.includes('value="approve"')]).toEqual([409, false]);
    expect(page.html).toContain('Paused: Audit.');
    expect((await answerBy(url, 'deny')).status).toBe(303);
    expect((await store.questions.read(id))?.state).toBe('denied');
  });
});

it('the person who asked sees why they cannot answer, and the four-eyes rule holds at the answer [0045.4]', async () => {
  const { linkFor, store, id } = await answerLinksFixture({
    toolDetails: { pay: { approvers: notTheAsker, whoMayAnswer: () => 'Waiting for a colleague.' } } as never,
  });
  const own = await linkFor({ id: 'ada' });
  const shown = await readPage(own);
  expect([shown.status, shown.html.includes('<form')]).toEqual([200, false]);
  expect(shown.html).toContain('Waiting for a colleague.');
  expect((await store.questions.read(id))?.state).toBe('open');
  expect((await answerBy(await linkFor({ id: 'bob' }), 'approve')).status).toBe(303);
});

it('shows the same facts as the card: context, asker, age, risk, history and deadline [0045.14]', async () => {
  const details = {
    title: 'Payment',
    describe: () => 'Pay Alice 30.',
    risk: { level: 'medium', reason: 'foreign account' },
    subject: () => 'Alice',
  };
  const script: Script = [
    [{ text: 'I pay now.' }, { call: 'pay', input: { to: 'alice', amount: 30 } }],
    [{ text: 'Done.' }],
  ];
  const settings = { toolDetails: { pay: details } as never, deadlineMs: 600_000 };
  const { linkFor, clock } = await answerLinksFixture(settings, {}, script);
  const url = await linkFor({ id: 'ada' });
  clock.advance(180_000);
  const { html } = await readPage(url);
  for (const text of [
    '<h1>Pay Alice 30.</h1>',
    'Medium risk<bdi>: foreign account</bdi>',
    'Payment',
    'Waiting for 3 minutes',
    'Jan 1, 2030, 00:10 UTC',
    'First time for Alice.',
    '<q><bdi>Pay.</bdi></q>',
    '<q><bdi>I pay now.</bdi></q>',
    '<dt><bdi>Amount</bdi></dt><dd><bdi>30</bdi></dd>',
  ]) {
    expect(html).toContain(text);
  }
  clock.advance(420_000);
  const late = await readPage(url);
  expect([late.status, late.html.includes('Denied: no answer in time')]).toEqual([410, true]);
});
