import type { DecisionJson } from '../wire/decision.ts';

/** A person's complete decision about one question, with its approval id. */
export type DecisionToSend = DecisionJson & { readonly id: string; readonly approved: boolean };

/** The part of a decision that fits in a UI message: the argument of `addToolApprovalResponse`. */
export type ResponseToAdd = Pick<DecisionToSend, 'id' | 'approved' | 'reason'>;

/**
 * The part of a decision that does not fit in a UI message. It must be sent with the answer on every attempt.
 */
export type DecisionExtras = Pick<
  DecisionToSend,
  'option' | 'value' | 'input' | 'previewDigest' | 'remember'
>;

/** Decisions that a transport keeps until it sends them. */
export type KeptDecisions = {
  /** Keeps a decision. Replaces an earlier decision about the same question. */
  decide(decision: DecisionToSend): ResponseToAdd;
  /** Returns the extra fields to send with an answer; none if the kept decision was another one. */
  extrasOf(approvalId: string, approved?: boolean): DecisionExtras;
};

/**
 * Keeps the fields of a decision that a UI message cannot contain. After a lost connection the client sends
 * the answer again from the message alone; without the kept fields it would approve the proposed arguments
 * instead of the edited ones. Decisions are never removed, because a request can be repeated at any time.
 * Approval ids are never reused.
 */
export function createKeptDecisions(): KeptDecisions {
  const kept = new Map<string, { readonly approved: boolean; readonly extras: DecisionExtras }>();
  return {
    decide({ id, approved, option, reason, value, input, previewDigest, remember }) {
      // Copied, because the form may keep changing its own object.
      if (approved || option !== undefined) {
        const extras = {
          ...(option !== undefined && { option }),
          ...(value !== undefined && { value: structuredClone(value) }),
          ...(input !== undefined && { input: structuredClone(input) }),
          ...(previewDigest !== undefined && { previewDigest }),
          ...(remember && { remember }),
        };
        kept.set(id, { approved, extras });
      } else {
        kept.delete(id);
      }
      return { id, approved, ...(reason !== undefined && { reason }) };
    },
    extrasOf(approvalId, approved = true) {
      const decision = kept.get(approvalId);
      return decision?.approved === approved ? decision.extras : {};
    },
  };
}
