import { tool } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type BoundForm, createFormTokens } from '../../lib/plugins/links/form-token.ts';
import { CountersignError, parseApprovalId } from '../../lib/protocol/index.ts';
import { answerLinksFixture, people, readPage, sendForm } from '../support/answer-links-fixture.ts';
import { questionIn } from '../support/flow-fixture.ts';

const { ada, bob } = people;

const bulk = tool({ inputSchema: z.any(), execute: () => 'Done.' });

describe('a form', () => {
  it.each<[string, Record<string, string>, number]>([
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling of the site', { 'sec-fetch-site': 'same-site' }, 403],
    ['another Host', { host: 'evil.example' }, 403],
    ['JSON', { 'content-type': 'application/json' }, 403],
    ['files', { 'content-type': 'multipart/form-data; boundary=x' }, 403],
  ])('from %s answers nothing [0045.3]', async (_what, headers, status) => {
    const { linkFor, id, store, open } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    const response = await open(
      new Request(url, {
        method: 'POST',
        body: new URLSearchParams(review.fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', host: new URL(url).host, ...headers },
      }),
    );
    expect(response.status).toBe(status);
    expect((await store.questions.read(id))?.state).toBe('open');
  });

  it('answers nothing without a token, or with the token of another step, person or question [0045.3]', async () => {
    const { linkFor, links, id, store, chatOf } = await answerLinksFixture({ mayAnswer: () => true }, {}, [
      [{ call: 'pay', input: { to: 'alice', amount: 30 } }],
      [{ call: 'pay', input: { to: 'alice', amount: 30 } }],
      [{ text: 'Done.' }],
    ]);
    const url = await linkFor({ id: 'ada' });
    const shown = await readPage(url);
    const review = await sendForm(url, { ...shown.fields, answer: 'deny' });
    const ofBob = await readPage(await linkFor({ id: 'bob' }));
    const later = await readPage(await linkFor({ id: 'ada' }, 60_000));
    const stolen = [
      { ...review.fields, form: '' },
      { ...review.fields, form: 'AAAA' },
      { ...shown.fields, step: 'confirm', answer: 'deny' },
      { ...review.fields, answer: 'approve' },
      { ...review.fields, reason: 'Put in later' },
      { ...shown.fields, answer: 'deny', form: ofBob.fields.form ?? '' },
      { ...shown.fields, answer: 'deny', form: later.fields.form ?? '' },
    ];
    for (const fields of stolen) {
      const { status, html } = await sendForm(url, fields);
      expect([403, 409]).toContain(status);
      expect(html).toContain('Nothing was recorded');
    }
    expect((await store.questions.read(id))?.state).toBe('open');

    // A question of another chat about the same call with the same arguments.
    const other = parseApprovalId(questionIn(await chatOf('other').say('Pay.')));
    const swapped = await links.create({ approvalId: other, for: { id: 'ada' } });
    for (const fields of [review.fields, { ...shown.fields, answer: 'deny' }]) {
      expect((await sendForm(swapped, fields)).status).toBe(409);
    }
    expect((await store.questions.read(other))?.state).toBe('open');
  });

  it.each([
    ['a body of 300 kB', `reason=${'x'.repeat(300_000)}`, 413],
    ['a reason of 2,001 characters', `step=review&form=x&answer=deny&reason=${'x'.repeat(2_001)}`, 413],
    ['no fields', '', 403],
    ['an unknown answer', 'step=confirm&form=x&answer=maybe', 403],
  ])('with %s is refused with a page [0045.3]', async (_what, body, status) => {
    const { linkFor } = await answerLinksFixture();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const page = await readPage(await linkFor({ id: 'ada' }), { method: 'POST', body, headers });
    expect(page.status).toBe(status);
    expect(page.html).toContain('<h1>Nothing was recorded</h1>');
  });
});

describe('the token of a form', () => {
  const link = { approvalId: parseApprovalId('one'), target: { id: 'ada' }, issuedAt: 1, expiresAt: 2 };
  const question = {
    id: 'one',
    toolName: 'pay',
    input: { amount: 30 },
    description: 'Pay 30.',
    state: 'open',
  };
  const form = { link, principal: ada, question, answer: { approved: true } } as unknown as BoundForm;
  const tokens = createFormTokens(['a secret of these tests']);

  it.each([
    ['other arguments', { input: { amount: 31 } }],
    ['other arguments for the tool', { runsAs: { amount: 31 } }],
    ['another sentence', { description: 'Pay 31.' }],
    ['another risk', { risk: 'high' }],
    ['another reason for the risk', { riskReason: 'new payee' }],
    ['another definition of the tool', { digest: 'other' }],
    ['another effect', { preview: { state: 'made', digest: 'other', at: 1 } }],
    ['an effect that is not known', { preview: { state: 'failed', at: 1 } }],
    ['a tool that has changed', { outdated: true }],
    ['another call', { toolCallId: 'other' }],
  ])('fits the page that was shown, and not %s [0045.3]', (_what, change) => {
    const token = tokens.make(form);
    expect(tokens.fits(token, form)).toBe(true);
    expect(tokens.fits(token, { ...form, question: { ...form.question, ...change } as never })).toBe(false);
  });

  it('is not valid for another answer, another person or another secret [0045.3]', () => {
    const token = tokens.make(form);
    expect(tokens.fits(token, { ...form, answer: { approved: false } })).toBe(false);
    expect(tokens.fits(token, { ...form, principal: bob as never })).toBe(false);
    expect(createFormTokens(['another secret of these tests']).fits(token, form)).toBe(false);
    expect(
      createFormTokens(['another secret of these tests', 'a secret of these tests']).fits(token, form),
    ).toBe(true);
  });
});

describe('a link that shows no question', () => {
  it('says that the link does not work at a host that is not allowed, and logs the host [0045.10]', async () => {
    const logger = { error: vi.fn(), warn: vi.fn() };
    const { linkFor, open } = await answerLinksFixture({ logger });
    const request = new Request(await linkFor({ id: 'ada' }), { headers: { host: 'other.example' } });
    const response = await open(request);
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('doesn&#39;t work'),
    ]);
    expect(logger.warn.mock.calls).toEqual([
      ['An answer link was opened at a host that is not allowed.', { host: 'other.example' }],
    ]);
  });

  it.each(['forbidden', 'invalid-request', 'not-found', 'payload-too-large'] as const)(
    'shows a failure, and logs it, if the function of the app fails with `%s` [0045.10]',
    async (code) => {
      const logger = { error: vi.fn(), warn: vi.fn() };
      const fails = () => {
        throw new CountersignError(code, 'The directory refused.');
      };
      const { linkFor } = await answerLinksFixture({ logger }, { person: fails, authorize: fails });
      for (const target of [{ id: 'ada' }, { role: 'manager' }]) {
        const { status, html } = await readPage(await linkFor(target));
        expect([status, html.includes('The directory refused.')]).toEqual([500, false]);
      }
      expect(logger.error).toHaveBeenCalledTimes(2);
    },
  );

  it('is refused if the app returns another person than the one in the link [0045.5]', async () => {
    const bob = { id: 'bob', name: 'Bob', role: 'manager' };
    const { linkFor } = await answerLinksFixture({}, { person: () => bob });
    expect((await readPage(await linkFor({ id: 'ada' }))).status).toBe(403);
  });

  it('shows the same page for each reason, whether or not the question exists [0045.10]', async () => {
    const { linkFor, links, clock } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const gone = (target: { id: string } | { role: string }) =>
      links.create({ approvalId: 'never-asked', for: target });
    const pages = async (user: string | undefined, ...urls: string[]) =>
      Promise.all(
        urls.map(async (one) => {
          const { status, html } = await readPage(one, user === undefined ? {} : { user });
          return [status, html.replaceAll(/href="[^"]*"/g, '')];
        }),
      );
    const same = (rows: unknown[][], status: number) => {
      expect(rows[0]?.[0]).toBe(status);
      expect(rows[1]).toEqual(rows[0]);
    };
    same(await pages('eve', await linkFor({ role: 'manager' }), await gone({ role: 'manager' })), 403);
    same(await pages(undefined, await linkFor({ role: 'manager' }), await gone({ role: 'manager' })), 401);
    same(await pages(undefined, await linkFor({ id: 'nobody' }), await gone({ id: 'nobody' })), 403);
    // Eve may not see Ada's question.
    same(await pages(undefined, await linkFor({ id: 'eve' }), await gone({ id: 'eve' })), 404);
    const forged = [
      `${url.slice(0, -1)}`,
      `${url}A`,
      url.replace(/[^/]{9}$/, 'AAAAAAAAA'),
      `${url.slice(0, 60)}`,
      `${url}/..%2f`,
    ];
    for (const one of forged) expect((await readPage(one)).status).toBe(404);
    clock.advance(60 * 60 * 1_000);
    same(await pages(undefined, url, url), 410);
  });
});

