import { generateText, streamText } from 'ai';
import { ResponsesClient } from 'countersign/plugins/responses/client';
import { collect } from 'countersign/testing';
import type { ResponseInput } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { heldItems, relationTo } from '../../../lib/plugins/responses/conversation/held-items.ts';
import { chatOfId } from '../../../lib/plugins/responses/ids.ts';
import { readInput } from '../../../lib/plugins/responses/request/input.ts';
import type { FlowEvent } from '../../../lib/protocol/index.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';

const model = 'countersign';
const broken = { error: new Error('broken') };
const pay = { call: 'pay', input: { to: 'Al', amount: 1 } };

describe('a model step that is broken off and begins again', () => {
  it('remains in the events as incomplete, and is in no response that is read back [ADR 0014]', async () => {
    const gateway = await responsesGateway(
      [
        [{ reasoning: 'Hm.' }, { text: 'Well. ' }, { reasoning: 'So.' }, { text: 'Hello the' }, broken],
        [{ text: 'Hello there.' }],
      ],
      { streamRetries: 1 },
    );
    const { events } = await readResponsesFrames(await gateway.post({ input: 'Go.', stream: true }));
    const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event] : []));
    expect(
      done.map(({ output_index, item }) => [output_index, item.type, 'status' in item && item.status]),
    ).toEqual([
      [0, 'reasoning', 'completed'],
      [1, 'message', 'completed'],
      [2, 'reasoning', 'completed'],
      [3, 'message', 'incomplete'],
      [4, 'message', 'completed'],
    ]);
    const last = events.at(-1);
    if (last?.type !== 'response.completed') throw new Error('The response did not complete.');
    expect(last.response.output).toEqual([done[4]?.item]);

    const { id } = last.response;
    const { responses } = gateway.openai;
    expect(await responses.retrieve(id)).toMatchObject({
      output: last.response.output,
      output_text: 'Hello there.',
    });
    const streamed = await responses.stream({ response_id: id }).finalResponse();
    expect(streamed).toMatchObject({ output: last.response.output, output_text: 'Hello there.' });
  });

  it('is in no final response of the official clients; only `streamText`, which concatenates deltas, shows it [ADR 0014]', async () => {
    const attempt = [{ text: 'Hello the' }, broken];
    const script = [attempt, [{ text: 'Hello there.' }]];
    const { openai, provider } = await responsesGateway([...script, ...script, ...script], {
      streamRetries: 1,
    });
    const streamed = await openai.responses.stream({ model, input: 'Go.' }).finalResponse();
    const options = { model: provider.responses(model), prompt: 'Go.', maxRetries: 0 };
    const live = streamText(options);
    const parts = (await collect(live.stream)).map(({ type }) => type);
    expect([streamed.output_text, (await generateText(options)).text]).toEqual([
      'Hello there.',
      'Hello there.',
    ]);
    expect([await live.text, await live.finishReason]).toEqual(['Hello theHello there.', 'stop']);
    expect(parts).not.toContain('error');
  });

  it('is not shown by the client class once the step has begun again [ADR 0014]', async () => {
    const gateway = await responsesGateway(
      [[{ reasoning: 'Hm.' }, { text: 'Hello the' }, broken], [{ text: 'Hello there.' }]],
      { streamRetries: 1 },
    );
    const client = new ResponsesClient({
      url: gateway.baseURL.replace(/\/v1$/, ''),
      headers: { authorization: 'Bearer ada' },
    });
    const shown = new Set<string>();
    client.subscribe(() => shown.add([...client.state.texts.values()].join('')));
    await collect(client.send('Go.'));
    expect([...shown]).toEqual(['', 'Hello the', 'Hello there.']);
    expect([...client.state.items.values()].map(({ type }) => type)).toEqual(['message']);
  });

  it.each([
    { read: 'the response as it ended', said: 'Hello there.' },
    { read: 'everything that was streamed', said: 'Hello theHello there.' },
  ])('does not separate a client that holds $read from its conversation [ADR 0014]', async ({ said }) => {
    const { openai } = await responsesGateway(
      [
        [{ text: 'Hello the' }, broken],
        [{ text: 'Hello there.' }, pay],
      ],
      { streamRetries: 1 },
    );
    const input: ResponseInput = [{ role: 'user', content: 'Pay.' }];
    const asked = await openai.responses.create({ model, input });
    const more: ResponseInput = [
      ...input,
      { role: 'assistant', content: said },
      { role: 'user', content: 'Well?' },
    ];
    const again = await openai.responses.create({ model, input: more });
    expect(chatOfId(again.id)).toBe(chatOfId(asked.id));
  });

  it('is not confused with the next turn, whose steps and texts have the same ids [ADR 0014]', () => {
    const turn = (text: string) => [
      { type: 'message-received', messageId: text, parts: [{ type: 'text', text }] },
      { type: 'step-started', step: 0 },
      { type: 'text-delta', textId: '0.text.0', delta: `${text} yourself.` },
    ];
    const log = ['Hello', 'Bye'].flatMap(turn).map((event, seq) => ({ ...event, seq }) as FlowEvent);
    const speeches = ['Hello', 'Bye'].flatMap((text) => [
      { role: 'user' as const, content: text },
      { role: 'assistant' as const, content: `${text} yourself.` },
    ]);
    expect(relationTo(readInput(speeches), heldItems(log))).toEqual({ type: 'equal', known: 2 });
  });
});
