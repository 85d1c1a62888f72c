import type {
  AnswerRule,
  AtDeadline,
  CallProcess,
  QuestionOption,
  RecordedPreview,
  Repeat,
  WithdrawalReason,
} from '../approval/approvals.ts';
import type { ApprovalId, GrantId, ToolCallId } from '../ids/ids.ts';
import type { JsonValue } from '../json.ts';
import type { Person } from '../principal.ts';
import type { AskedFields } from '../wire/question.ts';
import type { RecordedApprover } from './recorded-approver.ts';

/** What happens to a question, or replaces it. */
export type ApprovalEventBody =
  | ({
      type: 'approval-requested';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      /** Absent: it is denied. */
      atDeadline?: AtDeadline;
      /** The arguments as the schema parses them. Present when they differ from `input`. */
      runsAs?: JsonValue;
      /** The withdrawn question that this one replaces. */
      replaces?: ApprovalId;
      /** The same call ran or was approved recently. */
      repeatOf?: Repeat;
      /** Present if the tool has a `preview`: the effect as of this event. */
      preview?: RecordedPreview;
      /** Present if a running call asks: who runs it. */
      waitsIn?: CallProcess;
      /** The choices of the question, and what each of them would run. @source ADR 0050 */
      options?: readonly QuestionOption[];
    } & AskedFields)
  | {
      type: 'approval-answered';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      approved: boolean;
      reason?: string;
      /** The id of the option that was chosen. `input` is then that of the option. @source ADR 0050 */
      option?: string;
      /** What the person filled in. @source ADR 0050 */
      value?: JsonValue;
      /** The client sent the value as the output of the call, so its message has it. */
      asOutput?: true;
      /** The person's edited arguments. */
      input?: JsonValue;
      /** The edited arguments as the schema parsed them. Present when they differ from `input`. */
      runsAs?: JsonValue;
      /** The effect that the person was shown, if the answer names it. */
      previewDigest?: string;
      by: Person;
      /** Whose right it was, if a person answered by a right that was delegated to them. @source ADR 0049 */
      onBehalfOf?: Person;
      via: string;
      /** Present when there is an audit record. */
      approver?: RecordedApprover;
      /** For the audit record: the rule that allowed this person to answer. */
      rule?: AnswerRule;
      /** What it said to plugins, by their names, as they recorded it. Readers get it. @source ADR 0056 */
      plugins?: Readonly<Record<string, JsonValue>>;
    }
  | {
      /** A standing approval replaced the question. */
      type: 'approval-granted';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      grantId: GrantId;
      /** The plugin that keeps the approval. */
      plugin: string;
      /** The person who gave the approval. */
      by: Person;
      /** The digest that the question would have had, as in `approval-requested`. */
      digest?: string;
      /** The approval is of this call alone: an event of the plugin has it. @source ADR 0056.31 */
      isEarly?: true;
      /** Why no question was asked, in a sentence. Readers get it. */
      reason?: string;
    }
  | { type: 'approval-withdrawn'; approvalId: ApprovalId; toolCallId: ToolCallId; reason: WithdrawalReason };

/** The effect of an open question's call was determined again. An event of the chat. @source ADR 0040 */
export type PreviewEventBody = {
  type: 'approval-previewed';
  approvalId: ApprovalId;
  toolCallId: ToolCallId;
  /** Absent if it is the same as before. */
  preview?: RecordedPreview;
};
