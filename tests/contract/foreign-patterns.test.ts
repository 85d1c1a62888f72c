import { jsonSchema, type ToolSet, tool } from 'ai';
import { askPerson } from 'countersign';
import { describe, expect, it } from 'vitest';
import { draftOf } from '../../lib/plugins/forms/client/field-draft.ts';
import { momentText } from '../../lib/plugins/forms/client/moment.ts';
import { parseField } from '../../lib/plugins/forms/client/parse-field.ts';
import { readDraft } from '../../lib/plugins/forms/client/read-draft.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { ada, flowFixture, questionIn } from '../support/flow-fixture.ts';
import { formOf, neverRunPattern, pattern, places, word } from '../support/hard-pattern.ts';

neverRunPattern();

const done = [{ text: 'Done.' }];
const quiet = { warn: () => {}, error: () => {} };

/** A flow whose tool has the schema of an MCP server: without a validator. */
function calling(schema: object, input: object) {
  const calls: unknown[] = [];
  const inputSchema = jsonSchema<{ word: string }>(formOf(schema));
  const execute = (given: unknown) => void calls.push(given);
  const tools = { send: tool({ inputSchema, needsApproval: true, execute }) } as ToolSet;
  return { ...flowFixture([[{ call: 'send', id: 's', input }], done], { tools, logger: quiet }), calls };
}

describe.each(places)('a pattern in %s that takes hours', (_where, schema, isUnfit) => {
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
