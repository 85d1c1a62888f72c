import type { AnswerRule, Risk } from '../approval/approvals.ts';
import type { GrantId, ToolCallId } from '../ids/ids.ts';
import type { Person } from '../principal.ts';
import type { RecordedApprover } from './recorded-approver.ts';

/** What people say about a call whose question is not due yet. Events of the chat. @source ADR 0041 */
export type AdvanceEventBody =
  | {
      /** A person pre-approved the call. */
      type: 'advance-approved';
      toolCallId: ToolCallId;
      grantId: GrantId;
      /** A digest of what the person was shown. */
      digest: string;
      /** The risk as it was shown. */
      risk?: Risk;
      by: Person;
      via: string;
      /** Present when there is an audit record. */
      approver?: RecordedApprover;
      /** For the audit record: the rule that allowed this person to answer. */
      rule?: AnswerRule;
    }
  | { type: 'advance-revoked'; toolCallId: ToolCallId; grantId: GrantId; by: Person; via: string };
