import type { UIMessage } from 'ai';
import { hasText, isAnswered, isOpen, lastAssistantParts } from '../../../lib/protocol/parts.ts';

/** Rejected: text after an answered part is always the reply to it. */
export function sendUnlessTextFollows(question: { messages: UIMessage[] }): boolean {
  const parts = lastAssistantParts(question);
  const last = parts.findLastIndex(isAnswered);
  return last !== -1 && !parts.slice(last + 1).some(hasText) && !parts.some(isOpen);
}
