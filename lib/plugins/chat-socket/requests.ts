import { beginTurn } from '../../dialects/begin-turn.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import {
  type ChatId,
  CountersignError,
  type Principal,
  parseApprovalId,
  parseToolCallId,
} from '../../protocol/index.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import type { ClientFrame, ServerFrameInput } from './client/schema.ts';

/**
 * Begins the turn of a message. A message that was sent before begins nothing: its stream is a replay.
 *
 * @throws CountersignError `not-found`, `run-active`, `invalid-request`
 * @source D1
 */
export async function beginMessage(
  flow: ApprovalFlow,
  principal: Principal,
  {
    frame,
    options,
    via,
  }: {
    readonly frame: Extract<ClientFrame, { type: 'message' }>;
    readonly options: { readonly callOptions?: unknown };
    readonly via: string;
  },
): Promise<{ chatId: ChatId; stream: FlowStream }> {
  const { content: text, conversation_id: named, client_message_id: messageId } = frame;
  return beginTurn(flow, {
    principal,
    text,
    chatId: named,
    messageId,
    ...options,
    unsupportedByClient: ['tools'],
    via,
  });
}

/**
 * Answers a question. The first answer counts.
 *
 * @returns the turn from the answer on; `null` when no run continues, or this principal may not read it
 * @throws CountersignError `already-answered`, `superseded`, `expired`, `not-found`, `forbidden`
 * @source D24
 */
export async function answerQuestion(
  flow: ApprovalFlow,
  principal: Principal,
  frame: Extract<ClientFrame, { type: 'tool_approval_response' }>,
  via: string,
): Promise<FlowStream | null> {
  const { approved, reason } = frame;
  const approvalId = parseApprovalId(frame.approval_id);
  const reasonField = reason ? { reason: reason.toWellFormed() } : {};
  const { chatId, runId } = await flow.approvals.answer({
    approvalId,
    principal,
    approved,
    ...reasonField,
    via,
  });
  return runId === undefined ? null : flow.chats.follow({ chatId, principal, runId, until: 'turn' });
}

/**
 * Ends one call of the turns that a socket reads.
 *
 * @throws CountersignError `not-found` when no such call is ongoing
 * @source D21
 */
export async function cancelCallIn(
  flow: ApprovalFlow,
  chats: readonly ChatId[],
  principal: Principal,
  id: string,
): Promise<void> {
  const toolCallId = parseToolCallId(id);
  for (const chatId of chats) {
    if (await flow.chats.cancelCall({ principal, chatId, toolCallId })) return;
  }
  throw new CountersignError('not-found', `No call ${toolCallId} goes on here.`, { toolCallId });
}

/**
 * Retries a failed call of a conversation that this socket has read.
 *
 * @throws CountersignError `not-found` when none of them has such a call; `run-active`, `invalid-request`
 * @source D22
 */
export async function retryCallIn(
  flow: ApprovalFlow,
  chats: readonly ChatId[],
  principal: Principal,
  id: string,
): Promise<FlowStream> {
  const toolCallId = parseToolCallId(id);
  for (const chatId of chats) {
    const stream = await flow.chats.retryCall({ principal, chatId, toolCallId, until: 'turn' });
    if (stream) return stream;
  }
  throw new CountersignError('not-found', `No conversation of this socket ends with a call ${toolCallId}.`, {
    toolCallId,
  });
}

/** The tools, for clients that ask. @source D20 */
export async function toolsFrame(flow: ApprovalFlow): Promise<ServerFrameInput> {
  const tools = (await flow.tools.list()).map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    input_schema: inputSchema,
  }));
  return { type: 'tools', tools };
}
