import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai';
import { describe, expect, it } from 'vitest';
import { finalResponse, readResponse, responseChunks } from '../../../lib/testing/index.ts';

const chunks = finalResponse({ texts: ['Grüße, 世界.'] });

function streamOf(items: readonly UIMessageChunk[]) {
  return new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

describe('readResponse', () => {
  it('reads what the SDK’s own server half writes', async () => {
    expect(await readResponse(createUIMessageStreamResponse({ stream: streamOf(chunks) }))).toEqual(chunks);
  });

  it('assembles what arrives in single bytes', async () => {
    const bytes = new Uint8Array(
      await createUIMessageStreamResponse({ stream: streamOf(chunks) }).arrayBuffer(),
    );
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await readResponse(new Response(body))).toEqual(chunks);
  });

  it('ignores comments, which keep a connection alive', async () => {
    const response = new Response(': ping\n\ndata: {"type":"start-step"}\n\n: ping\n\ndata: [DONE]\n\n');
    expect(await readResponse(response)).toEqual([{ type: 'start-step' }]);
  });

  it.each([
    ['no [DONE]', 'data: {"type":"start-step"}\n\n', 'without [DONE]'],
    ['a chunk after [DONE]', 'data: [DONE]\n\ndata: {"type":"start-step"}\n\n', 'continues after [DONE]'],
    ['a second [DONE]', 'data: [DONE]\n\ndata: [DONE]\n\n', 'continues after [DONE]'],
    ['a cut event', 'data: {"type":', 'ends within an event'],
    ['an unknown chunk', 'data: {"type":"tool_call_start"}\n\ndata: [DONE]\n\n', 'does not fit'],
    ['no JSON', 'data: hello\n\ndata: [DONE]\n\n', 'does not fit'],
    [
      'a named event',
      'event: x\ndata: {"type":"start-step"}\n\ndata: [DONE]\n\n',
      'not a single "data: " line',
    ],
  ])('refuses a stream with %s', async (_name, body, message) => {
    await expect(readResponse(new Response(body))).rejects.toThrow(message);
  });

  it('refuses a response without a body', async () => {
    await expect(readResponse(new Response(null, { status: 204 }))).rejects.toThrow('(204) has no body');
  });

  it('lets its reader stop early, and then cancels the body', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: {"type":"start-step"}\n\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const chunk of responseChunks(new Response(body))) {
      expect(chunk).toEqual({ type: 'start-step' });
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
