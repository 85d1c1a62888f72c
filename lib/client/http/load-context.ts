import { isRecord } from '../../protocol/json.ts';
import { eligibleSchema } from '../../protocol/wire/eligible.ts';
import { type ContextJson, contextSchema } from '../../protocol/wire/question-context.ts';
import type { Person, Question } from '../question.ts';
import { fetchApproval } from './fetch-approval.ts';
import { readWire, tolerant } from './read-wire.ts';

/**
 * Why a question is asked, and who may answer it, as far as this person may know.
 *
 * @source ADR 0015, ADR 0049
 */
export type LoadedContext = Partial<ContextJson> & {
  readonly eligible?: readonly Person[];
  /** There may be more than these people. */
  readonly othersEligible?: true;
};

/** Loads why a question is asked; nothing if this person may not know. */
export type LoadContext = (question: Question) => Promise<LoadedContext | undefined>;

const readableContext = tolerant(contextSchema);
const readablePeople = tolerant(eligibleSchema);

/**
 * Requests it from the server, at `/api/approvals/{id}`.
 *
 * @throws Error with the server's message, or a network error
 * @source H9
 */
export const loadContext: LoadContext = async ({ id }) => {
  const value = await fetchApproval(id);
  return {
    ...readWire(readableContext, isRecord(value) ? value.context : undefined),
    ...readWire(readablePeople, value),
  };
};
