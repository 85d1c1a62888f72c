import { type ToolSet, tool } from 'ai';
import type { Script, ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listener } from '../../support/listener.ts';
import { perTurn } from '../../support/per-turn.ts';
import { eventsOfItem, readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { responsesScenarios } from '../../support/responses-scenarios.ts';
import { untilIdle } from '../../support/until-idle.ts';

type Settings = Parameters<typeof responsesGateway>[1];

async function streamed(script: Script, body: object = {}, settings?: Settings) {
  const gateway = await responsesGateway(script, settings);
  const response = await gateway.post({ input: 'Go.', stream: true, ...body });
  return { gateway, response, ...(await readResponsesFrames(response)) };
}

const weather = (city: string) => ({ call: 'weather', input: { city } });

describe('a stream of the Responses gateway', () => {
  it.each(responsesScenarios)('frames and numbers the events of $name [C5, C12]', async ({ script }) => {
    const { response, frames, events } = await streamed(perTurn(script));
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(frames.at(-1)).toBe('data: [DONE]');
    for (const [index, event] of events.entries()) {
      expect(event.sequence_number).toBe(index);
      expect(frames[index]).toBe(`event: ${event.type}\ndata: ${JSON.stringify(event)}`);
    }
    const names = events.map(({ type }) => type);
    expect(names.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    expect(
      names.filter((name) => name === 'response.created' || name === 'response.in_progress'),
    ).toHaveLength(2);
    expect(names.indexOf('response.completed')).toBe(names.length - 1);
  });

  it.each(responsesScenarios)('announces and ends each item of $name [C4, C12]', async ({ script }) => {
    const { events } = await streamed(perTurn(script));
    const last = events.at(-1);
    if (last?.type !== 'response.completed') throw new Error('The stream did not complete.');
    const { output, usage } = last.response;
    expect(new Set(output.map(({ id }) => id)).size).toBe(output.length);
    expect(usage?.total_tokens).toBe(15 * script.length);
    for (const [index, item] of output.entries()) {
      const own = eventsOfItem(events, index);
      expect(own.at(0)).toMatchObject({
        type: 'response.output_item.added',
        item: { type: item.type, id: item.id },
      });
      expect(own.at(-1)).toMatchObject({ type: 'response.output_item.done', item });
      for (const event of own.slice(1, -1)) expect(event).toMatchObject({ item_id: item.id });
    }
    for (const event of events) {
      if (!('response' in event)) continue;
      const { id, created_at, model } = last.response;
      expect(event.response).toMatchObject({ id, created_at, model });
    }
  });

  it('surrounds a tool with events that name its item and the tool [C1, C4]', async () => {
    const { events } = await streamed(
      perTurn([[{ call: 'multiply', input: { a: 5, b: 4 } }], [{ text: '20' }]]),
    );
    const own = eventsOfItem(events, 0).map(({ sequence_number, ...event }) => event);
    expect(own.map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_call.completed',
      'response.output_item.done',
    ]);
    expect(own[1]).toEqual({
      type: 'response.mcp_call.in_progress',
      item_id: expect.stringMatching(/^mcp_/),
      output_index: 0,
      name: 'multiply',
    });
    expect(own.at(-1)).toMatchObject({
      item: { status: 'completed', output: '20', error: null, approval_request_id: null },
    });
  });

  it('reports a failed search and its reason only by its item, and the run continues [C2, C6]', async () => {
    for (const kind of ['file_search', 'web_search']) {
      const { events } = await streamed(
        perTurn([[{ call: kind, input: { query: 'x' } }], [{ text: 'Nothing.' }]]),
        {},
        { tools: { [kind]: failing } },
      );
      expect(eventsOfItem(events, 0).map(({ type }) => type)).toEqual([
        'response.output_item.added',
        `response.${kind}_call.in_progress`,
        `response.${kind}_call.searching`,
        'response.output_item.done',
      ]);
      expect(eventsOfItem(events, 0)[0]).not.toHaveProperty('item.error');
      expect(eventsOfItem(events, 0).at(-1)).toMatchObject({
        item: { status: 'failed', error: { message: 'The index is gone.' } },
      });
      expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
    }
  });

  it('shows functions as functions if a request asks for it, without lifecycle events [C7]', async () => {
    const script: ScriptedStep[] = [[weather('Tokyo'), { call: 'broken' }], [{ text: 'Done.' }]];
    const { events } = await streamed(perTurn(script), { metadata: { server_tools: 'function_call' } });
    const last = events.at(-1);
    if (last?.type !== 'response.completed') throw new Error('The stream did not complete.');
    const items = last.response.output;
    expect(items.map(({ type }) => type)).toEqual([
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      'message',
    ]);
    const outputs = items.flatMap((item) => (item.type === 'function_call_output' ? [item.output] : []));
    expect(new Set(outputs)).toEqual(new Set(['Sunny in Tokyo', '{"error":"The service is down."}']));
    const told = new Set(events.filter((event) => 'item' in event).map(({ type }) => type));
    expect(told).toEqual(new Set(['response.output_item.added', 'response.output_item.done']));
    expect(events.filter(({ type }) => type.includes('_call'))).toEqual([]);
  });

  it.each(['function_call', 'mcp_call'])(
    'sends a result twice, when its item of %s is done and with the whole response [C12]',
    async (server_tools) => {
      const script = perTurn([[weather('Tokyo')], [{ text: 'Done.' }]]);
      const { frames } = await streamed(script, { metadata: { server_tools } });
      const places = frames.flatMap((frame) =>
        frame.includes('Sunny in Tokyo') ? [frame.split('\n')[0]] : [],
      );
      expect(places).toEqual(['event: response.output_item.done', 'event: response.completed']);
    },
  );

  it('sends the start of a call before it runs, and its end only afterwards [C3, C17]', async () => {
    const { heard, listen } = listener();
    let atStart = '';
    const search = tool({
      inputSchema: z.object({ query: z.string() }),
      // This process stands still until a client in another thread has received what it waits for.
      execute: () => {
        atStart = heard.wait();
        return [];
      },
    });
    const gateway = await responsesGateway(
      perTurn([[{ call: 'file_search', input: { query: 'x' } }], [{ text: 'Nothing.' }]]),
      { tools: { file_search: search } },
    );
    const received = await listen(gateway.url, 'response.file_search_call.searching');
    expect(atStart).toBe('heard');
    const names = [...received.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(names.slice(2, 7)).toEqual([
      'response.output_item.added',
      'response.file_search_call.in_progress',
      'response.file_search_call.searching',
      'response.file_search_call.completed',
      'response.output_item.done',
    ]);
  });

  it.each([
    { parallel: true, most: 2 },
    { parallel: false, most: 1 },
  ])('runs two calls of a step with parallel_tool_calls: $parallel [C8]', async ({ parallel, most }) => {
    let running = 0;
    let mostAtOnce = 0;
    const slow = tool({
      inputSchema: z.object({}),
      execute: async () => {
        running += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        // Every other call that can start has started.
        await untilIdle();
        running -= 1;
        return 'ok';
      },
    });
    const { events } = await streamed(
      perTurn([[{ call: 'slow' }, { call: 'slow' }], [{ text: 'Done.' }]]),
      { parallel_tool_calls: parallel },
      { tools: { slow } },
    );
    expect(mostAtOnce).toBe(most);
    const order = ['added', 'in_progress', 'delta', 'done', 'completed', 'done'];
    for (const index of [0, 1]) {
      expect(eventsOfItem(events, index).map(({ type }) => type.split('.').at(-1))).toEqual(order);
    }
    expect(events.at(-1)).toMatchObject({ response: { parallel_tool_calls: parallel } });
  });

  it('answers in plain JSON without stream [C9]', async () => {
    const gateway = await responsesGateway(perTurn([[weather('Tokyo')], [{ text: 'Sunny.' }]]));
    const response = await gateway.post({ input: 'Go.', stream: false });
    expect(response.headers.get('content-type')).toMatch('application/json');
    expect(await response.json()).toMatchObject({ object: 'response', status: 'completed' });
  });

  it.each([
    { name: 'multiply', form: 'mcp_call' },
    { name: 'file_search', form: 'file_search_call' },
    { name: 'web_search', form: 'web_search_call' },
    { name: 'weather', form: 'function_call' },
  ])('labels $name by where it comes from [C10]', async ({ name, form }) => {
    const input = { a: 1, b: 2, query: 'x', city: 'Tokyo' };
    const script = perTurn([[{ call: name, input }], [{ text: 'Done.' }]]);
    const { events } = await streamed(script, {}, { handler: { serverTools: 'function_call' } });
    expect(events.find(({ type }) => type === 'response.output_item.added')).toMatchObject({
      item: { type: form },
    });
  });

  it.each([
    { limit: 10, settings: {} },
    { limit: 3, settings: { handler: { maxTurns: 3 } } },
  ])('ends as incomplete after $limit turns [C11]', async ({ limit, settings }) => {
    const { events, gateway } = await streamed(() => [weather('Tokyo')], {}, settings);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_messages' } },
    });
    expect(gateway.model.calls).toHaveLength(limit);
  });

  it.each([
    { finish: 'length' as const, reason: 'max_output_tokens' },
    { finish: 'content-filter' as const, reason: 'content_filter' },
  ])('ends as incomplete when the model finishes with $finish [C11]', async ({ finish, reason }) => {
    const { events } = await streamed([[{ text: 'On and' }, { finish }]]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason } },
    });
  });

  it('adds instructions to its own, and treats system messages as instructions [C15]', async () => {
    const { gateway } = await streamed(
      [[{ text: 'Yes.' }]],
      {
        instructions: 'Be brief.',
        input: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
        ],
        some_new_field: { nobody: 'knows' },
        store: false,
        tools: [{ type: 'function', name: 'theirs', parameters: {} }],
      },
      { instructions: 'Obey us.' },
    );
    const prompt = gateway.model.calls[0]?.prompt ?? [];
    expect(prompt.map(({ role, content }) => [role, typeof content === 'string' ? content : 'Go.'])).toEqual([
      ['system', 'Obey us.'],
      ['system', 'Be brief.\n\nBe kind.'],
      ['user', 'Go.'],
    ]);
  });

  it('reports a denied call by a failed item without lifecycle events [C18]', async () => {
    const script: Script = ({ prompt }) =>
      prompt.at(-1)?.role === 'tool'
        ? [{ text: 'Not paid.' }]
        : [{ call: 'pay', input: { to: 'Al', amount: 1 } }];
    const { gateway, events } = await streamed(script);
    const request = events.find((event) => event.type === 'response.output_item.done');
    if (request?.type !== 'response.output_item.done') throw new Error('Nothing was asked.');
    const answer = { type: 'mcp_approval_response', approval_request_id: request.item.id, approve: false };
    const answered = await gateway.post({ stream: true, input: [{ ...answer, reason: 'Too much.' }] });
    const { events: told } = await readResponsesFrames(answered);
    expect(eventsOfItem(told, 0).map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.output_item.done',
    ]);
    expect(eventsOfItem(told, 0).at(-1)).toMatchObject({
      item: {
        status: 'failed',
        approval_request_id: request.item.id,
        error: { content: [{ text: 'The call was denied: Too much.' }] },
      },
    });
    expect(JSON.stringify(gateway.model.calls.at(-1)?.prompt)).toContain('Too much.');
  });
});

const failing: ToolSet[string] = tool({
  inputSchema: z.object({ query: z.string() }),
  execute: async (): Promise<string[]> => {
    throw new Error('The index is gone.');
  },
});
