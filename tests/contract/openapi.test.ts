// depends on: app/api app/_server app/v1
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from 'countersign/plugins/api-documents';
import { afterAll, describe, expect, it } from 'vitest';
import { createToolEventProjection } from '../../lib/plugins/tool-events/projection.ts';
import { twoStepProjection } from '../../lib/plugins/two-step-stream/projection.ts';
import { questionJson } from '../../lib/views/questions/question-json.ts';
import { project } from '../../lib/views/reader/projection.ts';
import { appRoutes } from '../support/app-routes.ts';
import { everyDialect, everyPlugin } from '../support/every-plugin.ts';
import { flowFixture, questionIn } from '../support/flow-fixture.ts';

const { flow } = flowFixture([], everyPlugin);
afterAll(() => flow.close());
const document = openApiDocument({ version: '0.0.0', plugins: flow.plugins, dialects: everyDialect });
const schemas = document.components.schemas;

/** Checks a value against a schema of the document, as a client generated from it would. */
function fits(components: typeof schemas, name: string, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.validate({ $ref: `#/$defs/${name}`, $defs: components }, value);
}

/** One turn with prose, a search that was approved and a payment that was denied, as its log has it. */
async function recordedTurn() {
  const { id, say, answer, events } = flowFixture([
    [
      { text: 'Let me see.' },
      { call: 'search', input: { query: 'x' } },
      { call: 'pay', input: { to: 'Bob', amount: 3 } },
    ],
    [{ text: 'Done.' }],
  ]);
  const second = await answer(questionIn(await say('Go')), true);
  await answer(questionIn(second), false);
  return { id, events: await events() };
}

describe('the OpenAPI document', () => {
  it('passes an OpenAPI 3.1 validator [C14]', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('is the same whenever it is made', () => {
    const times = JSON.stringify(document).match(/\d{4}-\d{2}-\d{2}T\d{2}:/g);
    expect(times).toBeNull();
  });

  it('declares 38 events of the Responses stream, all known to the official client [C13]', () => {
    const declared = Object.keys(schemas).filter((name) => name.startsWith('response.') || name === 'error');
    const types = readFileSync('node_modules/openai/resources/responses/responses.d.ts', 'utf8');
    const known = new Set(
      [...types.matchAll(/type: '((?:response\.[a-z_.]+)|error)'/g)].map(([, type]) => type),
    );
    expect(declared).toHaveLength(38);
    expect(declared.filter((type) => !known.has(type))).toEqual([]);
  });

  it('describes all routes of the app, and no others', async () => {
    const routes = (await appRoutes())
      .map(({ path }) => path.replaceAll(/\[(\w+)\]/g, '{$1}'))
      .filter((path) => !['/api/session', '/openapi.json', '/asyncapi.json'].includes(path))
      // Pages, the demo's own data, and what only Slack calls.
      .filter((path) => !/^\/(docs|api\/(demo|slack))\//.test(path));
    const sockets = ['/api/dialects/chat-socket'];
    expect([...new Set([...routes, ...sockets])].sort()).toEqual(Object.keys(document.paths).sort());
  });

  it('has a response for each refusal that an operation of a plugin names', () => {
    const named = { get: { operationId: 'x', responses: {}, refusals: ['key-reused'] } } as const;
    const complete = { get: { operationId: 'y', responses: {}, refusals: 'none' } } as const;
    const openApi = { schemas: {}, paths: { '/api/named': named, '/api/complete': complete } };
    const { paths } = openApiDocument({ version: '0.0.0', plugins: [{ name: 'own', openApi }] });
    const responses = paths['/api/named']?.get?.responses ?? {};
    expect(Object.keys(responses)).toEqual(['400', '401', '403', '422', '429', '500', '503', 'default']);
    expect(paths['/api/complete']?.get?.responses).toEqual({});
    expect(JSON.stringify(document)).not.toContain('"refusals"');
  });

  it('matches what the dialects send [B16, C14]', async () => {
    const { id, events } = await recordedTurn();
    const toolEvents = project(createToolEventProjection(id), events);
    const streamEvents = project(twoStepProjection, events);
    expect(toolEvents.length).toBeGreaterThan(5);
    expect(streamEvents.length).toBeGreaterThan(5);
    for (const frame of toolEvents) expect(fits(schemas, `tool-events.${frame.type}`, frame)).toBe(true);
    for (const { type, data } of streamEvents)
      expect(fits(schemas, `two-step-stream.${type}`, data)).toBe(true);
  });

  it('matches what the chat API returns [S9]', async () => {
    const { flow, id, say } = flowFixture([[{ call: 'pay', input: { to: 'Bob', amount: 3 } }]]);
    await say('Pay Bob 3');
    const stored = await flow.chats.read({ chatId: id, principal: { id: 'ada', name: 'Ada' } });
    const view = { ...stored, questions: stored.questions.map(questionJson) };
    expect(view.questions).toHaveLength(1);
    expect(fits(schemas, 'Chat', JSON.parse(JSON.stringify(view)))).toBe(true);
    expect(fits(schemas, 'Chat', { ...view, run: { status: 'dreaming' } })).toBe(false);
  });

  it('detects an event that no longer has a required field [B16, C14]', async () => {
    const { id, events } = await recordedTurn();
    const end = project(createToolEventProjection(id), events).find(({ type }) => type === 'tool_call_end');
    const drifted = structuredClone(schemas);
    drifted['tool-events.tool_call_end'] = {
      ...drifted['tool-events.tool_call_end'],
      required: ['type', 'toolCallId', 'elapsed'],
    };
    expect(fits(schemas, 'tool-events.tool_call_end', end)).toBe(true);
    expect(fits(drifted, 'tool-events.tool_call_end', end)).toBe(false);
  });
});
