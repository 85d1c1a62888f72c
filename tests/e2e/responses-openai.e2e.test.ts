import { collect, type Script } from 'countersign/testing';
import { ConflictError, NotFoundError } from 'openai';
import type { Response, ResponseInput, ResponseOutputItem } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { perTurn } from '../support/per-turn.ts';
import { responsesGateway } from '../support/responses-gateway.ts';
import { lifecycleOf, responsesScenarios } from '../support/responses-scenarios.ts';

const model = 'countersign-demo';
/** Pays if allowed, and reports the outcome. */
const payment: Script = ({ prompt }) => {
  const last = prompt.at(-1);
  if (last?.role !== 'tool') return [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
  return [{ text: JSON.stringify(last.content).includes('execution-denied') ? 'Not paid.' : 'Paid.' }];
};

type Gateway = Awaited<ReturnType<typeof responsesGateway>>;
type Body = {
  input: string | ResponseInput;
  previous_response_id?: string;
  metadata?: Record<string, string>;
};

/** The client's three ways to request a response. */
const ways = [
  {
    way: 'responses.create',
    ask: ({ openai }: Gateway, body: Body): Promise<Response> => openai.responses.create({ model, ...body }),
  },
  {
    way: 'responses.create with stream',
    async ask({ openai }: Gateway, body: Body): Promise<Response> {
      const events = await collect(await openai.responses.create({ model, ...body, stream: true }));
      const last = events.at(-1);
      if (last?.type !== 'response.completed') throw new Error(`The stream ended with ${last?.type}.`);
      return last.response;
    },
  },
  {
    way: 'responses.stream',
    ask: ({ openai }: Gateway, body: Body): Promise<Response> =>
      openai.responses.stream({ model, ...body }).finalResponse(),
  },
];

describe.each(ways)('the `openai` client by $way', ({ ask }) => {
  it.each(responsesScenarios)('completes $name [C9, C12]', async ({ script, output, text }) => {
    const gateway = await responsesGateway(perTurn(script));
    const response = await ask(gateway, { input: 'Go.' });
    expect(response).toMatchObject({ object: 'response', status: 'completed', error: null, model });
    expect(response.output.map(({ type }) => type)).toEqual(output);
    expect(textOf(response)).toBe(text);
    const steps = script.length;
    expect(response.usage).toEqual({
      input_tokens: 10 * steps,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 5 * steps,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15 * steps,
    });
  });

  it.each([
    { approve: true, status: 'completed', runs: 1 },
    { approve: false, status: 'failed', runs: 0 },
  ])(
    'asks, and accepts approve: $approve by previous_response_id [C18]',
    async ({ approve, status, runs }) => {
      const gateway = await responsesGateway(payment);
      const first = await ask(gateway, { input: 'Pay Alice.' });
      const request = requestIn(first);
      expect(first.status).toBe('completed');
      expect(request).toMatchObject({ name: 'pay', server_label: 'countersign' });
      expect(JSON.parse(request.arguments)).toEqual({ to: 'Alice', amount: 30 });
      expect(gateway.ran).toEqual([]);

      const second = await ask(gateway, {
        previous_response_id: first.id,
        input: [answerTo(request.id, approve)],
      });
      const [call] = second.output;
      expect(call).toMatchObject({ type: 'mcp_call', status, name: 'pay', approval_request_id: request.id });
      expect(gateway.ran).toHaveLength(runs);
      expect(textOf(second)).toBe(approve ? 'Paid.' : 'Not paid.');
    },
  );

  it.each([
    {
      how: 'an item_reference',
      input: (id: string): ResponseInput => [{ type: 'item_reference', id }, answerTo(id, true)],
    },
    { how: 'the bare item', input: (id: string): ResponseInput => [answerTo(id, true)] },
    {
      how: 'its whole history',
      input: (id: string): ResponseInput => [
        { role: 'user', content: 'Pay Alice.' },
        { type: 'mcp_approval_request', id, name: 'pay', server_label: 'countersign', arguments: '{}' },
        answerTo(id, true),
      ],
    },
  ])('finds the chat of an answer by $how [C18]', async ({ input }) => {
    const gateway = await responsesGateway(payment);
    const request = requestIn(await ask(gateway, { input: 'Pay Alice.' }));
    const second = await ask(gateway, { input: input(request.id) });
    expect(textOf(second)).toBe('Paid.');
    expect(gateway.ran).toHaveLength(1);
  });

  it('gets the result of its answer again, and runs nothing twice [C18]', async () => {
    const gateway = await responsesGateway(payment);
    const first = await ask(gateway, { input: 'Pay Alice.' });
    const body = { previous_response_id: first.id, input: [answerTo(requestIn(first).id, true)] };
    const answered = await ask(gateway, body);
    await ask(gateway, { previous_response_id: answered.id, input: 'Thanks.' });
    const again = await ask(gateway, body);
    expect(again.id).toBe(answered.id);
    expect(again.output).toEqual(answered.output);
    expect(gateway.ran).toHaveLength(1);
  });

  it('refuses another answer with 409, and runs nothing [C18]', async () => {
    const gateway = await responsesGateway(payment);
    const first = await ask(gateway, { input: 'Pay Alice.' });
    const { id } = requestIn(first);
    await ask(gateway, { previous_response_id: first.id, input: [answerTo(id, true)] });
    const refused = ask(gateway, { previous_response_id: first.id, input: [answerTo(id, false)] });
    await expect(refused).rejects.toThrow(ConflictError);
    await expect(refused).rejects.toMatchObject({ code: 'already-answered', type: 'invalid_request_error' });
    expect(gateway.ran).toHaveLength(1);
  });

  it('asks about two calls one at a time [C18]', async () => {
    const pay = (to: string) => ({ call: 'pay', input: { to, amount: 1 } });
    const gateway = await responsesGateway(perTurn([[pay('Alice'), pay('Bob')], [{ text: 'Both.' }]]));
    const first = await ask(gateway, { input: 'Pay both.' });
    expect(first.output.map(({ type }) => type)).toEqual(['mcp_approval_request']);
    const second = await ask(gateway, { input: [answerTo(requestIn(first).id, true)] });
    expect(second.output.map(({ type }) => type)).toEqual(['mcp_call', 'mcp_approval_request']);
    const third = await ask(gateway, { input: [answerTo(requestIn(second).id, false)] });
    expect(third.output.map(({ type }) => type)).toEqual(['mcp_call', 'message']);
    expect(gateway.ran.map(({ input }) => input)).toEqual([{ to: 'Alice', amount: 1 }]);
  });

  it('executes a function of its own, and sends the output by call_id alone [C15]', async () => {
    const gateway = await responsesGateway(perTurn([[{ call: 'theme' }], [{ text: 'Dark, then.' }]]));
    const first = await ask(gateway, { input: 'Which theme?' });
    const [call] = first.output;
    if (call?.type !== 'function_call') throw new Error('No call was handed over.');
    expect(call).toMatchObject({ name: 'theme', status: 'completed', arguments: '{}' });
    const { call_id } = call;
    const second = await ask(gateway, {
      input: [
        { role: 'user', content: 'Which theme?' },
        { type: 'function_call', call_id, name: 'theme', arguments: '{}' },
        { type: 'function_call_output', call_id, output: 'dark' },
      ],
    });
    expect(second.output.map(({ type }) => type)).toEqual(['message']);
    expect(textOf(second)).toBe('Dark, then.');
  });

  it('hands a gated function of the client over once it is approved [C18]', async () => {
    const gateway = await responsesGateway(perTurn([[{ call: 'locate' }], [{ text: 'In the north.' }]]));
    const first = await ask(gateway, { input: 'Where am I?' });
    const second = await ask(gateway, { input: [answerTo(requestIn(first).id, true)] });
    const [call] = second.output;
    if (call?.type !== 'function_call') throw new Error('No call was handed over.');
    expect(second.id).not.toBe(first.id);
    const { call_id } = call;
    const third = await ask(gateway, {
      previous_response_id: second.id,
      input: [{ type: 'function_call_output', call_id, output: JSON.stringify({ lat: 60 }) }],
    });
    expect(textOf(third)).toBe('In the north.');
  });

  it('is asked once about a call when it sends its history without the question [C15]', async () => {
    const gateway = await responsesGateway(payment);
    const history: ResponseInput = [{ role: 'user', content: 'Pay Dup 77' }];
    const first = await ask(gateway, { input: history });
    const second = await ask(gateway, { input: [...history, { role: 'user', content: 'Are you there?' }] });
    expect([second.id, requestIn(second).id]).toEqual([first.id, requestIn(first).id]);
    await ask(gateway, { input: [answerTo(requestIn(second).id, true)] });
    expect(gateway.ran).toHaveLength(1);
  });

  it('branches at an older response, and leaves the chat as it is [C15]', async () => {
    const gateway = await responsesGateway(({ prompt }) => [
      { text: prompt.flatMap(({ role, content }) => (role === 'user' ? [wordsOf(content)] : [])).join(' ') },
    ]);
    const first = await ask(gateway, { input: 'One.' });
    const second = await ask(gateway, { previous_response_id: first.id, input: 'Two.' });
    const branch = await ask(gateway, { previous_response_id: first.id, input: 'Three.' });
    const onBranch = await ask(gateway, { previous_response_id: branch.id, input: 'Four.' });
    const onMain = await ask(gateway, { previous_response_id: second.id, input: 'Five.' });
    expect([branch, onBranch, onMain].map(textOf)).toEqual([
      'One. Three.',
      'One. Three. Four.',
      'One. Two. Five.',
    ]);
    const madeUp = ask(gateway, { previous_response_id: `${first.id}0`, input: 'Six.' });
    await expect(madeUp).rejects.toThrow(NotFoundError);
  });

  it('continues the chat of previous_response_id, and no other [C15]', async () => {
    const gateway = await responsesGateway(({ prompt }) => [
      { text: `${prompt.filter(({ role }) => role === 'user').length} messages.` },
    ]);
    const first = await ask(gateway, { input: 'One.' });
    const second = await ask(gateway, { previous_response_id: first.id, input: 'Two.' });
    const apart = await ask(gateway, { input: 'Another.' });
    expect([first, second, apart].map(textOf)).toEqual(['1 messages.', '2 messages.', '1 messages.']);
    expect(second.previous_response_id).toBe(first.id);
    const lost = ask(gateway, { previous_response_id: 'resp_gone.run_1', input: 'Hello?' });
    await expect(lost).rejects.toThrow(NotFoundError);
  });
});

describe('the events that the `openai` client receives', () => {
  it.each(responsesScenarios)('report $name [C1, C2, C13]', async ({ script, lifecycle }) => {
    const { openai } = await responsesGateway(perTurn(script));
    const seen: string[] = [];
    const stream = openai.responses.stream({ model, input: 'Go.' });
    stream.on('event', ({ type }) => seen.push(type));
    await stream.finalResponse();
    expect(
      seen.flatMap((type) => lifecycleOf(type) ?? []).filter((type) => !type.includes('arguments')),
    ).toEqual(lifecycle);
  });
});

function answerTo(id: string, approve: boolean) {
  return { type: 'mcp_approval_response' as const, approval_request_id: id, approve };
}

function requestIn({ output }: Response) {
  const request = output.find(
    (item): item is ResponseOutputItem.McpApprovalRequest => item.type === 'mcp_approval_request',
  );
  if (!request) throw new Error('The response has no question.');
  return request;
}

function textOf({ output }: Response): string {
  return output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');
}

function wordsOf(content: string | readonly { type: string; text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}
