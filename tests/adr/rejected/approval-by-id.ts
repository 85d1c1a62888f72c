import type { Question } from '../../../lib/protocol/index.ts';

/** The rejected check: an approval holds for the call that its question was asked about, whatever the tool is by now. */
export function holdsById(question: Pick<Question, 'id' | 'state'>, approvalId: string): boolean {
  return question.id === approvalId && question.state === 'open';
}
