import type { UIMessageChunk } from 'ai';
import { uiMessageChunks } from '../flow/projections/ui-chunks.ts';
import type { FlowStream } from '../flow/types.ts';
import type { Logger } from '../vocabulary/index.ts';
import { safeErrorText } from './errors.ts';

/**
 * One response as the AI SDK's chunks, which never fails: a broken source becomes one `error` chunk with a safe
 * text, and the end. Pulls one chunk at a time; cancelling detaches this reader, never the run.
 *
 * @source contract H5; H, "Errors"
 */
export function responseChunks(stream: FlowStream, logger?: Logger): ReadableStream<UIMessageChunk> {
  const reader = uiMessageChunks(stream).getReader();
  let hasFailed = false;
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        try {
          const next = await reader.read();
          if (next.done) {
            controller.close();
            return;
          }
          hasFailed ||= next.value.type === 'error';
          controller.enqueue(next.value);
        } catch (error) {
          const errorText = safeErrorText(error, logger);
          if (!hasFailed) controller.enqueue({ type: 'error', errorText });
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead of whoever reads this.
    { highWaterMark: 0 },
  );
}
