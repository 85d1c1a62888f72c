import type { Script } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { responseSchema } from '../../../lib/plugins/responses/client/schema/response-schema.ts';
import { perTurn } from '../../support/per-turn.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

type Gateway = Awaited<ReturnType<typeof responsesGateway>>;

const weather = { call: 'weather', input: { city: 'Oslo' } };
const locate = {
  type: 'function',
  name: 'where_am_i',
  description: 'Where the user is.',
  parameters: { type: 'object', properties: { exact: { type: 'boolean' } } },
  strict: true,
};

async function ask({ post }: Gateway, body: object) {
  const response = await post({ input: 'Go.', ...body });
  const json = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(json));
  return responseSchema.parse(json);
}

const namesOf = (tools: Gateway['model']['calls'][number]['tools']) => (tools ?? []).map(({ name }) => name);

describe('what a request sets for its turn', () => {
  it.each<{ choice: unknown; sent: unknown; only?: string[] }>([
    { choice: 'none', sent: { type: 'none' } },
    { choice: 'auto', sent: { type: 'auto' } },
    { choice: 'required', sent: { type: 'required' } },
    { choice: { type: 'function', name: 'weather' }, sent: { type: 'tool', toolName: 'weather' } },
    { choice: { type: 'function', name: 'where_am_i' }, sent: { type: 'tool', toolName: 'where_am_i' } },
    {
      choice: { type: 'mcp', server_label: 'countersign', name: 'multiply' },
      sent: { type: 'tool', toolName: 'multiply' },
    },
    { choice: { type: 'web_search' }, sent: { type: 'tool', toolName: 'web_search' } },
    { choice: { type: 'file_search' }, sent: { type: 'tool', toolName: 'file_search' } },
    {
      choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'where_am_i' }, { type: 'web_search_preview' }],
      },
      sent: { type: 'auto' },
      only: ['where_am_i', 'web_search'],
    },
    {
      choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'weather' }] },
      sent: { type: 'required' },
      only: ['weather'],
    },
  ])('passes tool_choice $choice on to the model [C15, ADR 0014]', async ({ choice, sent, only }) => {
    const gateway = await responsesGateway([[{ text: 'Hi.' }]]);
    const response = await ask(gateway, { tool_choice: choice, tools: [locate] });
    const [call] = gateway.model.calls;
    expect(call?.toolChoice).toEqual(sent);
    if (only) expect(namesOf(call?.tools).toSorted()).toEqual(only.toSorted());
    const isAlias = JSON.stringify(choice) === '{"type":"web_search"}';
    expect(response.tool_choice).toEqual(isAlias ? { type: 'web_search_preview' } : choice);
  });

  it.each([
    ['required', 'required'],
    [{ type: 'mcp', server_label: 'countersign', name: 'weather' }, 'tool'],
  ])('requires a call once with %j: after it the model decides [C15, ADR 0014]', async (choice, sent) => {
    const gateway = await responsesGateway(perTurn([[weather], [{ text: 'Sunny.' }]]));
    await ask(gateway, { tool_choice: choice });
    expect(gateway.model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual([sent, 'auto']);
  });

  it.each<{ why: string; limits: object; error: string }>([
    {
      why: 'other tools',
      limits: { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] } },
      error: 'does not allow this tool',
    },
    {
      why: 'other tools of its MCP entry',
      limits: { tools: [{ type: 'mcp', server_label: 'countersign', allowed_tools: ['pay'] }] },
      error: 'does not allow this tool',
    },
  ])('runs nothing that the request does not allow: $why [C15, ADR 0014]', async ({ limits, error }) => {
    const gateway = await responsesGateway(perTurn([[weather], [{ text: 'Then not.' }]]));
    const { output } = await ask(gateway, limits);
    expect(gateway.ran).toEqual([]);
    expect(output[0]).toMatchObject({ type: 'mcp_call', status: 'failed' });
    expect(JSON.stringify(output[0])).toContain(error);
  });

  it('counts calls over the whole turn, also after an answer [C15, ADR 0014]', async () => {
    const steps = [
      [weather, { call: 'pay', input: { to: 'Al', amount: 1 } }],
      [weather],
      [{ text: 'Done.' }],
    ];
    const gateway = await responsesGateway(perTurn(steps));
    const asked = await ask(gateway, { max_tool_calls: 2 });
    const answer = {
      type: 'mcp_approval_response',
      approval_request_id: asked.output.at(-1)?.id,
      approve: true,
    };
    const answered = await ask(gateway, { input: [answer] });
    expect(gateway.ran.map(({ tool }) => tool)).toEqual(['weather', 'pay']);
    expect(answered).toMatchObject({ max_tool_calls: 2, status: 'completed' });
    expect(gateway.model.calls.map(({ tools }) => namesOf(tools).includes('weather'))).toEqual([
      true,
      false,
      false,
    ]);
    expect(namesOf(gateway.model.calls[1]?.tools)).toEqual(['locate', 'theme']);
  });

  it.each([
    { limit: 12, given: [12, 7, 2] },
    // The second call uses the last token.
    { limit: 10, given: [10, 5] },
  ])(
    'limits the output tokens of the turn to $limit, over all its model calls [C15, ADR 0014]',
    async ({ limit, given }) => {
      const gateway = await responsesGateway(perTurn([[weather], [weather], [weather], [{ text: 'Done.' }]]));
      const response = await ask(gateway, { max_output_tokens: limit });
      expect(gateway.model.calls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual(given);
      expect(response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        max_output_tokens: limit,
      });
    },
  );

  it.each<{ format: object; sent: object | undefined }>([
    { format: { type: 'text' }, sent: { type: 'text' } },
    { format: { type: 'json_object' }, sent: { type: 'json' } },
    {
      format: { type: 'json_schema', name: 'sky', schema: { type: 'object', properties: {} }, strict: true },
      sent: { type: 'json', name: 'sky', schema: { type: 'object', properties: {} } },
    },
  ])('passes text.format $format.type on to the model [C15, ADR 0014]', async ({ format, sent }) => {
    const gateway = await responsesGateway([[{ text: '{}' }]]);
    const response = await ask(gateway, { text: { format } });
    expect(gateway.model.calls[0]?.responseFormat ?? { type: 'text' }).toMatchObject(sent ?? {});
    expect(response.text).toEqual({ format });
  });

  it('has functions of the client, which the client executes [C15, ADR 0014]', async () => {
    const script: Script = perTurn([
      [{ call: 'where_am_i', input: { exact: true } }],
      [{ text: 'In Oslo.' }],
    ]);
    const gateway = await responsesGateway(script);
    const first = await ask(gateway, { tools: [locate] });
    expect(gateway.model.calls[0]?.tools).toContainEqual(
      expect.objectContaining({ name: 'where_am_i', description: 'Where the user is.', strict: true }),
    );
    const [call] = first.output;
    if (call?.type !== 'function_call') throw new Error('No call was handed over.');
    expect(call).toMatchObject({ name: 'where_am_i', arguments: '{"exact":true}' });
    expect(first.tools).toEqual([locate]);
    const { call_id } = call;
    const second = await ask(gateway, { input: [{ type: 'function_call_output', call_id, output: 'Oslo' }] });
    expect(second.output).toMatchObject([{ type: 'message', content: [{ text: 'In Oslo.' }] }]);
    expect(JSON.stringify(gateway.model.calls[1]?.prompt)).toContain('Oslo');
    expect(namesOf(gateway.model.calls[1]?.tools)).toContain('where_am_i');
  });

  it.each<[body: object, param: string]>([
    [{ tools: [locate, { ...locate, name: 'weather' }] }, 'tools[1].name'],
    [{ tools: [locate, locate] }, 'tools[1].name'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].type'],
    [
      { tools: [{ type: 'mcp', server_label: 'other', server_url: 'https://x.example' }] },
      'tools[0].server_label',
    ],
    [{ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, 'tools[0].type'],
    [{ tool_choice: { type: 'function', name: 'nothing' } }, 'tool_choice'],
    [{ tool_choice: { type: 'mcp', server_label: 'other' } }, 'tool_choice'],
    [{ tool_choice: { type: 'custom', name: 'x' } }, 'tool_choice'],
    [
      { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'shell' }] } },
      'tool_choice.tools[0]',
    ],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
    [{ max_tool_calls: -1 }, 'max_tool_calls'],
    [{ text: { format: { type: 'grammar' } } }, 'text.format.type'],
    [{ text: { verbosity: 'low' } }, 'text.verbosity'],
  ])('refuses %j with the field, and calls no model [C15, C16]', async (body, param) => {
    const { post, model } = await responsesGateway([]);
    const response = await post({ input: 'Go.', ...body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param, type: 'invalid_request_error' } });
    expect(model.calls).toEqual([]);
  });
});
