import { safeParseJSON } from '@ai-sdk/provider-utils';
import { type UIMessageChunk, uiMessageChunkSchema } from 'ai';
import { collect } from '../collect.ts';

/**
 * The chunks of a UI message stream over SSE, as they arrive. Strict: every event is one `data:` line or a comment,
 * every chunk matches the SDK's schema, and `[DONE]` comes last and exactly once. Does not check status and headers.
 *
 * Stopping early cancels the body.
 *
 * @throws Error if the body is missing, malformed, or cut before `[DONE]`
 */
export async function* responseChunks(response: Response): AsyncGenerator<UIMessageChunk, void, void> {
  if (!response.body) throw new Error(`The response (${response.status}) has no body.`);
  let buffer = '';
  let isDone = false;
  for await (const piece of response.body.pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))) {
    buffer += piece;
    const events = buffer.split('\n\n');
    buffer = events.pop() ?? '';
    for (const event of events) {
      if (event.startsWith(':')) continue;
      if (isDone) throw new Error(`The stream continues after [DONE]: ${event}`);
      if (!event.startsWith('data: ') || event.includes('\n')) {
        throw new Error(`An event is not a single "data: " line: ${JSON.stringify(event)}`);
      }
      const data = event.slice('data: '.length);
      if (data === '[DONE]') isDone = true;
      else yield await parseChunk(data);
    }
  }
  if (buffer !== '') throw new Error(`The stream ends within an event: ${JSON.stringify(buffer)}`);
  if (!isDone) throw new Error('The stream ends without [DONE].');
}

/** All chunks of a UI message stream over SSE; see {@link responseChunks}. */
export function readResponse(response: Response): Promise<UIMessageChunk[]> {
  return collect(responseChunks(response));
}

async function parseChunk(data: string): Promise<UIMessageChunk> {
  const parsed = await safeParseJSON({ text: data, schema: uiMessageChunkSchema });
  if (parsed.success) return parsed.value;
  throw new Error(`A chunk does not fit the UI message stream: ${data}`, { cause: parsed.error });
}
