import { notTheAsker, type Principal } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { type AnswerLinkSettings, links as answerLinks } from 'countersign/plugins/links';
import { expect, vi } from 'vitest';
import { createFormTokens } from '../../lib/plugins/links/form-token.ts';
import { runtime } from '../../lib/runtime/runtime.ts';
import { createSigner } from '../../lib/server/identity/derive-key.ts';
import { adr } from '../support/adr.ts';
import {
  answerBy,
  answerLinksFixture,
  flowWithLinks,
  linkSecret,
  people,
  readPage,
  sendForm,
} from '../support/answer-links-fixture.ts';
import { germanWords } from '../support/german-words.ts';

const { clause } = adr('0045-answer-by-link.md');

const tokenOf = (url: string) => url.split('/').at(-1) ?? '';
const readable = (text: string) => Buffer.from(text, 'base64url').toString('latin1');

clause('0045.1', async () => {
  const { linkFor, id, open, settings } = await answerLinksFixture();
  const url = await linkFor({ id: 'ada' });
  expect(`${url}${readable(tokenOf(url))}`).not.toMatch(new RegExp(`${id}|ada|answer"|purpose`));
  const content = JSON.stringify({
    purpose: 'answer',
    question: id,
    person: 'ada',
    issuedAt: 0,
    expiresAt: 9e15,
  });
  // Rejected: a token that is only signed. Its holder, and each log on its way, reads whom it names.
  const signed = createSigner(linkSecret, 'session-cookie').sign(Buffer.from(content).toString('base64url'));
  expect(readable(signed)).toContain('ada');
  const changed = [...tokenOf(url)].map((character, index, all) =>
    [...all.slice(0, index), character === 'A' ? 'B' : 'A', ...all.slice(index + 1)].join(''),
  );
  const others = answerLinks({ ...settings, secret: 'another secret of 32 characters' });
  const foreign = await others.create({ approvalId: id, for: { id: 'ada' } });
  // The last character has bits that are not part of a byte.
  for (const token of [...changed.slice(0, -1), tokenOf(foreign), signed, content, '']) {
    const response = await open(new Request(`${settings.baseUrl}/answer/${encodeURIComponent(token)}`));
    expect([token, response.status]).toEqual([token, 404]);
  }
});

clause('0045.2', async () => {
  const { linkFor, recorded, flow, id } = await answerLinksFixture();
  const url = await linkFor({ id: 'ada' });
  const before = await recorded();
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
    await readPage(`${url}?step=confirm&answer=approve`, { method });
  }
  expect(await recorded()).toBe(before);
  // Rejected: an address that answers. The first request of a scanner approves.
  const oneClick = () =>
    flow.approvals.answer({
      principal: people.ada as Principal,
      approvalId: id,
      approved: true,
      via: 'link',
    });
  await oneClick();
  expect(await recorded()).toBeGreaterThan(before);
});

clause('0045.3', async () => {
  const { linkFor, store, id } = await answerLinksFixture({ mayAnswer: () => true });
  const url = await linkFor({ id: 'ada' });
  const shown = await readPage(url);
  const review = await sendForm(url, { ...shown.fields, answer: 'deny', reason: 'No' });
  const ofBob = await linkFor({ id: 'bob' });
  const wrong: [string, Record<string, string>][] = [
    [url, { ...shown.fields, step: 'confirm', answer: 'deny' }],
    [url, { ...review.fields, answer: 'approve' }],
    [url, { ...review.fields, reason: 'Yes' }],
    [ofBob, review.fields as Record<string, string>],
    [ofBob, { ...shown.fields, answer: 'deny' }],
  ];
  for (const [to, fields] of wrong) expect((await sendForm(to, fields)).status).toBe(409);
  expect((await store.questions.read(id))?.state).toBe('open');
  expect((await sendForm(url, review.fields)).status).toBe(303);
  expect((await store.questions.read(id))?.answer).toMatchObject({ approved: false, reason: 'No' });
});

clause('0045.4', async () => {
  const { linkFor, flow, id, ran, chat } = await answerLinksFixture({
    toolDetails: { pay: { approvers: notTheAsker } } as never,
  });
  expect((await answerBy(await linkFor({ id: 'ada' }), 'approve')).html).toContain(
    'Waiting for someone else',
  );
  const url = await linkFor({ id: 'bob' });
  const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
  const [, late] = await Promise.all([
    sendForm(url, review.fields),
    flow.approvals
      .answer({ principal: people.eve as Principal, approvalId: id, approved: true, via: 'http' })
      .catch(String),
  ]);
  expect(late === undefined || typeof late === 'string' || late.state === 'approved').toBe(true);
  await flow.close();
  expect(ran).toHaveLength(1);
  expect((await chat.events()).filter(({ type }) => type === 'approval-answered')).toHaveLength(1);
});

