import type { Logger } from '../protocol/index.ts';
import { type ChunkReader, readChunks } from '../views/chunks/ui-chunks.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import { safeErrorText } from './errors.ts';

/**
 * One response as the AI SDK's chunks, which never fails: a broken source becomes one `error` chunk with a safe
 * text, and the end. Reads what it is asked for; cancelling detaches this reader, never the run.
 *
 * @source contract H5; H, "Errors"
 */
export function responseChunks(stream: FlowStream, logger?: Logger): ChunkReader {
  const source = readChunks(stream);
  let hasFailed = false;
  let isBroken = false;
  return {
    async read() {
      if (isBroken) return [];
      try {
        const chunks = await source.read();
        hasFailed ||= chunks.some(({ type }) => type === 'error');
        return chunks;
      } catch (error) {
        isBroken = true;
        const errorText = safeErrorText(error, logger);
        return hasFailed ? [] : [{ type: 'error', errorText }];
      }
    },
    cancel: (reason) => source.cancel(reason),
  };
}
