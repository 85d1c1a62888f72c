import { jsonSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createFormTokens } from '../../lib/plugins/links/form-token.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { people, readPage, sendForm } from '../support/answer-links-fixture.ts';
import { questionIn } from '../support/flow-fixture.ts';
import { ask, done } from '../support/form-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { answered, askedFor, values } from '../support/value-link-fixture.ts';

const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' };

/** What a browser with the page does not send. */
const hostile: readonly [string, Readonly<Record<string, string>>][] = [
  ['a field that the page does not have', { ...values, 'value/admin': '1' }],
  ['a field within a field', { ...values, 'value/from/x': '1' }],
  ['a value beside its fields', { ...values, value: '{"nights":1}' }],
  ['the prototype', { ...values, 'value/__proto__': 'x' }],
  ['the prototype of the prototype', { ...values, 'value/constructor/prototype': 'x' }],
  ['a number in words', { ...values, 'value/nights': 'three' }],
  ['a hexadecimal number', { ...values, 'value/nights': '0x3' }],
  ['an infinite number', { ...values, 'value/budget': '1e999' }],
  ['a fraction of a night', { ...values, 'value/nights': '1.5' }],
  ['a day that does not exist', { ...values, 'value/from': '2026-02-30' }],
  ['a time without a date', { ...values, 'value/arrival': '18:30' }],
  ['the text of an option', { ...values, 'value/room': 'double' }],
  ['an option that does not exist', { ...values, 'value/room': '2' }],
  ['an option before the first', { ...values, 'value/room': '-1' }],
  ['`null` for a value that cannot be null', { ...values, 'value/room': 'null' }],
  ['a word for yes', { ...values, 'value/breakfast': 'true' }],
  ['a text that is too long', { ...values, 'value/note': 'x'.repeat(501) }],
  ['a text of 200 kB', { ...values, 'value/mail': `${'x'.repeat(200_000)}@example.com ` }],
  ['no fields', {}],
];

