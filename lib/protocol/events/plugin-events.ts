import type { AnswerRule } from '../approval/approvals.ts';
import type { StandingApproval } from '../approval/standing-approval.ts';
import type { ApprovalId, ToolCallId } from '../ids/ids.ts';
import type { JsonValue } from '../json.ts';
import type { RecordedApprover } from './recorded-approver.ts';

/** A person's approval of one call, given before its question is due. @source ADR 0056.31 */
export type EarlyApproval = StandingApproval & {
  readonly via: string;
  /** Present when there is an audit record. */
  readonly approver?: RecordedApprover;
  /** For the audit record: the rule that allowed this person to answer. */
  readonly rule?: AnswerRule;
};

/**
 * What a plugin records about a question. An event of the chat, or, with the question that replaces another, of the run that
 * asks again. The kernel gives it no meaning, apart from an early approval.
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
  /**
   * An approval of the call before its question is due; `null`: it was revoked. `approvalId` is that of the question that was open.
   *
   * @source ADR 0056.31
   */
  early?: EarlyApproval | null;
  /** For the plugin alone. No reader gets it. */
  data?: JsonValue;
  /** Subscriptions report it. */
  isNotice?: true;
};
