import type { ApprovalId, ToolCallId } from '../ids/ids.ts';

/** What happens to a question without an answer. Events of the chat. @source ADR 0048 */
export type EscalationEventBody =
  | {
      /** From now on, the people whom this step allows may answer, too. */
      type: 'approval-escalated';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      /** Counts from 1. */
      step: number;
      /** Whom the step adds, in the words of the settings. */
      label?: string;
    }
  | {
      type: 'approval-reminded';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      /** Counts from 1 within the question. */
      number: number;
    };