clause('0045.5', async () => {
  let bob: Principal | null = people.bob as Principal;
  const isManager = ({ role }: Principal) => role === 'manager';
  const { linkFor, store, id, flow } = await answerLinksFixture(
    { mayAnswer: isManager },
    { person: async () => bob },
  );
  const url = await linkFor({ id: 'bob' });
  const review = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
  // Rejected: the principal as it was when the link was made. It would still be a manager.
  expect(isManager(people.bob as Principal)).toBe(true);
  for (const now of [{ id: 'bob', name: 'Bob' }, null, { id: 'eve', name: 'Eve', role: 'manager' }]) {
    bob = now;
    expect([403, 404]).toContain((await sendForm(url, review.fields)).status);
  }
  expect((await store.questions.read(id))?.state).toBe('open');
  bob = people.bob as Principal;
  expect((await sendForm(url, review.fields)).status).toBe(303);
  expect((await flow.approvals.read({ principal: bob, approvalId: id })).answer?.by).toEqual({
    id: 'bob',
    name: 'Bob',
  });
});

clause('0045.6', async () => {
  const { linkFor, store, id, settings } = await answerLinksFixture({ mayAnswer: () => true });
  const url = await linkFor({ role: 'manager' });
  const away = await readPage(url);
  expect([away.status, away.html.includes(`href="${url}"`)]).toEqual([401, true]);
  expect((await readPage(url, { user: 'eve' })).status).toBe(403);
  const review = await sendForm(
    url,
    { ...(await readPage(url, { user: 'bob' })).fields, answer: 'approve' },
    { user: 'bob' },
  );
  expect((await sendForm(url, review.fields, { user: 'eve' })).status).toBe(403);
  expect((await sendForm(url, review.fields)).status).toBe(401);
  expect((await store.questions.read(id))?.state).toBe('open');
  expect((await sendForm(url, review.fields, { user: 'bob' })).status).toBe(303);
  expect((await store.questions.read(id))?.answer?.by.id).toBe('bob');
  // Without `person`, a person needs a sign-in as well.
  const { person: _, ...signedIn } = settings;
  const { links, open } = flowWithLinks(signedIn, { store, mayAnswer: () => true });
  const own = new Request(await links.create({ approvalId: id, for: people.bob as Principal }));
  expect((await open(own)).status).toBe(401);
});

