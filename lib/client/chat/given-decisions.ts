import type { DecisionToSend } from '../../protocol/approval/decisions.ts';

/** The decisions made on a page, each until it is replaced. */
export type GivenDecisions = {
  /**
   * Keeps a decision.
   *
   * @returns false if the question already has a decision and was not asked again: nothing changed
   */
  give(decision: DecisionToSend): boolean;
  /** Called when the server has replied: these decisions are in its log, or do not count. */
  replied(ids: readonly string[]): void;
  /** The questions among these whose last decision has no reply from the server. */
  unconfirmed(ids: readonly string[]): readonly string[];
  /** The question was asked again, so that it may be decided again. What was decided stays until then. */
  askedAgain(id: string): void;
  /** Allows every question to be decided again. */
  allAskedAgain(): void;
  /** What was decided last. */
  of(id: string): DecisionToSend | undefined;
  all(): readonly DecisionToSend[];
};

/**
 * Takes one decision for each time a question is asked. The second half of a double click must not replace the first,
 * for example edited arguments by the proposed ones.
 */
export function createGivenDecisions(): GivenDecisions {
  const given = new Map<string, DecisionToSend>();
  const closed = new Set<string>();
  const replied = new Set<string>();
  return {
    give(decision) {
      if (closed.has(decision.id)) return false;
      given.set(decision.id, decision);
      closed.add(decision.id);
      replied.delete(decision.id);
      return true;
    },
    replied: (ids) => {
      for (const id of ids) replied.add(id);
    },
    unconfirmed: (ids) => ids.filter((id) => given.has(id) && !replied.has(id)),
    askedAgain: (id) => void closed.delete(id),
    allAskedAgain: () => closed.clear(),
    of: (id) => given.get(id),
    all: () => [...given.values()],
  };
}
