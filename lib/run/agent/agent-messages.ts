import type { ModelMessage } from 'ai';
import { agentTurn, type Call, type Turn } from '../../log/turn/turn.ts';
import { turnMessages } from '../../views/model-messages.ts';

/** The messages of a subagent's model, without the rest of the chat. @param before the step before which the list ends */
export function agentMessages(turn: Turn, call: Call, before?: number): ModelMessage[] {
  return [{ role: 'user', content: call.prompt ?? '' }, ...turnMessages(agentTurn(turn, call), before)];
}