clause('0045.7', async () => {
  const fresh = { authenticatedAt: 0, authenticationMethods: ['otp'] };
  const person = () => ({ ...(people.ada as Principal), ...fresh, authenticatedAt: clock.now() });
  const toolDetails = { pay: { stepUp: { maxAgeMs: 60_000 } } } as never;
  const { linkFor, store, id, clock, flow } = await answerLinksFixture({ toolDetails }, { person });
  const url = await linkFor({ id: 'ada' });
  const shown = await readPage(url);
  expect(shown.html).toMatch(/needs a recent sign-in.*href="\/inbox\//s);
  expect(shown.html).not.toContain('<form');
  // A form of a page that was shown before the tool required a sign-in.
  const times = { issuedAt: clock.now(), expiresAt: clock.now() + 60 * 60 * 1_000 };
  const link = { approvalId: id, target: { id: 'ada' }, ...times };
  const question = await flow.approvals.read({ principal: person(), approvalId: id });
  const form = (answer?: { approved: boolean }) =>
    createFormTokens([linkSecret]).make({
      link,
      principal: person(),
      question,
      ...(answer && { answer }),
    });
  const review = await sendForm(url, { step: 'review', form: form(), answer: 'deny' });
  const confirm = await sendForm(url, { step: 'confirm', form: form({ approved: false }), answer: 'deny' });
  expect([review.status, confirm.status]).toEqual([403, 403]);
  expect((await store.questions.read(id))?.state).toBe('open');
  // The sign-in itself is enough.
  await flow.approvals.answer({ principal: person(), approvalId: id, approved: false, via: 'http' });
});

clause('0045.8', async () => {
  const { linkFor, clock, store, id, flow, links } = await answerLinksFixture();
  const url = await linkFor({ id: 'ada' }, 60_000);
  expect((await answerBy(url, 'deny')).status).toBe(303);
  expect((await answerBy(url, 'approve')).html).toContain('<strong>Denied</strong>');
  expect((await store.questions.read(id))?.answer?.approved).toBe(false);
  clock.advance(60_000);
  expect((await readPage(url)).status).toBe(410);
  await expect(links.create({ approvalId: id, for: { id: 'ada' }, lifetimeMs: 0 })).rejects.toMatchObject({
    code: 'invalid-settings',
  });
  await flow.close();

  // A deploy changes the tool, so that an approval asks again.
  const old = await answerLinksFixture();
  const outdated = await old.linkFor({ id: 'ada' });
  const review = await sendForm(outdated, { ...(await readPage(outdated)).fields, answer: 'approve' });
  const next = flowWithLinks(old.settings, { store: old.store, toolDetails: { pay: { version: '2' } } });
  const open = async (url: string, init?: RequestInit) => (await next.open(new Request(url, init))).text();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(review.fields).toString();
  expect(await open(outdated, { method: 'POST', headers, body })).toMatch(
    /Nothing was recorded.*This tool has changed/s,
  );
  const byAda = { principal: people.ada as Principal, approvalId: old.id, approved: true, via: 'http' };
  const changed = await next.flow.approvals.answer(byAda).catch((error) => error.fields);
  expect(await open(outdated)).toContain(
    'The request was asked again. This link does not answer the new one.',
  );
  const again = { approvalId: changed.replacedBy as string, for: { id: 'ada' } };
  expect(again.approvalId).not.toBe(old.id);
  expect(await open(await next.links.create(again))).toContain('value="approve"');
});

clause('0045.9', async () => {
  const { linkFor, flow, id } = await answerLinksFixture();
  const url = await linkFor({ id: 'ada' });
  await flow.approvals.answer({
    principal: people.ada as Principal,
    approvalId: id,
    approved: true,
    via: 'sse',
  });
  const { status, html } = await readPage(url);
  expect(status).toBe(200);
  expect(html).toMatch(/<strong>Approved<\/strong>.*by Ada.*Jan 1, 2030, 00:00 UTC.*from the chat/s);
  expect(html).not.toContain('<form');
});

clause('0045.10', async () => {
  const { linkFor, links, clock } = await answerLinksFixture();
  const never = (target: { id: string } | { role: string }) =>
    links.create({ approvalId: 'never', for: target });
  const pages: string[] = [];
  const compare = async (one: string, other: string, user?: string) => {
    const [of, not] = await Promise.all(
      [one, other].map((url) => readPage(url, user === undefined ? {} : { user })),
    );
    const plain = ({ status, html }: { status: number; html: string }) =>
      `${status} ${html.replaceAll(/href="[^"]*"/g, '')}`;
    pages.push(plain(of as never));
    expect(plain(not as never)).toBe(pages.at(-1));
  };
  await compare(await linkFor({ role: 'manager' }), await never({ role: 'manager' }), 'eve');
  await compare(await linkFor({ role: 'manager' }), await never({ role: 'manager' }));
  await compare(await linkFor({ id: 'nobody' }), await never({ id: 'nobody' }));
  await compare(await linkFor({ id: 'eve' }), await never({ id: 'eve' }));
  const [one, other] = [await linkFor({ id: 'ada' }), await never({ id: 'ada' })];
  clock.advance(60 * 60 * 1_000);
  await compare(one, other);
  expect(pages.map((page) => page.slice(0, 3))).toEqual(['403', '401', '403', '404', '410']);
});

clause('0045.11', async () => {
  const { linkFor, chat, flow, id } = await answerLinksFixture();
  await answerBy(await linkFor({ id: 'ada' }), 'deny');
  expect((await chat.events()).find(({ type }) => type === 'approval-answered')).toMatchObject({
    via: 'link',
  });
  const record = await flow.audit.read({ principal: people.ada as Principal, chatId: chat.id });
  expect(record.entries.find(({ type }) => type === 'answered')).toMatchObject({
    via: 'link',
    approvalId: id,
  });
  const check = { key: 'a key of the test only', head: record.head };
  expect(verifyAudit(record.entries, check)).toBeUndefined();
});

clause('0045.12', async () => {
  const { linkFor, store, settings } = await answerLinksFixture();
  const url = await linkFor({ id: 'ada' });
  const next = 'the next secret of these tests';
  const openWith = (secret: AnswerLinkSettings['secret'], init?: RequestInit) =>
    flowWithLinks({ ...settings, secret }, { store }).open(new Request(url, init));
  expect((await openWith([next, linkSecret])).status).toBe(200);
  expect((await openWith(next)).status).toBe(404);
  const shown = await readPage(url);
  const body = new URLSearchParams({ ...shown.fields, answer: 'deny' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await openWith([next, linkSecret], { method: 'POST', body, headers })).status).toBe(200);
});

clause('0045.13', async () => {
  const safe: AnswerLinkSettings = {
    secret: linkSecret,
    baseUrl: 'https://app.example.com/api',
    person: () => null,
  };
  answerLinks(safe);
  const { person: _, ...nobody } = safe;
  const unsafe: [object, string][] = [
    [{ ...safe, secret: 'short' }, 'secret'],
    [{ ...safe, secret: [] }, 'secret'],
    [{ ...safe, secret: [linkSecret, 'short'] }, 'secret[1]'],
    [{ ...safe, baseUrl: undefined }, 'baseUrl'],
    [{ ...safe, baseUrl: '/api' }, 'baseUrl'],
    [{ ...safe, baseUrl: 'http://app.example.com/api' }, 'baseUrl'],
    [{ ...safe, baseUrl: 'http://127.example.com/api' }, 'baseUrl'],
    [{ ...safe, baseUrl: 'https://app.example.com/api/' }, 'baseUrl'],
    [{ ...safe, baseUrl: 'https://app.example.com/api?token=' }, 'baseUrl'],
    [{ ...safe, baseUrl: 'https://user:pass@app.example.com' }, 'baseUrl'],
    [{ ...safe, lifetimeMs: 8 * 24 * 60 * 60 * 1_000 }, 'lifetimeMs'],
    [{ ...safe, lifeTimeMs: 1_000 }, 'lifeTimeMs'],
    [nobody, 'authorize'],
  ];
  for (const [settings, path] of unsafe) {
    const create = () => answerLinks(settings as AnswerLinkSettings);
    expect(create, path).toThrow(
      expect.objectContaining({ code: 'invalid-settings', fields: expect.objectContaining({ path }) }),
    );
  }
  expect(() => answerLinks(nobody)).toThrow(/`person`, `authorize`, or both/);
  const links = answerLinks(safe);
  const refused = { code: 'invalid-settings' };
  const link = (target: object, lifetimeMs?: number) =>
    links.create({ approvalId: 'a', for: target as never, ...(lifetimeMs !== undefined && { lifetimeMs }) });
  await expect(link({ role: 'manager' })).rejects.toMatchObject(refused);
  await expect(link({ id: '' })).rejects.toMatchObject(refused);
  await expect(link({})).rejects.toMatchObject(refused);
  await expect(link({ id: 'ada' }, 10 * 24 * 60 * 60 * 1_000)).rejects.toMatchObject(refused);
  await expect(link({ id: 'ada' }, Number.NaN)).rejects.toMatchObject(refused);
});

clause('0045.14', async () => {
  const nasty = '<b onclick="x()">&\u202e';
  const describe = () => nasty;
  const { asker: _, ...card } = germanWords.card ?? {};
  const { linkFor } = await answerLinksFixture(
    { toolDetails: { pay: { describe, risk: 'high' } } as never },
    { words: { ...card, language: 'de' } as AnswerLinkSettings['words'] },
  );
  const { html } = await readPage(await linkFor({ id: 'ada' }));
  expect(html).toContain('&lt;b onclick=&quot;x()&quot;&gt;&amp;⟨U+202E right-to-left override⟩');
  expect(html).toMatch(/<html lang="de".*Hohes Risiko.*Ablehnen/s);
  expect(runtime.utf8Length(html)).toBeLessThan(20_000);
});

clause('0045.15', async () => {
  const error = vi.fn();
  const words = {
    moment(): never {
      throw new Error('Invalid regular expression: /(alice)/');
    },
  };
  const logger = { error, warn: () => {} };
  const { linkFor, id, store } = await answerLinksFixture({ logger }, { words });
  const url = await linkFor({ id: 'ada' });
  const shown = await readPage(url);
  expect([shown.status, shown.html]).toEqual([
    200,
    expect.stringContaining('&quot;to&quot;: &quot;alice&quot;'),
  ]);
  expect(shown.html).not.toContain('value="approve"');
  // An approval that is forged into the form is not confirmed either.
  expect((await sendForm(url, { ...shown.fields, answer: 'approve' })).fields).toMatchObject({
    step: 'review',
  });
  expect((await answerBy(url, 'deny', undefined, 'Unreadable')).status).toBe(303);
  expect(await store.questions.read(id)).toMatchObject({ state: 'denied' });
  expect((await readPage(url)).fields).toEqual({});
  expect(error.mock.calls.length).toBeGreaterThan(0);
  expect(JSON.stringify(error.mock.calls)).not.toContain('alice');
});
