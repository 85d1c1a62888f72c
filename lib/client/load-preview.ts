import { fetchApproval } from './fetch-approval.ts';
import { type Question, questionSayings } from './question.ts';

/** What a question says with certain arguments: its sentence, and the effect if the tool has a preview. */
export type QuestionSayings = Pick<Question, 'description' | 'preview'>;

/**
 * Gets what a question says now, or with edited arguments. Rejects with the server's words, or what the network throws.
 *
 * @param input edited arguments; default: those of the question, whose effect is determined again if it is old
 */
export type LoadPreview = (question: Question, input?: unknown) => Promise<QuestionSayings>;

/**
 * Asks the server, at `/api/approvals/{id}/preview`.
 *
 * @throws Error with the server's words, or what the network throws
 * @source H10
 */
export const loadPreview: LoadPreview = async ({ id }, input) => {
  const sayings = questionSayings(await fetchApproval(id, '/preview', { input }));
  if (!sayings) throw new Error('The server sent no preview.');
  return sayings;
};
