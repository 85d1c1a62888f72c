import type { JSONSchema7 } from '@ai-sdk/provider';
import { jsonSchema, type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import type { CallContext } from 'countersign';
import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerLinksFixture, readPage, sendForm } from '../support/answer-links-fixture.ts';
import { ada } from '../support/flow-fixture.ts';
import { formOf, neverRunPattern, places, word } from '../support/hard-pattern.ts';

neverRunPattern();

const done = [{ text: 'Done.' }];

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
});
