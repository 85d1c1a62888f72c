import type { Question } from '../../../client/question.ts';
import { isRecord } from '../../../protocol/json.ts';

/** Gets the JSON Schema of a question's arguments; anything that is no schema is edited as JSON text. */
export type LoadInputSchema = (question: Question) => Promise<unknown>;

/**
 * Asks the server for it, at `/api/approvals/{id}`.
 *
 * @throws Error with the server's words, or what the network throws
 * @source contract H9
 */
export const loadInputSchema: LoadInputSchema = async ({ id }) => {
  const response = await fetch(`/api/approvals/${encodeURIComponent(id)}`, { cache: 'no-store' });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value.inputSchema : undefined;
};
