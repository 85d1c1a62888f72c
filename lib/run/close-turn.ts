import { turnWith } from '../log/turn/fold-turn.ts';
import { type Call, calls, type Turn } from '../log/turn/turn.ts';
import type { EventBody, WithdrawalReason } from '../protocol/index.ts';
import { type ClosingReason, closeAgent } from './agent/close-agent.ts';
import { unknownOutcome } from './call/execute-call.ts';
import { cancelled } from './step/call-end.ts';

/** The texts for the model and for people. */
const reasons: Record<ClosingReason, { denied: string; cancelled: string }> = {
  superseded: {
    denied: 'superseded: the user sent a new message instead of answering.',
    cancelled: 'Not run: the user sent a new message first.',
  },
  cancelled: {
    denied: 'cancelled: the user stopped the turn instead of answering.',
    cancelled: 'Not run: the user stopped the turn.',
  },
  failed: {
    denied: 'cancelled: the turn failed before an answer was given.',
    cancelled: 'Not run: the turn failed first.',
  },
};

/**
 * Settles everything a turn leaves open, so that the model can continue. Calls that never ran are recorded as such.
 *
 * @source T16, H7
 */
export function closeTurn(turn: Turn, reason: ClosingReason): EventBody[] {
  const open = calls(turn).filter((call) => !call.end);
  const settled = [
    ...keepPartialText(turn),
    ...open.filter((call) => !call.agentSteps).flatMap((call) => closeCall(call, reason)),
  ];
  // A nested subagent ends first, so that the result of the outer one includes its outcome.
  const working = open.filter((call) => call.agentSteps).reverse();
  for (const call of working) settled.push(closeAgent(turnWith(turn, settled), call, reason));
  return settled;
}

/** Closes calls that are open although the model is finished: unreported ones of a provider or a subagent. */
export function closeUnreported(turn: Turn): EventBody[] {
  return calls(turn)
    .filter((call) => !call.end)
    .flatMap((call) => {
      const { executor, parent } = call.requested;
      if (parent !== undefined) return closeCall(call, 'failed');
      return executor === 'provider' ? [unknownOutcome(call, 'the provider reported no result.')] : [];
    });
}

function keepPartialText(turn: Turn): EventBody[] {
  const step = turn.steps.at(-1);
  if (!step || step.finished || step.partial.length === 0) return [];
  const content = step.partial.map(({ text }) => ({ type: 'text' as const, text }));
  const messages = [{ role: 'assistant' as const, content }];
  return [{ type: 'step-finished', step: step.step, messages, finishReason: 'other', usage: {} }];
}

/** The events that settle one call early; none if it has ended. @see closeTurn */
export function closeCall(call: Call, reason: ClosingReason): EventBody[] {
  if (call.end) return [];
  const { asked, answered, withdrawn, started, requested } = call;
  const { toolCallId } = requested;
  if (started) return [unknownOutcome(call, 'the run ended while it ran.')];
  if (asked && !answered) {
    const withdrawal: WithdrawalReason = reason === 'superseded' ? 'superseded' : 'cancelled';
    const why = { toolCallId, reason: withdrawal };
    const modelOutput = { type: 'execution-denied' as const, reason: reasons[reason].denied };
    const denial: EventBody = { type: 'tool-denied', ...why, withdrawn: withdrawal, modelOutput };
    return withdrawn
      ? [denial]
      : [{ type: 'approval-withdrawn', approvalId: asked.approvalId, ...why }, denial];
  }
  return [cancelled(toolCallId, reasons[reason].cancelled)];
}
