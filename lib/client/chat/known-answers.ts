import { isSameJson } from '../../protocol/json.ts';
import type { Question, QuestionAnswer } from '../question.ts';

/** Who answered a question, and when: ISO 8601. `by` is absent for this person, here. */
export type KnownAnswer = Pick<QuestionAnswer, 'approved' | 'reason' | 'input' | 'at'> & {
  readonly by?: QuestionAnswer['by'];
};

/** Answers known to a page, by approval id. A message does not contain who answered, or when. */
export type KnownAnswers = ReadonlyMap<string, KnownAnswer>;

/** The fields of a question that state how it was settled. */
export type SettledQuestion = Pick<Question, 'id'> & { readonly answer?: KnownAnswer };

/** Adds answers from the server. One that was given on this page stays as it is, without `by`, unless another was first. */
export function withSettled(known: KnownAnswers, questions: readonly SettledQuestion[]): KnownAnswers {
  const news = questions.flatMap(({ id, answer }) =>
    answer && !isSameAnswer(known.get(id), answer) ? [[id, answer] as const] : [],
  );
  return news.length === 0 ? known : new Map([...known, ...news]);
}

function isSameAnswer(known: KnownAnswer | undefined, answer: KnownAnswer): boolean {
  if (known === undefined) return false;
  const { approved, reason, input } = answer;
  return known.approved === approved && known.reason === reason && isSameJson(known.input, input);
}

/** Adds an answer that was just given on this page. */
export function withAnswer(known: KnownAnswers, id: string, answer: KnownAnswer): KnownAnswers {
  return new Map(known).set(id, answer);
}

/** Adds those of the answers given on this page that the server has received. */
export function withReceived(
  known: KnownAnswers,
  sending: KnownAnswers,
  ids: readonly string[],
): KnownAnswers {
  const received = ids.flatMap((id) => {
    const answer = sending.get(id);
    return answer ? [[id, answer] as const] : [];
  });
  return received.length === 0 ? known : new Map([...known, ...received]);
}

/** Removes answers that do not count: refused, or not the first. */
export function withoutAnswers(known: KnownAnswers, ids: readonly string[]): KnownAnswers {
  if (!ids.some((id) => known.has(id))) return known;
  return new Map([...known].filter(([id]) => !ids.includes(id)));
}
