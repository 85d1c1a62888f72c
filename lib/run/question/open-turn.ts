import type { ChatHead } from '../../log/store/index.ts';
import { type Call, callOfQuestion, type Turn } from '../../log/turn/turn.ts';
import type { Question } from '../../protocol/index.ts';
import type { EngineParts } from '../engine-parts.ts';

export async function openTurnOf(
  { store, readTurn }: Pick<EngineParts, 'store' | 'readTurn'>,
  { id, chatId }: Question,
): Promise<{ readonly head: ChatHead; readonly turn: Turn; readonly call: Call } | undefined> {
  const head = await store.chats.head(chatId);
  if (!head || head.open !== id) return undefined;
  const turn = await readTurn(head);
  const call = callOfQuestion(turn, id);
  return call?.asked && !call.answered && !call.withdrawn ? { head, turn, call } : undefined;
}
