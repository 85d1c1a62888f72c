import type { Pauses } from '../../log/flow-log/pauses.ts';
import type { FlowStore } from '../../log/store/index.ts';
import type { Question } from '../../protocol/index.ts';
import { mapInParallel } from '../../rights/map-in-parallel.ts';
import type { QuestionMarks } from '../../rights/question-rights.ts';

const markedAtOnce = 8;

type OutdatedMarks = {
  markOf(question: Question): Promise<QuestionMarks>;
  marksOf(questions: readonly Question[]): Promise<QuestionMarks[]>;
};

/** Marks questions for readers: outdated, or of a paused tool. */
export function createQuestionMarks(
  store: Pick<FlowStore, 'chats'>,
  pauses: Pick<Pauses, 'of' | 'ready'>,
  outdated: OutdatedMarks,
) {
  async function pausedMark({ id, chatId, state, toolName }: Question): Promise<QuestionMarks> {
    const pause = state === 'open' ? pauses.of(toolName) : undefined;
    if (!pause) return {};
    // A reader at an older place in the log may see a settled question as open.
    return (await store.chats.head(chatId))?.open === id ? { paused: { reason: pause.reason } } : {};
  }

  return {
    async markOf(question: Question): Promise<QuestionMarks> {
      await pauses.ready();
      return { ...(await outdated.markOf(question)), ...(await pausedMark(question)) };
    },
    async marksOf(questions: readonly Question[]): Promise<QuestionMarks[]> {
      await pauses.ready();
      const marks = await outdated.marksOf(questions);
      const paused = await mapInParallel(questions, markedAtOnce, pausedMark);
      return questions.map((_, index) => ({ ...marks[index], ...paused[index] }));
    },
  };
}

export type QuestionMarker = ReturnType<typeof createQuestionMarks>;
