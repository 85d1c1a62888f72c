import type { UIMessageChunk } from 'ai';
import { factsFor } from './chunks/call-chunks.ts';
import type { TurnItem } from './reader/read-turn.ts';

const words = 'Stopped here: the assistant reached its limit of steps for one message.';

/**
 * What every stream says at the end of a turn that a limit of steps ended: the model would have continued. The model does not see
 * it. The request of an agent has one step, and ends as it should.
 *
 * @returns `undefined` for every other event
 * @source A14, T16
 */
function stepLimitText({ event, turn }: Pick<TurnItem, 'event' | 'turn'>): string | undefined {
  if (event.type !== 'run-completed' || event.why !== 'step-limit') return undefined;
  return turn.options?.agentRequest ? undefined : words;
}

/** The same as the last piece of a turn's text. @param hasText whether the turn has any */
export function stepLimitDelta(item: Pick<TurnItem, 'event' | 'turn'>, hasText: boolean): string | undefined {
  const text = stepLimitText(item);
  return text !== undefined && hasText ? `\n\n${text}` : text;
}

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
