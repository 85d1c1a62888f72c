import { isRecord } from '../../protocol/json.ts';
import { fetchApproval } from '../fetch-approval.ts';
import type { Question } from '../question.ts';

/** Gets the JSON Schema of a question's arguments; anything that is no schema is edited as JSON text. */
export type LoadInputSchema = (question: Question) => Promise<unknown>;

/**
 * Asks the server for it, at `/api/approvals/{id}`.
 *
 * @throws Error with the server's words, or what the network throws
 * @source H9
 */
export const loadInputSchema: LoadInputSchema = async ({ id }) => {
  const value = await fetchApproval(id);
  return isRecord(value) ? value.inputSchema : undefined;
};
