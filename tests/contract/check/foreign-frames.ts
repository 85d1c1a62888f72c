import type { UIMessageChunk } from 'ai';

/** Rewrites the chunks of a response over SSE. */
function withChunks(rewrite: (chunks: readonly UIMessageChunk[]) => readonly UIMessageChunk[]) {
  return (text: string, headers: Headers): Response => {
    const frames = text.split('\n\n').filter((frame) => frame.startsWith('data: {'));
    const chunks = rewrite(frames.map((frame) => JSON.parse(frame.slice('data: '.length)) as UIMessageChunk));
    const sent = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    return new Response(`${sent}data: [DONE]\n\n`, { headers });
  };
}

/** Frames of steps alone, as a backend sends them that was written from the shape of the responses. */
export const withoutMarks = withChunks((chunks) =>
  chunks.filter(({ type }) => type !== 'start' && type !== 'finish'),
);

/**
 * Asks by a call of `adk_request_confirmation`, which never ends itself.
 *
 * @param how `named`: it names the call that it asks about, which is shown before it. `unnamed`: it names none, and the call is
 * shown with its outcome
 */
export function confirming(how: 'named' | 'unnamed') {
  const shown = new Map<string, UIMessageChunk[]>();
  return withChunks((chunks) => {
    const asked = chunks.flatMap((chunk) =>
      chunk.type === 'tool-approval-request' ? [chunk.toolCallId] : [],
    );
    return chunks.flatMap((chunk): UIMessageChunk[] => {
      if (!('toolCallId' in chunk)) return [chunk];
      const { toolCallId } = chunk;
      if (chunk.type === 'tool-approval-request') {
        const input = how === 'named' ? { originalFunctionCall: { id: toolCallId, name: 'pay' } } : {};
        const call = { toolCallId: `confirm-${toolCallId}`, toolName: 'adk_request_confirmation' };
        return [
          { type: 'tool-input-start', ...call },
          { type: 'tool-input-available', ...call, input },
          { ...chunk, toolCallId: call.toolCallId },
        ];
      }
      if (how === 'unnamed' && asked.includes(toolCallId) && chunk.type.startsWith('tool-input')) {
        shown.set(toolCallId, [...(shown.get(toolCallId) ?? []), chunk]);
        return [];
      }
      const before = chunk.type.startsWith('tool-output') ? (shown.get(toolCallId) ?? []) : [];
      return [...before, chunk];
    });
  });
}

/** A body without the arguments of confirmations, which are not those of the call. */
export function withoutConfirmedInput(body: string): string {
  if (!body.includes('adk_request_confirmation')) return body;
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) => {
    const isConfirmation = (value as { type?: unknown } | null)?.type === 'tool-adk_request_confirmation';
    return isConfirmation ? { ...(value as object), input: undefined } : value;
  });
}
