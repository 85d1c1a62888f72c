import { createUIMessageStreamResponse, type UIMessage, type UIMessageChunk } from 'ai';
import { type Served, serve } from '../../lib/testing/server/serve.ts';

/** A server whose state a test can read. */
export type CountingServer = Served & { readonly requests: number };

/**
 * Not ours: a server that asks two questions at once, and sends nothing until both are answered. Many agent
 * frameworks work like that.
 *
 * @param cap the request with this number is answered with text, so that a client in an endless loop stops
 */
export async function serverOfTwoQuestions(cap: number): Promise<CountingServer> {
  let requests = 0;
  const served = await serve({
    async fetch(request) {
      requests += 1;
      const { messages } = (await request.json()) as { messages: UIMessage[] };
      const chunks = requests === cap ? reply('Stop it.') : answerTo(messages);
      return createUIMessageStreamResponse({ stream: streamOf(chunks) });
    },
  });
  return {
    ...served,
    get requests() {
      return requests;
    },
  };
}

function answerTo(messages: readonly UIMessage[]): UIMessageChunk[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return response(beginStep, ...ask('a'), ...ask('b'), endStep);
  const waits = last.parts.some((part) => 'state' in part && part.state === 'approval-requested');
  return waits ? response() : reply('Both are done.');
}

function streamOf(chunks: readonly UIMessageChunk[]): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

const beginStep: UIMessageChunk = { type: 'start-step' };
const endStep: UIMessageChunk = { type: 'finish-step' };

function ask(toolCallId: string): UIMessageChunk[] {
  return [
    { type: 'tool-input-start', toolCallId, toolName: 'pay' },
    { type: 'tool-input-available', toolCallId, toolName: 'pay', input: {} },
    { type: 'tool-approval-request', toolCallId, approvalId: `question-${toolCallId}` },
  ];
}

function reply(text: string): UIMessageChunk[] {
  const id = 't';
  return response(
    beginStep,
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
    endStep,
  );
}

/** Each response continues the same message. */
function response(...chunks: UIMessageChunk[]): UIMessageChunk[] {
  return [{ type: 'start', messageId: 'reply' }, ...chunks, { type: 'finish', finishReason: 'stop' }];
}
