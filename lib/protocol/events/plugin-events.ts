import type { ApprovalId, ToolCallId } from '../ids/ids.ts';
import type { JsonValue } from '../json.ts';

/**
 * What a plugin records about a question. An event of the chat, or, with the question that replaces another, of the run that
 * asks again. The kernel gives it no meaning.
 *
 * @source ADR 0056
 */
export type PluginEventBody = {
  type: 'plugin-event';
  plugin: string;
  approvalId: ApprovalId;
  toolCallId: ToolCallId;
  /** What happened. */
  name: string;
  /** At most one event of the plugin in the chat has this claim. Of two writers, one wins. */
  claim?: string;
  /** What the question says of the plugin from now on. Absent: as before. */
  says?: JsonValue;
  /** For the plugin alone. No reader gets it. */
  data?: JsonValue;
  /** Subscriptions report it. */
  isNotice?: true;
};
