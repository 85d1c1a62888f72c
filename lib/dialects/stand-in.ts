import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { applyToTurn, type Call, emptyTurn, isCleared, type Turn } from '../log/turn.ts';
import {
  type ChatId,
  errorFacts,
  type FlowEvent,
  type Logger,
  type Principal,
  type RunId,
} from '../protocol/index.ts';
import { isCountersignError } from '../server/errors.ts';

const noApprovals = 'This client cannot ask for approval.';
const noTools = 'This client runs no tools.';

/**
 * Does for a client what it cannot do, to the end of its turn, whether it still reads or not: calls that it would have
 * to execute are denied or fail, and, for one that shows no questions, questions are denied. Without it such a turn
 * would never end.
 *
 * @source contract A25
 */
export async function standIn(
  flow: ApprovalFlow,
  client: {
    readonly principal: Principal;
    readonly chatId: ChatId;
    readonly runId: RunId;
    readonly via: string;
    readonly asks: boolean;
    readonly logger?: Logger;
  },
): Promise<void> {
  const { principal, chatId, runId, via, asks, logger } = client;

  async function act(turn: Turn, event: FlowEvent): Promise<void> {
    if (event.type === 'approval-requested') {
      const { approvalId, toolCallId } = event;
      // Nobody needs to decide about what this client could not do.
      const isClients = turn.calls.get(toolCallId)?.requested.executor === 'client';
      if (asks && !isClients) return;
      const reason = isClients ? noTools : noApprovals;
      await flow.answer({ approvalId, principal, approved: false, reason, via });
      return;
    }
    const call = handedOver(turn, event);
    if (!call) return;
    const { toolCallId } = call.requested;
    const outputs = [{ toolCallId, errorText: noTools }];
    const stream = await flow.respond({ chatId, principal, trigger: 'submit-message', outputs, via });
    await stream.events.cancel();
  }

  try {
    const tools = await flow.tools();
    if (asks && tools.every(({ executor }) => executor !== 'client')) return;
    const stream = await flow.follow({ chatId, principal, runId, until: 'turn' });
    const turn = emptyTurn();
    for await (const event of stream?.events ?? []) {
      applyToTurn(turn, event);
      await act(turn, event).catch((error: unknown) => {
        // Somebody else was first, which serves as well.
        if (!isCountersignError(error)) throw error;
      });
    }
  } catch (error) {
    logger?.error('A turn may wait for what its client cannot do.', { chatId, error: errorFacts(error) });
  }
}

/** The call that waits for the client from this event on. */
function handedOver({ waitsFor }: Turn, event: FlowEvent): Call | undefined {
  if (event.type !== 'run-suspended' && event.type !== 'approval-answered') return undefined;
  if (waitsFor?.requested.executor !== 'client' || waitsFor.end) return undefined;
  return isCleared(waitsFor) ? waitsFor : undefined;
}
