import { isRecord } from '../../protocol/json.ts';
import type { ContextJson } from '../../protocol/wire/question-context.ts';
import type { Question } from '../question.ts';
import { questionFields } from '../read-question.ts';
import { fetchApproval } from './fetch-approval.ts';
import { flag, object, optional, text } from './read-wire.ts';

const readContext = object<ContextJson>({
  message: optional(text),
  said: optional(text),
  maySeeChat: flag,
});
const readPlugins = object<Pick<Question, 'plugins'>>({ plugins: questionFields.plugins });

/** Why a question is asked, and what plugins say of it, as far as this person may know. @source ADR 0015 */
export type LoadedContext = Partial<ContextJson> & Pick<Question, 'plugins'>;

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
  return { ...readContext(context), ...readPlugins(approval) };
};
