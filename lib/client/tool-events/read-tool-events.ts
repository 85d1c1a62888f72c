import type { ToolEvent } from '../../dialects/client.ts';
import { toolEventSchema } from '../../dialects/tool-events/schema.ts';

/**
 * The frames of a stream, each as it arrives. What is no frame of this version (a comment, a newer event) is passed
 * over. Ends when the stream ends; leaving the loop early cancels it, which stops no run.
 *
 * @param body of a response of `POST /api/dialects/tool-events`
 * @throws what the network throws, when the connection breaks
 * @source A1, A17, A26
 */
export async function* readToolEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ToolEvent, void, void> {
  // Not every browser can iterate a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const blocks = (rest + next.value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const frame = parseFrame(block);
        if (frame) yield frame;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseFrame(block: string): ToolEvent | undefined {
  const line = block.split('\n').find((text) => text.startsWith('data:'));
  if (line === undefined) return undefined;
  try {
    return toolEventSchema.safeParse(JSON.parse(line.slice('data:'.length))).data;
  } catch {
    return undefined;
  }
}
