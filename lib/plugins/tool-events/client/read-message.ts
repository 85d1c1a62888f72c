import { isRecord, parseJson } from '../../../protocol/json.ts';
import { type ToolEvent, toolEventSchema } from './schema.ts';

/**
 * Reads the data of one frame. A question that this version cannot read is left out of its frame, and the end of a call
 * that cannot be read ends the call as failed: no frame leaves a call running that has ended.
 *
 * @returns `undefined` for any other frame that this version does not know
 * @source A1, A17
 */
export function readToolEvent(data: string): ToolEvent | undefined {
  const value = parseJson(data);
  const event = toolEventSchema.safeParse(value).data;
  if (event || !isRecord(value)) return event;
  const { type, toolCallId } = value;
  if (type === 'approval_request') return toolEventSchema.safeParse({ ...value, question: undefined }).data;
  const isEnd = type === 'tool_call_end' || type === 'tool_call_error';
  if (!isEnd || typeof toolCallId !== 'string') return undefined;
  const error = 'The result could not be read.';
  return { type: 'tool_call_error', toolCallId, error, retryable: false, wasRetried: false };
}
