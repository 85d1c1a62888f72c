import type { UIMessageChunk } from 'ai';
import type { ChatRequest } from '../../server/requests/chat-request.ts';
import { isQuestion } from '../response-timing/chunk-kinds.ts';
import type { AskedCall, Exchange } from './misbehaviour.ts';

type Known = Pick<Exchange, 'turn' | 'isRepeated' | 'sentSince' | 'questions'>;

/** A backend's memory of one chat. It shows which response of a turn comes next. */
export type ChatMemory = {
  /** Records a request. `undo` reverts that, when the request was refused. */
  receive(request: ChatRequest): Known & { undo(): void };
  /** Records a response. */
  send(chunks: readonly UIMessageChunk[], isRepeated: boolean): void;
};

/** An empty memory. */
export function chatMemory(): ChatMemory {
  const questions = new Map<string, AskedCall>();
  /** For each answer, the number of earlier responses of its turn. */
  const answered = new Map<string, number>();
  let turn: (readonly UIMessageChunk[])[] = [];
  return {
    receive({ message, trigger, answers = [] }) {
      const ids = answers.map(({ approvalId }) => String(approvalId));
      const fresh = ids.filter((id) => !answered.has(id));
      // Recorded immediately, because two copies of an answer may arrive concurrently.
      for (const id of fresh) answered.set(id, turn.length);
      const before = turn;
      const begins = message !== undefined || trigger === 'regenerate-message';
      if (begins) turn = [];
      const isRepeated = !begins && ids.length > 0 && fresh.length === 0;
      return {
        turn,
        questions,
        isRepeated,
        sentSince: isRepeated ? turn.slice(Math.min(...ids.map((id) => answered.get(id) ?? 0))) : [],
        undo() {
          turn = before;
          for (const id of fresh) answered.delete(id);
        },
      };
    },
    send(chunks, isRepeated) {
      for (const { approvalId, toolCallId } of chunks.filter(isQuestion)) {
        const shown = chunks.find(
          (chunk) => chunk.type === 'tool-input-available' && chunk.toolCallId === toolCallId,
        );
        questions.set(approvalId, { toolCallId, input: shown && 'input' in shown ? shown.input : undefined });
      }
      if (!isRepeated) turn.push(chunks);
    },
  };
}
