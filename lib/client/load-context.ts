import { isRecord } from '../protocol/json.ts';
import { type ContextJson, contextSchema } from '../protocol/wire/question-context.ts';
import { fetchApproval } from './fetch-approval.ts';
import type { Question } from './question.ts';
import { readWire, tolerant } from './read-wire.ts';

/** Gets why a question is asked; nothing if this person may not know. */
export type LoadContext = (question: Question) => Promise<ContextJson | undefined>;

const readableContext = tolerant(contextSchema);

/**
 * Asks the server, at `/api/approvals/{id}`.
 *
 * @throws Error with the server's words, or what the network throws
 * @source H9
 */
export const loadContext: LoadContext = async ({ id }) => {
  const value = await fetchApproval(id);
  return readWire(readableContext, isRecord(value) ? value.context : undefined);
};
