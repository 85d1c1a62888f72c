import { collect, type Script } from 'countersign/testing';
import { BadRequestError, NotFoundError } from 'openai';
import type { Response } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { barrier } from '../support/barrier.ts';
import { ada } from '../support/flow-fixture.ts';
import { responsesGateway } from '../support/responses-gateway.ts';

const model = 'countersign';

const payment: Script = ({ prompt }) =>
  prompt.at(-1)?.role === 'tool' ? [{ text: 'Paid.' }] : [{ call: 'pay', input: { to: 'Al', amount: 1 } }];

function yesTo({ output }: Response) {
  const approval_request_id = output.at(-1)?.id ?? '';
  return { type: 'mcp_approval_response' as const, approval_request_id, approve: true };
}

describe('the `openai` client and a response that exists', () => {
  it('retrieves it as it was, and lists its input [ADR 0014]', async () => {
    const { openai } = await responsesGateway(payment);
    const asked = await openai.responses.create({ model, input: 'Pay Al.' });
    expect(await openai.responses.retrieve(asked.id)).toEqual(asked);
    const answered = await openai.responses.create({
      model,
      previous_response_id: asked.id,
      input: [yesTo(asked)],
    });
    expect(await openai.responses.retrieve(answered.id)).toEqual(answered);
    const first = await collectAll(openai.responses.inputItems.list(asked.id));
    expect(first).toMatchObject([{ type: 'message', content: [{ text: 'Pay Al.' }] }]);
    const second = await collectAll(
      openai.responses.inputItems.list(answered.id, { limit: 1, order: 'asc' }),
    );
    expect(second).toMatchObject([{ type: 'mcp_approval_response', approve: true }]);
  });

  it('continues a stream that it lost, after the last event that it has [ADR 0014]', async () => {
    const held = barrier();
    const { openai } = await responsesGateway([[{ text: 'One. ' }, { wait: held.wait }, { text: 'Two.' }]]);
    const stream = await openai.responses.create({ model, input: 'Go.', stream: true });
    let id = '';
    let seen = -1;
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id;
      seen = event.sequence_number;
      // Leaving the loop ends the connection.
      if (event.type === 'response.output_text.delta') break;
    }
    const rest = await openai.responses.retrieve(id, { stream: true, starting_after: seen });
    held.lift();
    const events = await collect(rest);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
      events.map((_event, index) => seen + 1 + index),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id, output: [{ content: [{ text: 'One. ' }] }, { content: [{ text: 'Two.' }] }] },
    });
    const ended = await openai.responses.retrieve(id, { stream: true });
    expect((await collect(ended)).at(-1)).toEqual(events.at(-1));
  });

  it('is watched by `responses.stream` from its id alone [ADR 0014]', async () => {
    const { openai } = await responsesGateway([[{ text: 'Hello.' }]]);
    const { id } = await openai.responses.create({ model, input: 'Go.' });
    const watched = await openai.responses.stream({ response_id: id }).finalResponse();
    expect(watched.output_text).toBe('Hello.');
  });

  it('cancels it while it runs [ADR 0014]', async () => {
    const { openai } = await responsesGateway([[{ text: 'Well,' }, { wait: new Promise(() => {}) }]]);
    const stream = await openai.responses.create({ model, input: 'Go.', stream: true });
    let cancelled: Promise<Response> | undefined;
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'response.created') cancelled = openai.responses.cancel(event.response.id);
    }
    expect(await cancelled).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'steered' },
    });
    expect(types.at(-1)).toBe('response.incomplete');
  });

  it('deletes it with its conversation, and then does not find it [ADR 0014]', async () => {
    const { openai, flow } = await responsesGateway(payment);
    const asked = await openai.responses.create({ model, input: 'Pay Al.' });
    const answered = await openai.responses.create({ model, input: [yesTo(asked)] });
    await expect(openai.responses.delete(asked.id)).rejects.toThrow(BadRequestError);
    await openai.responses.delete(answered.id);
    await expect(openai.responses.retrieve(asked.id)).rejects.toThrow(NotFoundError);
    await expect(openai.responses.retrieve(answered.id)).rejects.toMatchObject({
      status: 404,
      param: 'response_id',
      type: 'invalid_request_error',
    });
    expect((await flow.chats.list({ principal: ada })).items).toEqual([]);
  });

  it('lists and retrieves the model [ADR 0014]', async () => {
    const { openai } = await responsesGateway([]);
    const [own] = await collectAll(openai.models.list());
    expect(own).toMatchObject({ id: 'countersign', object: 'model' });
    expect(await openai.models.retrieve('countersign')).toEqual(own);
    await expect(openai.models.retrieve('gpt-9')).rejects.toThrow(NotFoundError);
  });

  it('gets errors of other endpoints as errors of the API [C16]', async () => {
    const { openai } = await responsesGateway([]);
    const unknown = openai.files.retrieve('file-1');
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'not-found' });
    await expect(openai.models.delete('countersign')).rejects.toMatchObject({
      status: 405,
      code: 'method-not-allowed',
    });
  });
});

async function collectAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
