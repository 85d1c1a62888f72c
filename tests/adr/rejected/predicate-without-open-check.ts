import type { UIMessage } from 'ai';
import { isAnswered, isStepMark, lastAssistantParts } from '../../../lib/protocol/parts.ts';

/**
 * Rejected: an answer is sent immediately, even if another question is open. Everything else is as in the SSE
 * predicate, for messages with step marks.
 */
export function sendAnyAnswer(question: { messages: UIMessage[] }): boolean {
  const parts = lastAssistantParts(question);
  return parts.slice(parts.findLastIndex(isStepMark) + 1).some(isAnswered);
}
