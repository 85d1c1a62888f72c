import { fetchApproval } from '../../../client/http/fetch-approval.ts';
import type { Question } from '../../../client/question.ts';
import { isRecord } from '../../../protocol/json.ts';

/** Gets the JSON Schema of a question's arguments. Without a valid schema, they are edited as JSON text. */
export type LoadInputSchema = (question: Question) => Promise<unknown>;

/**
 * Requests it from the server, at `/api/approvals/{id}`.
 *
 * @throws Error with the server's message, or a network error
 * @source H9
 */
export const loadInputSchema: LoadInputSchema = async ({ id }) => {
  const value = await fetchApproval(id);
  return isRecord(value) ? value.inputSchema : undefined;
};
