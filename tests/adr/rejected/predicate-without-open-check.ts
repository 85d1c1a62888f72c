import type { UIMessage } from 'ai';
import { isAnswered, isStepMark, lastAssistantParts } from '../../../lib/protocol/parts.ts';

/**
 * Rejected: an answer is sent as soon as it is there, whether or not another question waits. All else is as it is in
 * the SSE predicate, for messages with step marks.
 */
export function sendAnyAnswer(question: { messages: UIMessage[] }): boolean {
  const parts = lastAssistantParts(question);
  return parts.slice(parts.findLastIndex(isStepMark) + 1).some(isAnswered);
}
