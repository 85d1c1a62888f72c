import { isSameJson } from '../../../protocol/json.ts';
import type { Question, QuestionAnswer } from '../../question.ts';

/**
 * Who answered a question, and when: ISO 8601. `by` is absent for this person, here, until the server names who gave the answer.
 * `via` is absent for an answer that was given in a chat. `isFresh`: one like it was given on this page.
 */
export type KnownAnswer = Pick<QuestionAnswer, 'approved' | 'reason' | 'option' | 'input' | 'at'> & {
  readonly by?: QuestionAnswer['by'];
  readonly onBehalfOf?: QuestionAnswer['by'];
  readonly via?: string;
  readonly isFresh?: true;
};

/** Answers known to a page, by approval id. A message does not contain who answered, or when. */
export type KnownAnswers = ReadonlyMap<string, KnownAnswer>;

/** The fields of a question that state how it was settled. */
export type SettledQuestion = Pick<Question, 'id'> & { readonly answer?: KnownAnswer };

/**
 * Adds answers from the server. They replace those that were given on this page: another person may have given the same answer
 * first. What is shown of an answer does not depend on whether the reply or the feed arrived first, or on a reload.
 */
export function withSettled(known: KnownAnswers, questions: readonly SettledQuestion[]): KnownAnswers {
  const news = questions.flatMap(({ id, answer }) => {
    if (!answer) return [];
    const { via, ...shown } = answer;
    const before = known.get(id);
    const isSame = before !== undefined && isSameAnswer(before, shown);
    if (isSame && before.at === shown.at && before.by?.id === shown.by?.id) return [];
    const isFresh = isSame && (before.isFresh || before.by === undefined);
    const place = via !== undefined && !chatTransports.has(via) && { via };
    return [[id, { ...shown, ...place, ...(isFresh && { isFresh }) }] as const];
  });
  return news.length === 0 ? known : new Map([...known, ...news]);
}

/** Those of the chat itself: there, only another place is worth a word. */
const chatTransports: ReadonlySet<string> = new Set(['sse', 'bidi']);

function isSameAnswer(known: KnownAnswer, { approved, reason, option, input }: KnownAnswer): boolean {
  const isSameChoice = known.approved === approved && known.option?.id === option?.id;
  // This page does not know the whole arguments of an option, nor the reason that comes with it.
  if (option) return isSameChoice;
  return isSameChoice && known.reason === reason && isSameJson(known.input, input);
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
