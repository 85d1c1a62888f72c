import type { AnswerToSend } from '../../../protocol/approval/kept-answers.ts';

/** The answers made on a page, each until it is replaced. */
export type GivenAnswers = {
  /**
   * Keeps an answer.
   *
   * @returns false if the question already has an answer and was not asked again: nothing changed
   */
  give(answer: AnswerToSend): boolean;
  /** Called when the server has replied: these answers are in its log, or do not count. */
  replied(ids: readonly string[]): void;
  /** The questions among these whose last answer has no reply from the server. */
  unconfirmed(ids: readonly string[]): readonly string[];
  /** The question was asked again, so that it may be answered again. The last answer stays until then. */
  askedAgain(id: string): void;
  /** Allows every question to be answered again. */
  allAskedAgain(): void;
  /** The last answer. */
  of(id: string): AnswerToSend | undefined;
  all(): readonly AnswerToSend[];
};

/**
 * Takes one answer for each time a question is asked. The second half of a double click must not replace the first,
 * for example edited arguments by the proposed ones.
 */
export function createGivenAnswers(): GivenAnswers {
  const given = new Map<string, AnswerToSend>();
  const closed = new Set<string>();
  const replied = new Set<string>();
  return {
    give(answer) {
      if (closed.has(answer.id)) return false;
      given.set(answer.id, answer);
      closed.add(answer.id);
      replied.delete(answer.id);
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
