import { tool } from 'ai';
import { subagent } from 'countersign';
import { scriptedModel } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { perTurn } from '../../support/per-turn.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

describe('the usage of a response', () => {
  it('has what the provider reports, summed over its model calls [C12]', async () => {
    const details = { cachedInputTokens: 4, cacheWriteTokens: 2, reasoningTokens: 3 };
    const { post } = await responsesGateway(
      perTurn([
        [
          { call: 'weather', input: { city: 'Oslo' } },
          { finish: 'tool-calls', usage: details },
        ],
        [{ text: 'Sunny.' }, { finish: 'stop', usage: { ...details, inputTokens: 20 } }],
      ]),
    );
    expect((await (await post({ input: 'Go.' })).json()).usage).toEqual({
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 8, cache_write_tokens: 4 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 6 },
      total_tokens: 40,
    });
  });

  it('includes the model calls of subagents, and each response has its own [C12]', async () => {
    const helper = subagent(
      { model: scriptedModel([[{ text: 'Found.' }, { finish: 'stop', usage: { reasoningTokens: 1 } }]]) },
      { description: 'Finds out.', inputSchema: z.object({}), prompt: () => 'Find out.' },
    );
    const { post } = await responsesGateway(perTurn([[{ call: 'helper' }], [{ text: 'Done.' }]]), {
      tools: { helper },
    });
    const { usage, id } = await (await post({ input: 'Go.' })).json();
    expect(usage).toMatchObject({ input_tokens: 30, output_tokens_details: { reasoning_tokens: 1 } });
    const next = await (
      await post({ input: 'Again.', previous_response_id: id, tool_choice: 'none' })
    ).json();
    expect(next.usage.input_tokens).toBeLessThan(30);
  });
});

describe('how a response says what went wrong', () => {
  it.each([
    { raw: 'refusal', refused: true },
    { raw: 'stop', refused: true },
    { raw: 'content_filter', refused: false },
  ])('tells a refusal from what a provider filtered: $raw [C13, C16]', async ({ raw, refused }) => {
    const { post } = await responsesGateway([[{ text: 'I will not.' }, { finish: 'content-filter', raw }]]);
    const { events } = await readResponsesFrames(await post({ input: 'Go.', stream: true }));
    const types = events.map(({ type }) => type).filter((type) => type.startsWith('response.refusal'));
    expect(types).toEqual(refused ? ['response.refusal.delta', 'response.refusal.done'] : []);
    const last = events.at(-1);
    if (last?.type !== 'response.completed' && last?.type !== 'response.incomplete')
      throw new Error('No end.');
    const { status, output, incomplete_details } = last.response;
    expect(status).toBe(refused ? 'completed' : 'incomplete');
    if (!refused) expect(incomplete_details).toEqual({ reason: 'content_filter' });
    const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
    expect(parts.map(({ type }) => type)).toEqual(refused ? ['output_text', 'refusal'] : ['output_text']);
    if (refused) expect(parts.at(-1)).toEqual({ type: 'refusal', refusal: 'I will not.' });
  });

  it('gives the reason of a failed call, and of a failed search in either form [C6]', async () => {
    const query = z.object({ query: z.string() });
    const fails = async (): Promise<string> => {
      throw new Error('The index is gone.');
    };
    const tools = {
      web_search: tool({ inputSchema: query, execute: fails }),
      file_search: tool({ inputSchema: query, needsApproval: true, execute: fails }),
      look: tool({ inputSchema: query, execute: fails }),
    };
    const calls = Object.keys(tools).map((call) => ({ call, input: { query: 'x' } }));
    const { post } = await responsesGateway(perTurn([calls, [{ text: 'Nothing.' }]]), { tools });
    const asked = await readResponsesFrames(await post({ input: 'Go.', stream: true }));
    expect(asked.events).toContainEqual(
      expect.objectContaining({
        type: 'response.output_item.done',
        item: expect.objectContaining({ type: 'web_search_call', error: { message: 'The index is gone.' } }),
      }),
    );
    const failed = asked.events.filter(({ type }) => type === 'response.mcp_call.failed');
    expect(failed).toMatchObject([{ name: 'look' }]);
    const request = asked.events.find(
      (event) => event.type === 'response.output_item.done' && event.item.type === 'mcp_approval_request',
    );
    if (request?.type !== 'response.output_item.done') throw new Error('Nothing was asked.');
    const answer = { type: 'mcp_approval_response', approval_request_id: request.item.id, approve: true };
    const { output } = await (await post({ input: [answer] })).json();
    expect(output[0]).toMatchObject({ type: 'mcp_call', name: 'file_search', status: 'failed' });
    expect(JSON.stringify(output[0].error)).toContain('The index is gone.');
  });
});
