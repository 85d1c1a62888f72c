import type { JSONSchema7 } from '@ai-sdk/provider';
import { jsonSchema, type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { askPerson, type CallContext } from 'countersign';
import type { Script } from 'countersign/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { draftOf } from '../../lib/client/form/field-draft.ts';
import { momentText } from '../../lib/client/form/moment.ts';
import { parseField } from '../../lib/client/form/parse-field.ts';
import { readDraft } from '../../lib/client/form/read-draft.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { answerLinksFixture, readPage, sendForm } from '../support/answer-links-fixture.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';

/** JavaScript's engine takes hours for this pattern and this text. */
const pattern = '^(?:.?){60}x$';
const word = 'a'.repeat(80);
const text = { type: 'string' };

/** Where a schema can have a pattern, and whether the text does not fit then. */
const places: [where: string, schema: object, isUnfit: boolean][] = [
  ['itself', { ...text, pattern }, true],
  ['anyOf', { ...text, anyOf: [{ pattern }, { const: 'b' }] }, true],
  ['oneOf', { ...text, oneOf: [{ pattern }, { maxLength: 3 }] }, true],
  ['allOf', { ...text, allOf: [{ pattern }] }, true],
  ['$ref', { ...text, $ref: '#/definitions/hard' }, true],
  ['not', { ...text, not: { pattern } }, false],
  ['if', { ...text, if: { pattern }, else: { pattern: '^b' } }, true],
  ['a date and time', { ...text, format: 'date-time', pattern }, true],
  ['a time', { ...text, pattern: `${pattern}|10:30` }, true],
];

const formOf = (schema: object): JSONSchema7 => ({
  ...{ type: 'object', properties: { word: schema }, required: ['word'] },
  definitions: { hard: { pattern } },
});

/** The expressions with the pattern that JavaScript's engine was to run. They are not run, so that nothing can hang. */
const ran: string[] = [];
beforeAll(() => {
  const { exec } = RegExp.prototype;
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, subject) {
    if (!this.source.includes(pattern)) return exec.call(this, subject);
    ran.push(this.source);
    return null;
  });
});
afterAll(() => vi.restoreAllMocks());
afterEach(() => expect(ran.splice(0)).toEqual([]));

const done = [{ text: 'Done.' }];
const quiet = { warn: () => {}, error: () => {} };

/** A call that asks with this form while it runs, as an MCP server does. */
function asking(form: JSONSchema7) {
  const answers: unknown[] = [];
  const book = tool({
    inputSchema: z.object({}),
    execute: async (_input, { context }: ToolExecutionOptions<CallContext>) => {
      answers.push(await context.ask({ message: 'Which word?', schema: jsonSchema(form) }));
      return 'Asked.';
    },
  });
  const script: Script = [[{ call: 'book', id: 'b', input: {} }], done];
  return { script, answers, tools: { book } as ToolSet, toolDetails: { book: { mayAsk: true } } as never };
}

/** A flow whose tool has the schema of an MCP server: without a validator. */
function calling(schema: object, input: object) {
  const calls: unknown[] = [];
  const inputSchema = jsonSchema<{ word: string }>(formOf(schema));
  const execute = (given: unknown) => void calls.push(given);
  const tools = { send: tool({ inputSchema, needsApproval: true, execute }) } as ToolSet;
  return { ...flowFixture([[{ call: 'send', id: 's', input }], done], { tools, logger: quiet }), calls };
}

describe.each(places)('a pattern in %s that takes hours', (_where, schema, isUnfit) => {
  it('does not stop a link, and is evaluated by the server', async () => {
    const { script, answers, ...given } = asking(formOf(schema));
    const { chat, flow, id, linkFor } = await answerLinksFixture(given, {}, script);
    const url = await linkFor({ id: 'ada' });
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    const { fields, html } = await sendForm(url, { ...(await readPage(url)).fields, answer: 'approve' });
    expect(html).not.toContain(' pattern=');
    if (html.includes('name="value/word"')) {
      const typed = html.includes('datetime-local') ? '2026-12-01T10:30' : word;
      const sent = await sendForm(url, { ...fields, 'value/word': typed });
      expect(sent.status).toBe(isUnfit ? 400 : 303);
      if (isUnfit) return expect(sent.html).toContain('Use the required format.');
    } else {
      // The page does not show alternatives, so the answer comes from the inbox.
      const given = { principal: ada, via: 'test', approvalId: id, approved: true, input: { word } };
      await expect(flow.approvals.answer(given)).rejects.toMatchObject({
        fields: { fieldErrors: [{ path: '/word' }] },
      });
      return;
    }
    await chat.resume();
    expect(answers).toEqual([{ action: 'accept', content: { word } }]);
  });

  it('does not stop the page', () => {
    const field = parseField(formOf(schema));
    expect(readDraft(field, draftOf(field, { word })).problems.size).toBe(0);
    momentText({ type: 'moment', precision: 'date-time', pattern }, '2026-12-01T10:30', '');
  });

  it('decides about a call of an MCP server, and about its edit', async () => {
    const { say, flow, calls, store, id } = calling(schema, { word });
    const first = await say('Send.');
    if (isUnfit) {
      const end = (await store.events.read(id, 0)).find(({ type }) => type === 'tool-failed');
      return expect(end).toMatchObject({ modelOutput: { value: expect.stringContaining('format') } });
    }
    const given = { principal: ada, via: 'test', approvalId: parseApprovalId(questionIn(first)) };
    const edit = { ...given, approved: true, input: { word: 'x' } };
    await expect(flow.approvals.answer(edit)).rejects.toMatchObject({
      fields: { fieldErrors: [{ path: '/word' }] },
    });
    await flow.approvals.answer({ ...given, approved: true });
    await expect.poll(() => calls).toEqual([{ word }]);
  });

  it('decides about the value of a form', async () => {
    const askForWord = askPerson({ schema: jsonSchema(formOf(schema)) });
    const script = [[{ call: 'askForWord', id: 'a', input: { question: 'Which?' } }], done];
    const { say, flow } = flowFixture(script, { tools: { askForWord } as ToolSet });
    const approvalId = parseApprovalId(questionIn(await say('Ask.')));
    const given = flow.approvals.answer({
      principal: ada,
      via: 'test',
      approvalId,
      approved: true,
      value: { word },
    });
    if (isUnfit) await expect(given).rejects.toMatchObject({ code: 'invalid-request' });
    else expect(await given).toMatchObject({ state: 'approved' });
  });
});
