import { agentTurn, type Call, ownCalls, ownName, type Turn } from '../../log/turn/turn.ts';
import type { EventBody } from '../../protocol/index.ts';

/** Why a turn is closed early. */
export type ClosingReason = 'superseded' | 'cancelled' | 'failed';

const reasons: Record<ClosingReason, string> = {
  superseded: 'Not finished: the user sent a new message first.',
  cancelled: 'Not finished: the user stopped the turn.',
  failed: 'Not finished: the turn failed first.',
};

/**
 * Ends the call of a subagent that is at work. The model that called it learns what came of the subagent's calls, because
 * they may have had effects.
 *
 * @param turn in which the subagent's calls have ended
 * @source ADR 0035
 */
export function closeAgent(turn: Turn, call: Call, why: ClosingReason): EventBody {
  const reason = reasons[why];
  const ends = ownCalls(agentTurn(turn, call)).filter((own) => !own.replacedBy);
  const came = ends.map((own) => `- ${ownName(own.requested)}${inputOf(own)}: ${outcomeOf(own)}`);
  const value = came.length === 0 ? reason : [`${reason} Its calls:`, ...came].join('\n');
  return {
    type: 'tool-cancelled',
    toolCallId: call.requested.toolCallId,
    reason,
    modelOutput: { type: 'error-text', value },
  };
}

/** The arguments that it ran with, unless a part of them is secret. */
function inputOf({ requested, answered, started }: Call): string {
  if (requested.secrets) return '';
  return ` ${JSON.stringify(started?.input ?? answered?.input ?? requested.input)}`;
}

function outcomeOf({ end }: Call): string {
  switch (end?.type) {
    case 'tool-completed':
      return 'completed';
    case 'tool-failed':
      return end.outcome === 'unknown' ? 'outcome unknown' : 'failed';
    case 'tool-denied':
      return 'denied';
    default:
      return 'not finished';
  }
}