describe('a form with a value', () => {
  it.each(rowsOfThisRun(hostile, (_, index) => index % 2 === 0))(
    'with %s is refused, and the question stays open [0053.3]',
    async (_what, fields) => {
      const { url, openForm, recorded, state } = await askedFor();
      const form = await openForm();
      const before = await recorded();
      const refused = await sendForm(url, { ...form.fields, ...fields });
      expect([refused.status, await recorded(), await state()]).toEqual([400, before, 'open']);
      expect((await sendForm(url, { ...form.fields, ...values })).status).toBe(303);
    },
  );

  it.each([
    ['value/nights', 403],
    ['answer', 403],
    ['form', 403],
  ])('with the field %s twice is refused [0053.3]', async (name, status) => {
    const { url, openForm, state } = await askedFor();
    const form = await openForm();
    const body = new URLSearchParams({ ...form.fields, ...values });
    body.append(name, body.get(name) ?? '');
    const page = await readPage(url, { method: 'POST', body: body.toString(), headers });
    expect([page.status, await state()]).toEqual([status, 'open']);
  });

  it('of more than 256 kB is refused before it is read [0053.3]', async () => {
    const { url, openForm, state } = await askedFor();
    const form = await openForm();
    const page = await sendForm(url, { ...form.fields, ...values, 'value/note': 'x'.repeat(300_000) });
    expect([page.status, await state()]).toEqual([413, 'open']);
    expect(page.html).toContain('Your answer is too long.');
  });

  it('answers nothing in the first step, without its token, or with that of another link [0053.6]', async () => {
    const fixture = await askedFor(undefined, {}, {}, [[ask('a')], [ask('b')], done]);
    const { url, openForm, linkFor, links, state, chatOf, store } = fixture;
    const shown = await readPage(url);
    const form = await openForm();
    const bobs = await linkFor({ id: 'bob' });
    const ofBob = await openForm('', bobs);
    const review = await sendForm(url, { ...shown.fields, answer: 'approve', ...values });
    expect([review.status, review.fields.step, await state()]).toEqual([200, 'confirm', 'open']);
    for (const [to, fields] of [
      [url, { ...shown.fields, step: 'confirm', answer: 'approve' }],
      [url, { ...form.fields, form: 'AAAA' }],
      [url, { ...form.fields, form: ofBob.fields.form ?? '' }],
      [url, { ...form.fields, reason: 'Put in later' }],
      [url, { ...form.fields, answer: 'deny' }],
      [bobs, form.fields],
    ] as const) {
      const page = await sendForm(to, { ...fields, ...values });
      expect([page.status, page.html.includes('Nothing was recorded')]).toEqual([409, true]);
    }
    const other = parseApprovalId(questionIn(await chatOf('other').say('Book.')));
    const swapped = await links.create({ approvalId: other, for: { id: 'ada' } });
    expect((await sendForm(swapped, { ...form.fields, ...values })).status).toBe(409);
    expect([(await store.questions.read(other))?.state, await state()]).toEqual(['open', 'open']);
  });

  it('answers once, however often it is sent, and with whatever value [0053.6]', async () => {
    const { url, openForm, store, id, chat } = await askedFor();
    const { fields } = await openForm();
    const clicks = await Promise.all([
      sendForm(url, { ...fields, ...values }),
      sendForm(url, { ...fields, ...values }),
    ]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    const late = await sendForm(url, { ...fields, ...values, 'value/nights': '9' });
    expect([late.status, late.headers.get('location')]).toEqual([303, url]);
    expect((await sendForm(url, { ...fields, ...values, 'value/nights': 'x' })).status).toBe(303);
    expect((await store.questions.read(id))?.answer?.value).toEqual(answered);
    expect((await chat.events()).filter(({ type }) => type === 'approval-answered')).toHaveLength(1);
  });

  it('is checked for the rights that the person has when it is sent [0053.6]', async () => {
    let isManager = true;
    const { url, openForm, state } = await askedFor(undefined, { mayAnswer: () => isManager });
    const { fields } = await openForm();
    isManager = false;
    const refused = await sendForm(url, { ...fields, ...values });
    expect([refused.status, refused.html.includes('<form'), await state()]).toEqual([403, false, 'open']);
  });

  it('answers nothing with GET [0053.6]', async () => {
    const { url, openForm, recorded, state } = await askedFor();
    const form = await openForm();
    const before = await recorded();
    const query = new URLSearchParams({ ...form.fields, ...values });
    expect((await readPage(`${url}?${query}`)).status).toBe(200);
    expect([await recorded(), await state()]).toEqual([before, 'open']);
  });
});

it('the token of a form is not valid for another schema [0053.6]', () => {
  const link = { approvalId: parseApprovalId('one'), target: { id: 'ada' }, issuedAt: 1, expiresAt: 2 };
  const tokens = createFormTokens(['a secret of these tests']);
  const bound = (inputSchema: unknown, needsValue = true) =>
    ({
      ...{ link, principal: people.ada, answer: { approved: true } },
      question: {
        id: 'one',
        toolName: 'ask',
        input: {},
        description: 'Ask.',
        state: 'open',
        needsValue,
        inputSchema,
      },
    }) as never;
  const asked = { type: 'object', properties: { nights: { type: 'integer', title: 'Nights' } } };
  const other = { type: 'object', properties: { nights: { type: 'integer', title: 'Price' } } };
  expect(tokens.fits(tokens.make(bound(asked)), bound(asked))).toBe(true);
  expect(tokens.fits(tokens.make(bound(asked)), bound(other))).toBe(false);
});

describe('texts of the schema, of the person and of the server', () => {
  const nasty = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202egnp.exe \u05d0';

  it('are shown as text, and invisible characters by name [0053.8]', async () => {
    const plain = { title: nasty, description: nasty };
    const schema = jsonSchema(
      {
        type: 'object',
        properties: {
          [nasty]: { type: 'string', ...plain, default: nasty, pattern: `.*|${nasty}` },
          few: { enum: [nasty, 'b'], ...plain },
          many: { enum: [nasty, 'b', 'c', 'd', 'e', 'f'], ...plain },
          only: { const: nasty, ...plain },
          day: { type: 'string', format: 'date', ...plain },
          count: { type: 'number', ...plain },
        },
        required: [nasty, 'only', 'count'],
      } as never,
      {
        validate: () => ({ success: false as const, error: new z.ZodError([{ ...issue, message: nasty }]) }),
      },
    );
    const issue = { code: 'custom' as const, path: ['count'], input: 1 };
    const { url, openForm, state } = await askedFor(schema as never);
    const form = await openForm(nasty);
    const typed = { [`value/${nasty.replaceAll('~', '~0').replaceAll('/', '~1')}`]: nasty, 'value/few': '0' };
    const rest = { 'value/many': '', 'value/day': nasty };
    const again = await sendForm(url, { ...form.fields, ...typed, ...rest, 'value/count': nasty });
    const refused = await sendForm(url, { ...form.fields, ...typed, 'value/many': '', 'value/count': '1' });
    for (const { html } of [form, again, refused]) {
      const shown = html
        .replaceAll(/ (value|pattern|name)="[^"]*"/g, '')
        .replaceAll(/<textarea.*?<\/textarea>/gs, '');
      expect(shown).not.toMatch(/<script|<img|\u202e/i);
      expect(html).not.toMatch(/<script|<img/i);
      expect(html).toContain('⟨U+202E right-to-left override⟩');
    }
    expect([again.status, refused.status, await state()]).toEqual([400, 400, 'open']);
    expect(refused.html).toContain('id="field-5-problem"');
  });
});

it('a property named __proto__ is answered in the inbox [0053.7]', async () => {
  const properties = JSON.parse('{"__proto__":{"type":"string"},"a":{"type":"string"}}');
  const { url } = await askedFor(jsonSchema({ type: 'object', properties }) as never);
  expect((await readPage(url)).html).toContain('The form of this request cannot be filled in here.');
});
