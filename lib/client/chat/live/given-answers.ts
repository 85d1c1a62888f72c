import type { AnswerToSend } from '../../transport/kept-answers.ts';

/** @see createGivenAnswers */
export type GivenAnswers = ReturnType<typeof createGivenAnswers>;

/**
 * The answers made on a page, each until it is replaced. Takes one answer for each time a question is asked. The second half of
 * a double click must not replace the first, for example edited arguments by the proposed ones.
 */
export function createGivenAnswers() {
  const given = new Map<string, AnswerToSend>();
  const closed = new Set<string>();
  const replied = new Set<string>();
  return {
    /** @returns false if the question already has an answer and was not asked again: nothing changed */
    give(answer: AnswerToSend): boolean {
      if (closed.has(answer.id)) return false;
      given.set(answer.id, answer);
      closed.add(answer.id);
      replied.delete(answer.id);
      return true;
    },
    /** Called when the server has replied: these answers are in its log, or do not count. */
    replied: (ids: readonly string[]): void => {
      for (const id of ids) replied.add(id);
    },
    /** The questions among these whose last answer has no reply from the server. */
    unconfirmed: (ids: readonly string[]) => ids.filter((id) => given.has(id) && !replied.has(id)),
    /** The question was asked again, so that it may be answered again. The last answer stays until then. */
    askedAgain: (id: string): void => void closed.delete(id),
    /** Allows every question to be answered again. */
    allAskedAgain: () => closed.clear(),
    /** The last answer. */
    of: (id: string) => given.get(id),
    all: (): readonly AnswerToSend[] => [...given.values()],
  };
}
