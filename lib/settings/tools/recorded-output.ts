import { type JsonValue, plainJson, type ToolCallId } from '../../protocol/index.ts';
import type { FlowSettings } from '../flow-settings.ts';

/**
 * The result of a call as JSON, for the log. If keys had to be renamed, the program's log says so.
 *
 * @param text the result's `jsonText`
 * @source D9
 */
export function recordedOutput(
  { logger }: Pick<FlowSettings, 'logger'>,
  { toolName, toolCallId }: { readonly toolName: string; readonly toolCallId: ToolCallId },
  text: string,
): JsonValue {
  let isRenamed = false;
  const plain = plainJson(text, () => {
    isRenamed = true;
  });
  if (isRenamed) {
    logger?.warn(
      'Keys of a result were renamed, because clients refuse them: `__proto__` and `constructor.prototype`.',
      { toolName, toolCallId },
    );
  }
  return plain;
}
