import type { Call, Turn } from './turn.ts';

/**
 * How often a call was asked about again because it had no answer. Such a call only runs if a person approves it: not by a
 * rule of the gate, and not by a remembered approval, because otherwise time would have approved it.
 *
 * @source ADR 0048.9
 */
export function timesUnanswered(turn: Turn, { requested: { replaces } }: Call): number {
  const before = replaces && turn.calls.get(replaces);
  if (!before) return 0;
  return timesUnanswered(turn, before) + (before.withdrawn?.reason === 'asked-again' ? 1 : 0);
}
