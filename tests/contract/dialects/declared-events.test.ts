import { tool } from 'ai';
import type { ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serverFrameSchemas } from '../../../lib/plugins/chat-socket/client/schema.ts';
import { responseEventSchemas } from '../../../lib/plugins/responses/client/schema/event-schema.ts';
import { toolEventSchemas } from '../../../lib/plugins/tool-events/client/schema.ts';
import { streamEventSchemas } from '../../../lib/plugins/two-step-stream/client/schema.ts';
import { recordedFile, recordedFiles } from '../../support/recorded-files.ts';
import { readResponsesFrames } from '../../support/responses-frames.ts';
import { responsesGateway } from '../../support/responses-gateway.ts';
import { connectChatSocket } from './support/chat-socket-client.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';

/** Declared because clients know them. No supported model has them, or this gateway has no occasion. */
const notSent = [
  'response.queued',
  'response.refusal.delta',
  'response.refusal.done',
  'response.reasoning_text.delta',
  'response.reasoning_text.done',
  'response.mcp_list_tools.in_progress',
  'response.mcp_list_tools.completed',
  'response.mcp_list_tools.failed',
];

/** The turns in which the gateway sends all others. */
const turns: readonly (readonly ScriptedStep[])[] = [
  [
    [
      { reasoning: 'Both.' },
      { call: 'file_search', input: { query: 'a' } },
      { call: 'web_search', input: { query: 'b' } },
    ],
    [{ text: 'It is far.' }, { source: { url: 'https://example.com/moon', title: 'Moon' } }],
  ],
  [[{ call: 'weather', input: { city: 'Oslo' } }, { call: 'broken' }], [{ call: 'theme' }]],
  [[{ reject: new Error('The model is away.') }]],
  [[{ text: 'Cut o' }, { finish: 'length' }]],
];

/** The types in the recorded streams of a dialect. */
function recordedTypes(dialect: string, pattern: RegExp): Set<string> {
  const texts = recordedFiles()
    .filter((name) => name.startsWith(`${dialect}/`))
    .map(recordedFile);
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, type = '']) => type)));
}

describe('each declared event', () => {
  it('of the Responses stream is sent in some turn, or named as never sent [C13, C14]', async () => {
    const sent = new Set<string>();
    for (const script of turns) {
      const gateway = await responsesGateway(script);
      const { events } = await readResponsesFrames(await gateway.post({ input: 'Go.', stream: true }));
      for (const { type } of events) sent.add(type);
    }
    const declared = responseEventSchemas.map((schema) => schema.shape.type.value);
    expect([...sent, ...notSent].sort()).toEqual([...declared].sort());
  });

  it('of tool events and of the two-step stream is in a recorded stream [A17, B16]', () => {
    const toolEvents = recordedTypes('tool-events', /^data: \{"type":"(\w+)"/gm);
    expect(Object.keys(toolEventSchemas).filter((type) => !toolEvents.has(type))).toEqual([]);
    const twoStep = recordedTypes('two-step-stream', /^event: (\w+)$/gm);
    expect(Object.keys(streamEventSchemas).filter((type) => !twoStep.has(type))).toEqual([]);
  });

  it('of the chat socket is sent [D2, D18, D20, D23]', async () => {
    const count = tool({
      inputSchema: z.object({}),
      async *execute() {
        yield 'one';
        yield 'one, two';
      },
    });
    const held = gate();
    const { url } = await serveDialects(
      [
        [{ call: 'count' }],
        [{ text: 'Broken ' }, { wait: held.passed }, { error: new Error('lost') }],
        [{ text: 'Two.' }],
      ],
      { tools: { count }, streamRetries: 1 },
    );
    const client = await connectChatSocket(url);
    client.send({ type: 'ping' });
    client.send({ type: 'list_tools' });
    client.say('Count.', { stream_results: true });
    await client.frame('tools');
    await client.frame('token');
    held.open();
    const types = new Set<string>((await client.complete()).map(({ type }) => type));
    for (const type of recordedTypes('chat-socket', /^← \{"type":"(\w+)"/gm)) types.add(type);
    expect(Object.keys(serverFrameSchemas).filter((type) => !types.has(type))).toEqual([]);
  });
});
