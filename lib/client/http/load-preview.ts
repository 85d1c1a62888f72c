import { parsePreviewed, type Question } from '../question.ts';
import { fetchApproval } from './fetch-approval.ts';

/** What a question shows for certain arguments: its sentence, and the effect if the tool has a preview. */
export type PreviewedCall = Pick<Question, 'description' | 'preview'>;

/**
 * Loads what a question shows now, or with edited arguments. Rejects with the server's message, or a network
 * error.
 *
 * @param input edited arguments; default: those of the question, whose effect is determined again if it is old
 */
export type LoadPreview = (question: Question, input?: unknown) => Promise<PreviewedCall>;

/**
 * Requests it from the server, at `/api/approvals/{id}/preview`.
 *
 * @throws Error with the server's message, or a network error
 * @source H10
 */
export const loadPreview: LoadPreview = async ({ id }, input) => {
  const previewed = parsePreviewed(await fetchApproval(id, '/preview', { input }));
  if (!previewed) throw new Error('The server sent no preview.');
  return previewed;
};
