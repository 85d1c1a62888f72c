import { agentTurn, type Call, ownCalls, type Turn } from '../../log/turn/turn.ts';
import type { EventBody } from '../../protocol/index.ts';

/** Why a turn is closed early. */
export type ClosingReason = 'superseded' | 'cancelled' | 'failed';

const reasons: Record<ClosingReason, string> = {
  superseded: 'Not finished: the user sent a new message first.',
  cancelled: 'Not finished: the user stopped the turn.',
  failed: 'Not finished: the turn failed first.',
};

/** Ends the call of a working subagent, with the outcomes of its calls, which may have had effects. @source ADR 0035 */
export function closeAgent(turn: Turn, call: Call, why: ClosingReason): EventBody {
  const reason = reasons[why];
  const { toolCallId } = call.requested;
  return { type: 'tool-cancelled', toolCallId, reason, modelOutput: withCalls(turn, call, reason) };
}

/** What the calling model gets for a subagent that did not complete: a sentence, and the subagent's calls. */
export function withCalls(turn: Turn, call: Call, sentence: string) {
  const path = `${call.requested.toolName}/`;
  const nameOf = ({ requested }: Call) => requested.toolName.slice(path.length);
  const came = callsWithin(turn, call).map((own) => `- ${nameOf(own)}${inputOf(own)}: ${outcomeOf(own)}`);
  const value = came.length === 0 ? sentence : [`${sentence} Its calls:`, ...came].join('\n');
  return { type: 'error-text' as const, value };
}

/** The calls of a subagent, each followed by those of its own subagent. */
function callsWithin(turn: Turn, call: Call): Call[] {
  const own = ownCalls(agentTurn(turn, call)).filter(({ replacedBy }) => !replacedBy);
  return own.flatMap((one) => [one, ...callsWithin(turn, one)]);
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