describe('texts from models, tools and people', () => {
  const nasty = '"><script>alert(1)</script>&lt;img src=x onerror=alert(1)>\u202egnp.exe \u05d0\u05d1';

  it('cannot make a page of many times their size: very large arguments are shown as JSON', async () => {
    const input = {
      items: Array.from({ length: 20_000 }, (_, index) => ({ name: `item ${index}`, count: index })),
    };
    const { linkFor } = await answerLinksFixture(
      { tools: { bulk } as never, toolApproval: { bulk: 'user-approval' } },
      {},
      [[{ call: 'bulk', input }], [{ text: 'Done.' }]],
    );
    const { status, html } = await readPage(await linkFor({ id: 'ada' }));
    const size = JSON.stringify(input).length;
    expect(status).toBe(200);
    expect(html.length).toBeLessThan(3 * size);
    expect(html).toContain('&quot;item 19999&quot;,&quot;count&quot;:19999}]}</pre>');
  });

  it('reach the answer as the page shows them again: a NUL and a single CR are not in HTML', async () => {
    const { linkFor, id, store } = await answerLinksFixture();
    const url = await linkFor({ id: 'ada' });
    const shown = await readPage(url);
    const review = await sendForm(url, { ...shown.fields, answer: 'deny', reason: 'Not\u0000 now.\rLater.' });
    // A browser sends what it has parsed.
    const parsed = { ...review.fields, reason: (review.fields.reason ?? '').replaceAll('\u0000', '\ufffd') };
    expect((await sendForm(url, parsed)).status).toBe(303);
    expect((await store.questions.read(id))?.answer).toMatchObject({ reason: 'Not\ufffd now.\nLater.' });
  });

  it('cannot be too long for a page, next to a letter that is written from right to left', async () => {
    const { linkFor } = await answerLinksFixture(
      { toolDetails: { pay: { describe: () => 'Pay \u05d0.' } } },
      {},
      [[{ call: 'pay', input: { to: 'a'.repeat(60_000), amount: 3 } }], [{ text: 'Done.' }]],
    );
    const { status, html } = await readPage(await linkFor({ id: 'ada' }));
    expect([status, html]).toEqual([200, expect.stringContaining('value="approve"')]);
  });

  it('are shown as text everywhere, and invisible characters by name [0045.14]', async () => {
    const preview = () => ({
      summary: nasty,
      parts: [
        { type: 'table' as const, title: nasty, rows: [{ [nasty]: nasty }] },
        { type: 'list' as const, title: nasty, items: [nasty] },
        { type: 'diff' as const, title: nasty, before: nasty, after: `${nasty}\n` },
        { type: 'totals' as const, totals: [{ label: nasty, value: nasty }] },
      ],
    });
    const details = {
      title: nasty,
      describe: () => nasty,
      risk: { level: 'high' as const, reason: nasty },
      subject: () => nasty,
      preview,
    };
    const person = { id: 'bob', name: nasty };
    const { linkFor, id, flow } = await answerLinksFixture(
      { toolDetails: { pay: details } as never, mayAnswer: () => true },
      { person: () => person },
      [
        [
          {
            call: 'pay',
            input: { to: nasty, amount: 3, [nasty]: [nasty, { deep: { deeper: { deepest: nasty } } }] },
          },
        ],
        [{ text: 'Done.' }],
      ],
    );
    const url = await linkFor({ id: 'bob' });
    const shown = await readPage(url);
    const review = await sendForm(url, { ...shown.fields, answer: 'deny', reason: nasty });
    await sendForm(url, review.fields);
    const outcome = await readPage(url);
    for (const { html } of [shown, review, outcome]) {
      // The field that carries the reason to the next page has it as it was written.
      const shownTexts = html.replaceAll(/<input type="hidden"[^>]*>/g, '');
      expect(shownTexts).not.toMatch(/<script|<img|\u202e/i);
      expect(html).toContain('⟨U+202E right-to-left override⟩');
    }
    expect(outcome.html).toContain('<strong>Denied</strong>');
    expect((await flow.approvals.read({ principal: person, approvalId: id })).answer?.reason).toBe(nasty);
  });
});

it('a link to a question of an erased chat shows the page of a question that is not available [0045.10]', async () => {
  const { linkFor, flow, chat } = await answerLinksFixture();
  const url = await linkFor({ id: 'ada' });
  const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
  await flow.chats.erase({ principal: ada as never, chatId: chat.id });
  for (const page of [await readPage(url), await sendForm(url, review.fields)]) {
    expect([page.status, page.html.includes('This request is not available')]).toEqual([404, true]);
  }
});
