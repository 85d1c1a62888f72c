import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import type { CallAnswer, CallContext } from 'countersign';
import { pageForms } from 'countersign/plugins/forms';
import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PageForms } from '../../lib/channels/page-form.ts';
import { answerLinksFixture, people, readPage, sendForm } from '../support/answer-links-fixture.ts';
import { done } from '../support/asking-fixture.ts';
import { answered, askedFor, values } from '../support/value-link-fixture.ts';

const control = (html: string, name: string) =>
  new RegExp(`<(?:input|textarea|select)[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? '';

describe('a question that needs a value', () => {
  it('is answered with the form of the second page, and the value reaches the model [0053.1]', async () => {
    const { url, openForm, recorded, state, result, id, flow } = await askedFor();
    const shown = await readPage(url);
    expect(shown.html).toContain('You fill in your answer on the next page.');
    const before = await recorded();
    const form = await openForm('Asked at home');
    expect([form.status, form.fields.step, await recorded()]).toEqual([200, 'confirm', before]);
    expect(form.html).toContain('You answer:');
    const sent = await sendForm(url, { ...form.fields, ...values });
    expect([sent.status, sent.headers.get('location'), await state()]).toEqual([303, url, 'approved']);
    expect((await readPage(url)).html).toMatch(/<strong>Answered<\/strong>.*by Ada.*by link.*Asked at home/s);
    const { answer } = await flow.approvals.read({ principal: people.ada as never, approvalId: id });
    expect(answer).toMatchObject({ value: answered, via: 'link', reason: 'Asked at home' });
    expect(await result()).toContain(JSON.stringify(answered));
  });

  it('has native controls with labels, hints and the bounds of the schema [0053.2]', async () => {
    const { html } = await (await askedFor()).openForm();
    const attributes = Object.keys(values).map((name) => control(html, name));
    expect(attributes.map((text) => text.replace(/ (id|name)="[^"]*"/g, ''))).toEqual([
      '<input aria-describedby="field-0-hint" required autocomplete="off" type="date" value="">',
      '<input required autocomplete="off" type="number" step="1" inputmode="numeric" min="1" max="30" value="">',
      '<input type="radio" value="0" required>',
      '<input type="radio" value="0" required>',
      '<input autocomplete="off" type="number" step="any" inputmode="decimal" min="0" value="">',
      '<input aria-describedby="field-5-hint" autocomplete="off" type="datetime-local" value="">',
      '<input autocomplete="off" type="time" value="">',
      '<input autocomplete="off" type="email" value="">',
      '<input autocomplete="off" type="url" value="">',
      '<input autocomplete="off" type="text" dir="auto" pattern=".*(?:^[A-Z]{3}$).*" title="Use three capital letters, for example EUR." value="">',
      '<textarea autocomplete="off" dir="auto" minlength="2" maxlength="500">',
      '<select>',
      '<input autocomplete="off" type="number" step="any" value="">',
    ]);
    expect(html).toContain('<label for="field-0"><bdi>From</bdi></label>');
    expect(html).toContain('<div id="field-0-hint"><p class="quiet"><bdi>The first day.</bdi></p></div>');
    expect(html).toContain('<legend><bdi>Kind of room</bdi></legend>');
    expect(html).toContain('<bdi>Note</bdi> <span class="quiet">(optional)</span>');
  });

  it('reads each text as the type of its field, and nothing else [0053.3]', async () => {
    const { url, openForm, id, store } = await askedFor();
    const { fields } = await openForm();
    const all = {
      'value/budget': '12.50',
      'value/arrival': '2026-12-01T18:30',
      'value/wakeUp': '07:15',
      'value/mail': 'ada@example.com',
      'value/site': 'https://example.com/?a=1&b=2',
      'value/code': 'EUR',
      'value/note': ' two\r\nlines ',
      'value/floor': '5',
      'value/guests': '-2e0',
    };
    expect((await sendForm(url, { ...fields, ...values, ...all })).status).toBe(303);
    expect((await store.questions.read(id))?.answer?.value).toEqual({
      ...answered,
      budget: 12.5,
      arrival: '2026-12-01T18:30:00Z',
      wakeUp: '07:15',
      mail: 'ada@example.com',
      site: 'https://example.com/?a=1&b=2',
      code: 'EUR',
      note: ' two\nlines ',
      floor: '6',
      guests: -2,
    });
  });

  it.each([
    ['date', z.iso.date(), '2026-12-01', '2026-12-01'],
    ['choice', z.enum(['red', 'green']), '1', 'green'],
    ['number', z.number(), '0.5', 0.5],
    ['text', z.string().min(1), 'Hello', 'Hello'],
  ])('may ask for one plain value: a %s [0053.1]', async (_what, schema, typed, value) => {
    const { url, openForm, id, store } = await askedFor(schema);
    const { fields, html } = await openForm();
    expect(html).toContain('<bdi>Your answer</bdi>');
    expect((await sendForm(url, { ...fields, value: typed })).status).toBe(303);
    expect((await store.questions.read(id))?.answer?.value).toEqual(value);
  });

  it('begins with the defaults of required fields, and chooses nothing for the person [0053.2]', async () => {
    const schema = z.object({ nights: z.int(), room: z.enum(['single', 'double']), pets: z.boolean() });
    const given = schema.extend({ nights: z.int().default(2) });
    const { html } = await (await askedFor(given)).openForm();
    expect(html).not.toMatch(/ checked| selected/);
    expect(html).toContain('<bdi>Default: 2</bdi>');
    expect(html.match(/type="radio"[^>]* required/g)).toHaveLength(4);
  });

  it.each<[string, z.ZodType, { forms?: undefined }?]>([
    ['a list', z.object({ guests: z.array(z.string()) })],
    ['an object within an object', z.object({ guest: z.object({ name: z.string() }) })],
    ['a union', z.object({ room: z.union([z.string(), z.number()]) })],
    ['a record', z.record(z.string(), z.string())],
    ['a field with a line break in its name', z.object({ 'a\nb': z.string() })],
    ['plain fields, without the plugin of forms,', z.object({ guest: z.string() }), { forms: undefined }],
  ])('with %s is answered in the inbox, or declined here [0053.7]', async (_what, schema, more = {}) => {
    const { url, state } = await askedFor(schema, {}, more);
    const shown = await readPage(url);
    expect(shown.html).toContain('The form of this request cannot be filled in here.');
    expect(shown.html).toMatch(/<a [^>]*href="\/inbox\//);
    expect(shown.html).not.toContain('value="approve"');
    expect((await sendForm(url, { ...shown.fields, answer: 'approve' })).status).toBe(409);
    const review = await sendForm(url, { ...shown.fields, answer: 'deny' });
    expect(review.html).toContain('You decline:');
    expect((await sendForm(url, review.fields)).status).toBe(303);
    expect(await state()).toBe('denied');
  });
});

describe('a value that is rejected', () => {
  it('is shown again with its problems, and the link still answers [0053.4]', async () => {
    const { url, openForm, recorded, state, result } = await askedFor();
    const form = await openForm('Kept');
    const before = await recorded();
    const typed = {
      'value/from': '31.12.2026',
      'value/nights': '40',
      'value/note': '"<x>',
      'value/room': '',
    };
    const again = await sendForm(url, { ...form.fields, ...values, ...typed });
    expect([again.status, await recorded(), await state()]).toEqual([400, before, 'open']);
    expect(again.html).toMatch(/<title>There is a problem · /);
    expect(again.html).toMatch(/<main><div class="note problems" role="alert" tabindex="-1" autofocus>/);
    expect(
      [...again.html.matchAll(/<a href="#(field-\d+)"><bdi>([^<]*)/g)].map((found) => found.slice(1)),
    ).toEqual([
      ['field-0', 'From: Enter a full date.'],
      ['field-1', 'Nights: At most 30.'],
      ['field-2', 'Kind of room: Required.'],
    ]);
    // What a date control cannot show is kept in a text control.
    expect(control(again.html, 'value/from')).toMatch(
      /aria-describedby="field-0-problem field-0-hint" aria-invalid="true" .*type="text".*value="31.12.2026"/,
    );
    expect(control(again.html, 'value/nights')).toMatch(/aria-invalid="true".*type="number".*value="40"/);
    expect(again.html).toContain('<p class="problem" id="field-1-problem"><bdi>At most 30.</bdi></p>');
    expect(again.html).toContain(`${control(again.html, 'value/note')}\n&quot;&lt;x&gt;</textarea>`);
    expect(again.html).toContain('<q><bdi>Kept</bdi></q>');
    expect((await sendForm(url, { ...again.fields, ...values })).status).toBe(303);
    expect(await result()).toContain('2026-12-01');
  });

  it('shows what only the server can check at its field, and over the whole value [0053.4]', async () => {
    const schema = z
      .object({
        word: z.string().refine((word) => word !== 'no', 'Not that <b>word</b>.'),
        other: z.string(),
      })
      .refine(({ word, other }) => word !== other, 'They must differ.');
    const { url, openForm, state } = await askedFor(schema);
    const { fields } = await openForm();
    const send = (word: string, other: string) =>
      sendForm(url, { ...fields, 'value/word': word, 'value/other': other });
    const one = await send('no', 'yes');
    expect([one.status, await state()]).toEqual([400, 'open']);
    expect(one.html).toContain('<a href="#field-0"><bdi>Word: Not that &lt;b&gt;word&lt;/b&gt;.</bdi></a>');
    const whole = await send('same', 'same');
    expect(whole.html).toContain('<li><bdi>They must differ.</bdi></li>');
    expect((await send('one', 'two')).status).toBe(303);
  });

  it('does not stop the person from declining [0053.5]', async () => {
    const { url, openForm, state } = await askedFor();
    const { fields } = await openForm('Not now');
    const again = await sendForm(url, { ...fields, ...values, 'value/nights': 'many' });
    const decline = again.forms[1] ?? {};
    expect([again.status, decline.step, decline.answer]).toEqual([400, 'review', 'deny']);
    const review = await sendForm(url, { ...decline, 'value/nights': 'many' });
    expect(review.html).toContain('You decline:');
    expect(await state()).toBe('open');
    expect((await sendForm(url, { ...review.fields, 'value/nights': 'many' })).status).toBe(303);
    expect(await state()).toBe('denied');
    expect((await readPage(url)).html).toMatch(/<strong>Denied<\/strong>.*Not now/s);
  });
});

/** A running call that asks, with or without defaults. */
function asking(schema: z.ZodType) {
  const answers: CallAnswer<unknown>[] = [];
  const book = tool({
    inputSchema: z.object({}),
    execute: async (_input, { context }: ToolExecutionOptions<CallContext>) => {
      answers.push(await context.ask({ message: 'How many nights?', schema }));
      return 'Asked.';
    },
  });
  return { tools: { book } as ToolSet, toolDetails: { book: { mayAsk: true } } as never, answers };
}

it.each([
  ['a field to fill in', z.object({ nights: z.int().max(30) }), ''],
  ['defaults', z.object({ nights: z.int().max(30).default(2) }), '2'],
])('a running call that asks with %s is answered by the form [0053.1]', async (_what, schema, begun) => {
  const { tools, toolDetails, answers } = asking(schema);
  const script: Script = [[{ call: 'book', input: {} }], done];
  const { linkFor, chat, store, id } = await answerLinksFixture({ tools, toolDetails }, {}, script);
  const url = await linkFor({ id: 'ada' });
  const form = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
  expect(control(form.html, 'value/nights')).toContain(`value="${begun}"`);
  const again = await sendForm(url, { ...form.fields, 'value/nights': '31' });
  expect([again.status, (await store.questions.read(id))?.state]).toEqual([400, 'open']);
  expect((await sendForm(url, { ...form.fields, 'value/nights': '3' })).status).toBe(303);
  await chat.resume();
  expect(answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
});

it('a value is not replaced by the defaults where its form is missing by now', async () => {
  const { tools, toolDetails } = asking(z.object({ nights: z.int().default(2) }));
  const script: Script = [[{ call: 'book', input: {} }], done];
  const make = pageForms();
  let isMissing = false;
  const forms: PageForms = (question) => (isMissing ? undefined : make(question));
  const { linkFor, store, id } = await answerLinksFixture({ tools, toolDetails }, { forms }, script);
  const url = await linkFor({ id: 'ada' });
  const form = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
  isMissing = true;
  const sent = await sendForm(url, { ...form.fields, 'value/nights': '3' });
  expect([sent.status, (await store.questions.read(id))?.state]).toEqual([409, 'open']);
});

it('a running call that asks for a list of choices is answered in the inbox, or declined here [0053.7]', async () => {
  const { tools, toolDetails, answers } = asking(
    z.object({ extras: z.array(z.enum(['a', 'b'])).default([]) }),
  );
  const script: Script = [[{ call: 'book', input: {} }], done];
  const { linkFor, chat } = await answerLinksFixture({ tools, toolDetails }, {}, script);
  const url = await linkFor({ id: 'ada' });
  const shown = await readPage(url);
  expect(shown.html).toContain('The form of this request cannot be filled in here.');
  expect((await sendForm(url, { ...shown.fields, answer: 'approve' })).status).toBe(409);
  const review = await sendForm(url, { ...shown.fields, answer: 'deny' });
  expect((await sendForm(url, review.fields)).status).toBe(303);
  await chat.resume();
  expect(answers).toMatchObject([{ action: 'decline' }]);
});
