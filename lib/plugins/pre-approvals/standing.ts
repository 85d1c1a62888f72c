import { earlyApproval } from '../../log/turn/early-approval.ts';
import { type Call, calls, type Turn } from '../../log/turn/turn.ts';
import type { EarlyApproval } from '../../protocol/events/plugin-events.ts';
import type { Risk } from '../../protocol/index.ts';

/** The name of the plugin, in settings and in events. */
export const pluginName = 'preApprovals';

/** What the plugin records of an approval for itself. */
export type GivenData = { readonly risk?: Risk };

/**
 * A call's pre-approval, while it is valid: until the call's question is due, the
 * approval is revoked, or another call of the turn does not complete. A denial by the same person does not
 * count, because this person knows about both.
 *
 * @source ADR 0041
 */
export function standingPreApproval(
  turn: Turn,
  call: Call,
): { readonly approval: EarlyApproval; readonly risk: Risk | undefined; readonly at: number } | undefined {
  if (call.asked || call.granted || call.end) return undefined;
  const given = earlyApproval(pluginName, call);
  if (!given) return undefined;
  const { approval, event } = given;
  if (calls(turn).some((other) => isSetback(other, event.seq, approval))) return undefined;
  const { risk }: GivenData = Object(event.data);
  return { approval, risk, at: event.at };
}

function isSetback({ end, answered }: Call, seq: number, { by }: EarlyApproval): boolean {
  if (!end || end.seq < seq || end.type === 'tool-completed') return false;
  return end.type !== 'tool-denied' || answered?.by.id !== by.id;
}
