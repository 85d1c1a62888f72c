import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError } from '../protocol/errors/errors.ts';
import { type ChatId, errorFacts, type Logger, type Principal, type RunId } from '../protocol/index.ts';
import { callForClient, createTurnReader, type TurnItem } from '../views/reader/read-turn.ts';

const noApprovals = 'This client cannot ask for approval.';
const noTools = 'This client runs no tools.';

/** A client of a dialect that lacks an ability. */
export type LimitedClient = {
  readonly principal: Principal;
  readonly chatId: ChatId;
  /** The run that begins the turn. */
  readonly runId: RunId;
  /** Recorded as the channel of the answers. */
  readonly via: string;
  /** Whether the client shows questions to a person. Client calls fail in any case. */
  readonly asks: boolean;
  readonly logger?: Logger;
};

/**
 * Answers for a client that cannot, until its turn ends, whether the client still reads or not: client calls are denied
 * or fail, and, if the client shows no questions, questions are denied. Otherwise such a turn would never end. This stops
 * when the process ends. Prefer `options.unsupportedByClient` when a turn begins: it is in the log, so such calls fail in every process.
 *
 * @source A25
 */
export async function answerForClient(flow: ApprovalFlow, client: LimitedClient): Promise<void> {
  const { principal, chatId, runId, asks, logger } = client;
  try {
    const tools = await flow.tools.list();
    if (asks && tools.every(({ executor }) => executor !== 'client')) return;
    const stream = await flow.chats.follow({ chatId, principal, runId, until: 'turn' });
    const readEvent = createTurnReader(stream?.view);
    for await (const event of stream?.events ?? []) {
      await answer(flow, client, readEvent(event)).catch((error: unknown) => {
        // Another person answered first, which ends the wait as well.
        if (!CountersignError.is(error)) throw error;
      });
    }
  } catch (error) {
    logger?.error('A turn may wait for something that its client cannot do.', {
      chatId,
      error: errorFacts(error),
    });
  }
}

async function answer(
  flow: ApprovalFlow,
  { principal, chatId, via, asks }: LimitedClient,
  item: TurnItem,
): Promise<void> {
  const { event, call } = item;
  if (event.type === 'approval-requested') {
    // No decision is needed about a call that this client could not execute.
    const isClientCall = call?.requested.executor === 'client';
    if (asks && !isClientCall) return;
    const reason = isClientCall ? noTools : noApprovals;
    await flow.approvals.answer({ approvalId: event.approvalId, principal, approved: false, reason, via });
    return;
  }
  if (event.type !== 'run-suspended' && event.type !== 'approval-answered') return;
  const waiting = callForClient(item.turn);
  if (!waiting) return;
  const outputs = [{ toolCallId: waiting.requested.toolCallId, errorText: noTools }];
  const stream = await flow.chats.respond({ chatId, principal, trigger: 'submit-message', outputs, via });
  await stream.events.cancel();
}
