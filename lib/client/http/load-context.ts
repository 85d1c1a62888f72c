import { isRecord } from '../../protocol/json.ts';
import { questionSchema } from '../../protocol/wire/question.ts';
import { type ContextJson, contextSchema } from '../../protocol/wire/question-context.ts';
import type { Question } from '../question.ts';
import { fetchApproval } from './fetch-approval.ts';
import { readWire, tolerant } from './read-wire.ts';

const readableContext = tolerant(contextSchema);
const readablePlugins = tolerant(questionSchema.pick({ plugins: true }));

/** Why a question is asked, and what plugins say of it, as far as this person may know. @source ADR 0015 */
export type LoadedContext = Partial<ContextJson> & NonNullable<ReturnType<typeof pluginsIn>>;

/** Loads why a question is asked; nothing if this person may not know. */
export type LoadContext = (question: Question) => Promise<LoadedContext | undefined>;

/**
 * Requests it from the server, at `/api/approvals/{id}`.
 *
 * @throws Error with the server's message, or a network error
 * @source H9
 */
export const loadContext: LoadContext = async ({ id }) => {
  const value = await fetchApproval(id);
  const { context, approval } = isRecord(value) ? value : {};
  return { ...readWire(readableContext, context), ...pluginsIn(approval) };
};

function pluginsIn(approval: unknown) {
  return readWire(readablePlugins, approval);
}
