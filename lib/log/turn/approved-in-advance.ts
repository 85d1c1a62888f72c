import type { EventOf } from '../../protocol/index.ts';
import { type Call, calls, type Turn } from './turn.ts';

type Advance = EventOf<'advance-approved'>;

/**
 * A call's pre-approval, while it is valid: until the call's question is due, the
 * approval is revoked, or another call of the turn does not complete. A denial by the same person does not
 * count, because this person knows about both.
 *
 * @source ADR 0041
 */
export function standingAdvance(turn: Turn, call: Call): Advance | undefined {
  const { advance, asked, granted, end } = call;
  if (!advance || asked || granted || end) return undefined;
  return calls(turn).some((other) => isSetback(other, advance)) ? undefined : advance;
}

function isSetback({ end, answered }: Call, { seq, by }: Advance): boolean {
  if (!end || end.seq < seq || end.type === 'tool-completed') return false;
  return end.type !== 'tool-denied' || answered?.by.id !== by.id;
}
