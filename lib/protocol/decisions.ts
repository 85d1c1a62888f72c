/** Which later calls an approval covers as well. @source contract H10 */
export type Remember = {
  readonly scope: 'chat' | 'me';
  readonly match: 'tool' | 'exact-arguments';
};

/** A person's decision about one question, whole. */
export type DecisionToSend = {
  /** The approval id. */
  readonly id: string;
  readonly approved: boolean;
  /** Told to the model. At most 2,000 characters. */
  readonly reason?: string;
  /** Edited arguments; left out when they are approved as proposed. */
  readonly input?: unknown;
  readonly remember?: Remember;
};

/** The part of a decision that a UI message has room for: what `addToolApprovalResponse` takes. */
export type ResponseToAdd = Pick<DecisionToSend, 'id' | 'approved' | 'reason'>;

/** The rest of it, which must travel with the answer each time that the answer travels. */
export type DecisionExtras = Pick<DecisionToSend, 'input' | 'remember'>;

/** Decisions that a transport keeps. */
export type KeptDecisions = {
  /** Keeps a decision, in place of an earlier one about the same question. */
  decide(decision: DecisionToSend): ResponseToAdd;
  /** What goes with the approval of a question. */
  extrasOf(approvalId: string): DecisionExtras;
};

/**
 * Keeps what a message cannot hold. An answer is sent again after a lost connection, and by then nobody says any more
 * what else was decided; without this, the arguments as proposed would be approved in place of the edited ones. Nothing
 * is forgotten, since a request may be repeated at any time; approval ids are never used twice.
 */
export function createKeptDecisions(): KeptDecisions {
  const kept = new Map<string, DecisionExtras>();
  return {
    decide({ id, approved, reason, input, remember }) {
      // A copy: a form may go on changing its own.
      if (approved) {
        kept.set(id, {
          ...(input !== undefined && { input: structuredClone(input) }),
          ...(remember && { remember }),
        });
      } else {
        kept.delete(id);
      }
      return { id, approved, ...(reason !== undefined && { reason }) };
    },
    extrasOf: (approvalId) => kept.get(approvalId) ?? {},
  };
}
