import type { ChatHead } from '../../log/store/index.ts';
import { questionOf } from '../../log/turn/question.ts';
import type { Call } from '../../log/turn/turn.ts';
import type { Question, RunId } from '../../protocol/index.ts';
import type { DueQuestion } from './question-due.ts';

/** The question that an event would ask, before it is recorded. */
export function expectedQuestion(
  call: Call,
  due: DueQuestion,
  chat: Pick<ChatHead, 'id' | 'ownerId'>,
): Question | undefined {
  return questionOf({ ...call, asked: { ...due, seq: 0, at: 0, runId: '' as RunId } }, chat);
}
