import type { UIMessageChunk } from 'ai';
import type { Logger } from '../protocol/index.ts';
import { createUiChunks } from '../views/chunks/ui-chunks.ts';
import type { StreamView } from '../views/flow-stream.ts';
import type { Projection } from '../views/reader/projection.ts';
import { safeErrorText } from './errors.ts';

/** A response as the SDK's chunks. If events cannot be read, it ends with an `error` chunk. @source H5, H-Errors */
export function createSafeChunks(view: StreamView, logger?: Logger): Projection<UIMessageChunk> {
  const chunks = createUiChunks(view);
  let hasError = false;
  return {
    ...chunks,
    apply(item) {
      const outputs = chunks.apply(item);
      hasError ||= outputs.some(({ type }) => type === 'error');
      return outputs;
    },
    fail(error) {
      const errorText = safeErrorText(error, logger);
      return hasError ? [] : [{ type: 'error', errorText }];
    },
  };
}
