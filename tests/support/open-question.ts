import { isToolUIPart, type UIMessage } from 'ai';

/**
 * The id of the one question that waits in the last message.
 *
 * @throws Error when there is none, or more than one: questions are asked one at a time
 */
export function openQuestion(messages: readonly UIMessage[]): string {
  const open = openQuestions(messages);
  const [id] = open;
  if (id === undefined || open.length > 1) throw new Error(`${open.length} questions are open.`);
  return id;
}

/** The ids of all questions that wait in the last message. */
export function openQuestions(messages: readonly UIMessage[]): string[] {
  const parts = messages.at(-1)?.parts.filter(isToolUIPart) ?? [];
  return parts.flatMap((part) => (part.state === 'approval-requested' ? [part.approval.id] : []));
}
