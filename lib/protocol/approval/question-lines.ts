import type { PersonJson } from '../wire/person.ts';
import type { AnswerJson, QuestionJson } from '../wire/question.ts';

/** How a page, a message or a terminal writes what is in a sentence. All results are harmless texts. */
export type Wording = {
  /** The name of a person. */
  readonly person: (person: PersonJson) => string;
  /** Who answered: "Ada", or "Ada for Ben" if Ben had delegated the right to Ada. */
  readonly answerer: (answer: { readonly by: PersonJson; readonly onBehalfOf?: PersonJson }) => string;
  /** A time. @param at ISO 8601 */
  readonly moment: (at: string) => string;
  /** A text of a person, a model or a setting, with its invisible characters made visible. */
  readonly text: (text: string) => string;
};

type GivenAnswer = Pick<AnswerJson, 'approved' | 'by' | 'onBehalfOf'>;

/** The parts of a question that lines are made of. */
export type DescribedQuestion = Pick<QuestionJson, 'state'> &
  Partial<Pick<QuestionJson, 'id' | 'plugins' | 'hasAnswered' | 'editedBy' | 'droppedAnswers'>> & {
    readonly answers?: readonly GivenAnswer[] | undefined;
    readonly answer?: GivenAnswer | undefined;
  };

/**
 * What a plugin says about a question, in sentences; none for a question that it does not concern. Cards, rows of the
 * inbox, pages of links, messages and the command line show them.
 *
 * @source ADR 0056
 */
export type QuestionLines = (question: DescribedQuestion, wording: Wording) => readonly string[];
