import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import {
  type AnswerRequest,
  type ChatId,
  type FlowEvent,
  type Principal,
  parseChatId,
  type RunOptions,
} from '../../../protocol/index.ts';
import { isCountersignError } from '../../../server/errors.ts';
import type { FlowStream } from '../../../views/flow-stream.ts';
import { refuseParam } from '../errors.ts';
import { chatOfId } from '../ids.ts';
import type { ReadInput } from './input.ts';
import type { ResponsesRequest } from './request-schema.ts';

/** Recorded as the channel of the answers. */
const via = 'responses';

/** A response to send: its chat, the turn's events, and the first one that belongs to it. */
export type Asked = {
  readonly chatId: ChatId;
  readonly stream: FlowStream;
  readonly begins: (event: FlowEvent) => boolean;
};

/**
 * The chat that a request continues: of `conversation`, of `previous_response_id`, or of any id of ours in its
 * input; `undefined`: it begins one.
 *
 * @throws CountersignError `invalid-request`, `not-found`
 * @source C15, C18, ADR 0014
 */
export function chatOfRequest(request: ResponsesRequest, input: ReadInput): ChatId | undefined {
  const { conversation, previous_response_id: previous } = request;
  if (conversation) return parseChatId(typeof conversation === 'string' ? conversation : conversation.id);
  if (!previous) return input.chatId;
  const chatId = chatOfId(previous);
  if (chatId) return chatId;
  throw refuseParam('not-found', 'previous_response_id', `There is no response ${previous}.`);
}

/**
 * Sends a request to the flow. A request with answers only must have the first answer: unlike elsewhere, a repeated
 * answer is refused.
 *
 * @param chatId the chat to continue; without it, `newChatId` is started
 * @throws CountersignError as `flow.respond` and `flow.answer`
 * @source C15, C18
 */
export async function ask(
  flow: ApprovalFlow,
  principal: Principal,
  input: ReadInput,
  chat: {
    readonly chatId?: ChatId;
    readonly newChatId: ChatId;
    readonly options: RunOptions;
    readonly callOptions?: unknown;
  },
): Promise<Asked> {
  const { message, outputs, answers } = input;
  const [answer] = answers;
  if (answer && !message && outputs.length === 0) return askAnswered(flow, principal, chat.chatId, answers);
  if (!message && answers.length === 0 && outputs.length === 0) {
    throw refuseParam(
      'invalid-request',
      'input',
      'The input holds no new user message, no answer and no output of a call.',
    );
  }
  if (!message && !chat.chatId) {
    throw refuseParam('invalid-request', 'input', 'No call of ours is known by the call_id of this output.');
  }
  const chatId = chat.chatId ?? chat.newChatId;
  const stream = await flow.respond({
    chatId,
    principal,
    trigger: 'submit-message',
    ...(message && { message }),
    answers,
    outputs,
    options: chat.options,
    ...(chat.callOptions !== undefined && { callOptions: chat.callOptions }),
    mustExist: chat.chatId !== undefined,
    via,
  });
  return { chatId, stream, begins: from(stream) };
}

/** Of a chat's questions one is open at a time, so of several answers at most one is the first to its question. */
async function askAnswered(
  flow: ApprovalFlow,
  principal: Principal,
  chatId: ChatId | undefined,
  answers: readonly AnswerRequest[],
): Promise<Asked> {
  const known = await Promise.all(
    answers.map(async (answer) => ({
      answer,
      question: await flow.approval({ principal, approvalId: answer.approvalId }),
    })),
  );
  const chosen = known.find(({ question }) => question.state === 'open') ?? known.at(-1);
  if (!chosen || (chatId !== undefined && chosen.question.chatId !== chatId)) {
    throw refuseParam('not-found', 'input', 'This chat never asked that question. Nothing was run.');
  }
  const { answer, question } = chosen;
  const where = { principal, chatId: question.chatId };
  const answered = await flow.answer({ ...answer, principal, via }).catch((error: unknown) => {
    // The refusal began a run of its own: its response is the withdrawal, and what is asked now.
    const isAskedAgain = isCountersignError(error) && error.code === 'question-changed';
    if (!isAskedAgain || question.state !== 'open') throw error;
    return undefined;
  });
  if (!answered) return readAskedAgain(flow, where, answer.approvalId);
  const { runId } = answered;
  const stream = runId === undefined ? await flow.resume(where) : await flow.follow({ ...where, runId });
  if (!stream)
    throw refuseParam('not-found', 'input', 'The question was answered; its chat is not yours to read.');
  const isAnswer = (event: FlowEvent) =>
    event.type === 'approval-answered' && event.approvalId === answer.approvalId;
  return { chatId: question.chatId, stream, begins: runId === undefined ? isAnswer : from(stream) };
}

async function readAskedAgain(
  flow: ApprovalFlow,
  where: { readonly principal: Principal; readonly chatId: ChatId },
  approvalId: AnswerRequest['approvalId'],
): Promise<Asked> {
  const stream = await flow.resume(where);
  if (!stream)
    throw refuseParam('not-found', 'input', 'The question has changed; its chat is not yours to read.');
  const begins = (event: FlowEvent) => event.type === 'approval-withdrawn' && event.approvalId === approvalId;
  return { chatId: where.chatId, stream, begins };
}

function from({ view }: FlowStream): (event: FlowEvent) => boolean {
  return (event) => event.seq >= view.emitFrom;
}
