import { z } from 'zod';
import type { RespondRequest } from '../../commands/requests.ts';
import { CountersignError, isRecord, parseChatId, parseMessageId } from '../../protocol/index.ts';
import { type ChatLimits, defaultChatLimits } from '../limits/size-limits.ts';
import { answerRequestSchema, outputRequestSchema, parseAnswers, parseOutputs } from './answers.ts';
import {
  assistantMessageSchema,
  hasRole,
  isAssistantMessage,
  lastUserMessage,
  newInHistory,
} from './full-history.ts';
import { parseRequest } from './parse-request.ts';
import { parseUserMessage, userMessageSchema } from './user-message.ts';

/** The slim form of `POST /api/chat`. The SDK's full form is accepted as well. @source H1 */
export const chatRequestSchema = z.looseObject({
  id: z.string().describe('The chat: 1 to 128 of A-Z, a-z, 0-9, _ and -.'),
  trigger: z
    .enum(['submit-message', 'regenerate-message'], {
      error: '`trigger` must be submit-message or regenerate-message.',
    })
    .optional(),
  messageId: z.string().optional(),
  message: z
    .union([userMessageSchema, assistantMessageSchema])
    .optional()
    .describe('The new user message, or the last assistant message with its answers and outputs.'),
  answers: z.array(answerRequestSchema).optional(),
  outputs: z.array(outputRequestSchema).optional(),
});

/** A request for a response, without its principal and transport. */
export type ChatRequest = Omit<RespondRequest, 'principal' | 'via'>;

/**
 * Parses a chat request in either form. The slim form applies if any of its fields is present. An assistant
 * message in `message` is a history of one message: pages that send only their last message answer like that.
 * Required fields are checked strictly and others are ignored: the model's input comes from the log, never from
 * the request.
 *
 * @throws CountersignError `invalid-request`, or `payload-too-large`
 * @source H1, H7, T12
 */
export function parseChatRequest(body: unknown, limits: ChatLimits = defaultChatLimits): ChatRequest {
  if (!isRecord(body)) throw refuse('The body must be a JSON object.');
  const chatId = parseChatId(body.id);
  const trigger = parseTrigger(body.trigger);
  const messageId = isPresent(body.messageId) ? parseMessageId(body.messageId) : undefined;
  const isAnsweredMessage = hasRole(body.message, 'assistant');
  const history = () => (isAnsweredMessage ? [body.message] : listOf(body.messages));
  const slimMessage = isAnsweredMessage ? undefined : body.message;
  const isSlim = [slimMessage, body.answers, body.outputs].some(isPresent);
  const parseMessage = (value: unknown) =>
    isPresent(value) ? { message: parseUserMessage(value, limits.messageBytes) } : {};

  if (trigger === 'regenerate-message') {
    const message = parseMessage(isSlim ? slimMessage : lastUserMessage(history()));
    return { chatId, trigger, messageId, ...message };
  }
  const news = isSlim
    ? { message: slimMessage, answers: parseAnswers(body.answers), outputs: parseOutputs(body.outputs) }
    : newInHistory(history());
  const { message } = parseMessage(news.message);
  if (!message && news.answers.length === 0 && news.outputs.length === 0) {
    throw refuse('The request contains no new message, no answer and no output.');
  }
  // The SDK's transports also name the assistant message whose answer they send. That is not an edit.
  const isEdit = messageId && (isSlim || !isAssistantMessage(history(), messageId));
  return {
    chatId,
    trigger,
    message,
    messageId: message && (isEdit ? messageId : undefined),
    answers: news.answers.length > 0 ? news.answers : undefined,
    outputs: news.outputs.length > 0 ? news.outputs : undefined,
  };
}

function parseTrigger(value: unknown): ChatRequest['trigger'] {
  return parseRequest(chatRequestSchema.shape.trigger, value ?? undefined) ?? 'submit-message';
}

function listOf(value: unknown): readonly unknown[] {
  if (!isPresent(value)) return [];
  if (Array.isArray(value)) return value;
  throw refuse('`messages` must be a list.');
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function refuse(message: string): CountersignError {
  return new CountersignError('invalid-request', message);
}
