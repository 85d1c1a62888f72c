import type { NewMessage } from '../../../commands/requests.ts';
import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import { CountersignError } from '../../../protocol/errors/errors.ts';
import type {
  AnswerRequest,
  ChatId,
  FlowEvent,
  Principal,
  RunId,
  RunOptions,
} from '../../../protocol/index.ts';
import type { FlowStream } from '../../../views/flow-stream.ts';
import { refuseParam } from '../errors.ts';
import type { ReadInput } from '../request/input.ts';
import type { Conversation } from './conversation.ts';
import { assertNotOverruled, isGivenAnswer, runOfAnswer, runOfQuestion } from './given-answer.ts';
import { outcomesOf, type SettledCall } from './outcomes.ts';

/** Recorded as the channel of the answers. */
const via = 'responses';

/** A response to send: its chat, the turn's events, and the first one that belongs to it. */
export type Asked = {
  readonly chatId: ChatId;
  readonly stream: FlowStream;
  readonly begins: (event: FlowEvent) => boolean;
  /** What became of calls that were answered together with a message. */
  readonly outcomes?: readonly SettledCall[];
};

/** What to send to the flow, and where. */
export type Message = Pick<ReadInput, 'answers' | 'outputs'> &
  Omit<Conversation, 'parts'> & {
    readonly message?: NewMessage;
    /** The key of the message. @see Once.id */
    readonly key?: string;
    readonly options: RunOptions;
    readonly callOptions?: unknown;
  };

/**
 * Sends a request to the flow. An answer that its question has already is followed by the same response again, and any other
 * answer to it is refused. If a question is to be repeated, nothing is sent.
 *
 * @throws CountersignError as `flow.chats.respond` and `flow.approvals.answer`
 * @source C15, C18
 */
export async function ask(flow: ApprovalFlow, principal: Principal, request: Message): Promise<Asked> {
  const { message, outputs, answers, chatId: known, repeats } = request;
  if (known && repeats) return readRun(flow, { principal, chatId: known }, repeats);
  if (answers.length > 0 && !message && outputs.length === 0) {
    return askAnswered(flow, principal, known, answers);
  }
  if (!message && answers.length === 0 && outputs.length === 0) {
    throw refuseParam(
      'invalid-request',
      'input',
      'The input holds no new user message, no answer and no output of a call.',
    );
  }
  if (!message && !known) {
    throw refuseParam('invalid-request', 'input', 'No call of ours is known by the call_id of this output.');
  }
  if (message) await assertNotOverruled(flow, principal, answers);
  if (known) return send(flow, principal, request, known, true);
  const { newChatId, freeChatId } = request;
  return begin(flow, principal, request, newChatId).catch((error: unknown) => {
    const isTaken =
      CountersignError.is(error) && (error.code === 'not-found' || error.code === 'invalid-request');
    if (!freeChatId || !isTaken) throw error;
    return begin(flow, principal, request, freeChatId);
  });
}

/** Begins a chat, with the history that the client holds if there is one. */
async function begin(
  flow: ApprovalFlow,
  principal: Principal,
  request: Message,
  chatId: ChatId,
): Promise<Asked> {
  const messages = request.history;
  if (messages.length > 0) {
    if (!canImport(flow)) throw refuseParam('invalid-request', 'input', cannotImport);
    await flow.imports.chat({ principal, chatId, messages });
  }
  return send(flow, principal, request, chatId, messages.length > 0);
}

const cannotImport =
  'The input begins with earlier turns, but this server does not import conversations (plugin `imports`). Send only a new message.';

/** A flow with the plugin `imports`. */
type Importing = {
  readonly imports: {
    chat(request: {
      principal: Principal;
      chatId: ChatId;
      messages: Conversation['history'];
    }): Promise<unknown>;
  };
};

function canImport(flow: object): flow is Importing {
  return 'imports' in flow;
}

async function send(
  flow: ApprovalFlow,
  principal: Principal,
  { message, key, answers, outputs, options, callOptions }: Message,
  chatId: ChatId,
  mustExist: boolean,
): Promise<Asked> {
  const stream = await flow.chats.respond({
    chatId,
    principal,
    trigger: 'submit-message',
    message,
    key,
    answers,
    outputs,
    options,
    callOptions,
    mustExist,
    via,
  });
  const outcomes = message ? await outcomesOf(flow, { principal, chatId }, answers) : [];
  return { chatId, stream, begins: from(stream), outcomes };
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
      question: await flow.approvals.read({ principal, approvalId: answer.approvalId }),
    })),
  );
  const chosen = known.find(({ question }) => question.state === 'open') ?? known.at(-1);
  if (!chosen || (chatId !== undefined && chosen.question.chatId !== chatId)) {
    throw refuseParam('not-found', 'input', 'This chat never asked that question. Nothing was run.');
  }
  const { answer, question } = chosen;
  const { approvalId } = answer;
  const where = { principal, chatId: question.chatId };
  const answered = await flow.approvals
    .answer({ ...answer, principal, via })
    .catch(async (error: unknown) => {
      if (!CountersignError.is(error)) throw error;
      // The refusal began a run of its own: its response is the withdrawal, and what is asked now.
      if (error.code === 'question-changed' && question.state === 'open') return 'asked again';
      if (error.code !== 'already-answered') throw error;
      const standing = await flow.approvals.read({ principal, approvalId });
      if (!isGivenAnswer(standing, answer, principal)) throw error;
      return 'given before';
    });
  if (answered === 'asked again') return readAskedAgain(flow, where, approvalId);
  // The question waits for others: its response asks once more, under the same ids.
  if (answered !== 'given before' && answered.state === 'open') {
    return readRun(flow, where, await runOfQuestion(flow, where, answered.id));
  }
  const runId = answered === 'given before' ? await runOfAnswer(flow, where, approvalId) : answered.runId;
  if (runId !== undefined) return readRun(flow, where, runId);
  const stream = await flow.chats.resume(where);
  if (!stream) throw notReadable();
  const isAnswer = (event: FlowEvent) =>
    event.type === 'approval-answered' && event.approvalId === approvalId;
  return { chatId: question.chatId, stream, begins: isAnswer };
}

/** One run as a response: the same again, however often it is read. */
async function readRun(
  flow: ApprovalFlow,
  where: { readonly principal: Principal; readonly chatId: ChatId },
  runId: RunId,
): Promise<Asked> {
  const stream = await flow.chats.follow({ ...where, runId });
  if (!stream) throw notReadable();
  return { chatId: where.chatId, stream, begins: from(stream) };
}

function notReadable(): CountersignError {
  return refuseParam('not-found', 'input', 'The question was answered; its chat is not yours to read.');
}

async function readAskedAgain(
  flow: ApprovalFlow,
  where: { readonly principal: Principal; readonly chatId: ChatId },
  approvalId: AnswerRequest['approvalId'],
): Promise<Asked> {
  const stream = await flow.chats.resume(where);
  if (!stream)
    throw refuseParam('not-found', 'input', 'The question has changed; its chat is not yours to read.');
  const begins = (event: FlowEvent) => event.type === 'approval-withdrawn' && event.approvalId === approvalId;
  return { chatId: where.chatId, stream, begins };
}

function from({ view }: FlowStream): (event: FlowEvent) => boolean {
  return (event) => event.seq >= view.emitFrom;
}
