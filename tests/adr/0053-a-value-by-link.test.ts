// depends on: only its imports
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { JSONSchema7 } from '@ai-sdk/provider';
import { jsonSchema, type ToolExecutionOptions, tool } from 'ai';
import type { CallAnswer, CallContext } from 'countersign';
import { expect } from 'vitest';
import { z } from 'zod';
import { newDraft } from '../../lib/plugins/forms/client/field-draft.ts';
import { parseField } from '../../lib/plugins/forms/client/parse-field.ts';
import { readDraft } from '../../lib/plugins/forms/client/read-draft.ts';
import { createFormTokens } from '../../lib/plugins/links/form-token.ts';
import { adr } from '../support/adr.ts';
import { answerLinksFixture, linkSecret, readPage, sendForm } from '../support/answer-links-fixture.ts';
import { done } from '../support/form-fixture.ts';
import { answered, askedFor, values } from '../support/value-link-fixture.ts';

const { clause } = adr('0053-a-value-by-link.md');

clause('0053.1', async () => {
  const { url, openForm, recorded, result, chat } = await askedFor();
  const before = await recorded();
  const { fields } = await openForm();
  expect(await recorded()).toBe(before);
  expect((await sendForm(url, { ...fields, ...values })).status).toBe(303);
  expect(await result()).toContain(JSON.stringify(answered));
  const given = (await chat.events()).find(({ type }) => type === 'approval-answered');
  expect(given).toMatchObject({ value: answered, via: 'link', by: { id: 'ada' } });
});

clause('0053.2', async () => {
  const schema = z.object({
    room: z.enum(['single', 'double']),
    floor: z.enum(['1', '2']),
    pets: z.boolean(),
  });
  const given = {
    type: 'object',
    properties: { room: { enum: ['single', 'double'], default: 'double' }, floor: { enum: ['1', '2'] } },
    required: ['room', 'floor'],
  } as const;
  const { openForm } = await askedFor(jsonSchema(given as never) as never);
  expect((await openForm()).html.match(/<input type="radio"[^>]* checked[^>]*>/g)).toMatchObject([
    expect.stringContaining('name="value/room" value="1"'),
  ]);
  expect((await (await askedFor(schema)).openForm()).html).not.toContain(' checked');
  // Rejected: the draft that the card begins with, whose reader sees what it would send.
  const field = parseField(z.toJSONSchema(schema));
  expect(readDraft(field, newDraft(field))).toEqual({
    value: { room: 'single', floor: '1', pets: false },
    problems: new Map(),
  });
});

clause('0053.3', async () => {
  const { url, openForm, state } = await askedFor();
  const { fields } = await openForm();
  const wrongs: readonly Record<string, string>[] = [
    { 'value/nights': '3 nights' },
    { 'value/room': 'double' },
    { 'value/breakfast': 'yes' },
    { 'value/from': 'tomorrow' },
    { 'value/admin': '1' },
  ];
  for (const wrong of wrongs) {
    expect((await sendForm(url, { ...fields, ...values, ...wrong })).status).toBe(400);
  }
  // Rejected: to convert what is close.
  expect(Number.parseInt('3 nights', 10)).toBe(3);
  const twice = new URLSearchParams([...Object.entries({ ...fields, ...values }), ['value/nights', '9']]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await readPage(url, { method: 'POST', body: `${twice}`, headers })).status).toBe(403);
  expect(await state()).toBe('open');
});

clause('0053.4', async () => {
  const { url, openForm, recorded, state } = await askedFor();
  const { fields } = await openForm();
  const before = await recorded();
  const again = await sendForm(url, { ...fields, ...values, 'value/nights': '99', 'value/mail': 'nobody' });
  expect([again.status, await recorded()]).toEqual([400, before]);
  for (const text of ['value="99"', 'value="nobody"', 'At most 30.', 'href="#field-1"'])
    expect(again.html).toContain(text);
  expect((await sendForm(url, { ...again.fields, ...values })).status).toBe(303);
  expect(await state()).toBe('approved');
});

clause('0053.5', async () => {
  const { url, openForm, state } = await askedFor();
  const { fields } = await openForm();
  const again = await sendForm(url, { ...fields, 'value/nights': 'x' });
  const review = await sendForm(url, { ...again.forms[1], 'value/nights': 'x' });
  expect([review.fields.answer, await state()]).toEqual(['deny', 'open']);
  expect((await sendForm(url, review.fields)).status).toBe(303);
  expect(await state()).toBe('denied');
});

