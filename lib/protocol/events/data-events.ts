import type { ToolCallId } from '../ids/ids.ts';
import type { JsonValue } from '../json.ts';

/** A part that belongs to the page: the model does not see it. */
export type DataPart = { readonly type: `data-${string}`; readonly id?: string; readonly data: JsonValue };

type Written = {
  type: 'data-written';
  part: DataPart;
  /** It is sent to the readers of this moment. Such an event is never in the log. */
  transient?: true;
};

/** What a call, or the app outside of tools, writes into the message of a turn. @source ADR 0031 */
export type DataEventBody = (Written & { toolCallId: ToolCallId }) | Written;
