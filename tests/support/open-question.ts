import type { UIMessage } from 'ai';
import { openQuestions } from 'countersign/testing';

/**
 * The id of the only open question in the last message.
 *
 * @throws Error if there is none, or more than one: questions are asked one at a time
 */
export function openQuestion(messages: readonly UIMessage[]): string {
  const open = openQuestions(messages);
  const id = open[0]?.approvalId;
  if (id === undefined || open.length > 1) throw new Error(`${open.length} questions are open.`);
  return id;
}
