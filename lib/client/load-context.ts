import { isRecord } from '../protocol/json.ts';
import { type ContextJson, contextSchema } from '../protocol/wire/question-context.ts';
import { fetchApproval } from './fetch-approval.ts';
import type { Question } from './question.ts';
import { readWire, tolerant } from './read-wire.ts';

/** Loads why a question is asked; nothing if this person may not know. */
export type LoadContext = (question: Question) => Promise<ContextJson | undefined>;

const readableContext = tolerant(contextSchema);

/**
 * Requests it from the server, at `/api/approvals/{id}`.
 *
 * @throws Error with the server's message, or a network error
 * @source H9
 */
export const loadContext: LoadContext = async ({ id }) => {
  const value = await fetchApproval(id);
  return readWire(readableContext, isRecord(value) ? value.context : undefined);
};
