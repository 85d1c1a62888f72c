import type { UIMessageChunk } from 'ai';
import type { TurnItem } from '../reader/read-turn.ts';
import { stepLimitText } from '../step-limit.ts';
import { factsFor } from './call-chunks.ts';

/** A text at the end of a turn that a limit of steps ended. @param placed true where parts have places @source T3, T16 */
export function limitChunks(item: Pick<TurnItem, 'event' | 'turn'>, placed: boolean): UIMessageChunk[] {
  const delta = stepLimitText(item);
  if (delta === undefined) return [];
  const { seq } = item.event;
  const id = `step-limit.${seq}`;
  return [
    { type: 'text-start', id, ...factsFor({ position: placed ? seq : undefined }) },
    { type: 'text-delta', id, delta },
    { type: 'text-end', id },
  ];
}