clause('0053.6', async () => {
  const { url, openForm, linkFor, state, store, id, flow } = await askedFor();
  const { fields } = await openForm();
  const bobs = await linkFor({ id: 'bob' });
  expect((await sendForm(bobs, { ...fields, ...values })).status).toBe(409);
  expect((await sendForm(url, { ...fields, ...values, reason: 'Mine' })).status).toBe(409);
  expect(await state()).toBe('open');
  const principal = { id: 'ada', name: 'Ada' };
  const question = await flow.approvals.read({ principal, approvalId: id });
  const link = { approvalId: id, target: { id: 'ada' }, issuedAt: 1, expiresAt: 2 };
  const bound = { link, principal, question, answer: { approved: true } };
  const tokens = createFormTokens([linkSecret]);
  const other = { ...bound, question: { ...question, inputSchema: { type: 'string' } } };
  expect(tokens.fits(tokens.make(bound), bound)).toBe(true);
  expect(tokens.fits(tokens.make(bound), other)).toBe(false);
  for (const nights of ['3', '4'])
    expect((await sendForm(url, { ...fields, ...values, 'value/nights': nights })).status).toBe(303);
  expect((await store.questions.read(id))?.answer?.value).toEqual(answered);
});

clause('0053.7', async () => {
  const { url, state } = await askedFor(z.object({ from: z.iso.date(), guests: z.array(z.string()) }));
  const shown = await readPage(url);
  expect(shown.html).toContain('The form of this request cannot be filled in here.');
  expect((await sendForm(url, { ...shown.fields, answer: 'approve' })).status).toBe(409);
  const review = await sendForm(url, { ...shown.fields, answer: 'deny' });
  expect((await sendForm(url, review.fields)).status).toBe(303);
  expect(await state()).toBe('denied');
});

clause('0053.8', async () => {
  const nasty = '"><script>alert(1)</script>\u202e';
  const schema = z.object({ a: z.string().max(5).meta({ title: nasty, description: nasty }) });
  const { url, openForm } = await askedFor(schema);
  const form = await openForm();
  const again = await sendForm(url, { ...form.fields, 'value/a': nasty });
  for (const { html } of [form, again]) {
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;⟨U+202E right-to-left override⟩');
  }
});

clause('0053.9', async () => {
  const hard = '^(a+)+$';
  const form: JSONSchema7 = {
    type: 'object',
    properties: { word: { type: 'string', pattern: hard }, odd: { type: 'string', pattern: '^(?=x)' } },
    required: ['word', 'odd'],
  };
  const answers: CallAnswer<unknown>[] = [];
  const book = tool({
    inputSchema: z.object({}),
    execute: async (_input, { context }: ToolExecutionOptions<CallContext>) => {
      answers.push(await context.ask({ message: 'Which word?', schema: jsonSchema(form) }));
      return 'Asked.';
    },
  });
  const given = { tools: { book } as never, toolDetails: { book: { mayAsk: true } } as never };
  const fixture = await answerLinksFixture(given, {}, [[{ call: 'book', input: {} }], done]);
  const url = await fixture.linkFor({ id: 'ada' });
  const { fields, html } = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
  expect(html).not.toContain(' pattern=');
  expect(html.match(/The format of this value isn’t checked[.]/g)).toHaveLength(1);
  const word = `${'a'.repeat(100)}!`;
  const refused = await sendForm(url, { ...fields, 'value/word': word, 'value/odd': 'y' });
  expect([refused.status, refused.html.includes('Use the required format.')]).toEqual([400, true]);
  const sent = await sendForm(url, { ...fields, 'value/word': 'aaa', 'value/odd': 'y' });
  expect(sent.status).toBe(303);
  await fixture.chat.resume();
  expect(answers).toEqual([{ action: 'accept', content: { word: 'aaa', odd: 'y' } }]);
  // Rejected: JavaScript's own expressions. This takes longer than the age of the universe, so the process is ended.
  const run = `new RegExp(${JSON.stringify(hard)}).test(${JSON.stringify(word)})`;
  const evaluated = promisify(execFile)(process.execPath, ['--eval', run], { timeout: 1_000 });
  await expect(evaluated).rejects.toMatchObject({ killed: true });
});

clause('0053.10', async () => {
  const { url, openForm, store, id } = await askedFor();
  const { fields, html } = await openForm();
  expect(html).toContain(
    '<div id="field-5-hint"><p class="quiet"><bdi>In UTC, not in your time zone.</bdi></p></div>',
  );
  await sendForm(url, { ...fields, ...values, 'value/arrival': '2026-07-01T18:30' });
  expect((await store.questions.read(id))?.answer?.value).toMatchObject({ arrival: '2026-07-01T18:30:00Z' });
});
