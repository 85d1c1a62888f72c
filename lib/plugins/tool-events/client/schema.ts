import { z } from 'zod';
import { chatStatusSchema } from '../../../protocol/wire/chat/chat-status.ts';
import { questionSchema } from '../../../protocol/wire/question.ts';
import type { Immutable } from '../../../protocol/wire/wire-object.ts';

const toolCallId = z.string().min(1);

/** The one source of this dialect's payloads: types, documents and tests derive from it. @source A1-A26 */
export const toolEventSchemas = {
  message_start: z.object({
    type: z.literal('message_start'),
    messageId: z.string(),
    conversationId: z.string(),
  }),
  text_delta: z.object({ type: z.literal('text_delta'), content: z.string() }),
  tool_call_start: z.object({
    type: z.literal('tool_call_start'),
    toolCallId,
    toolName: z.string().min(1),
    input: z.unknown(),
  }),
  tool_call_end: z.object({
    type: z.literal('tool_call_end'),
    toolCallId,
    summary: z.string(),
    resultCount: z.int().nonnegative(),
    durationMs: z.number().nonnegative(),
    output: z.unknown().optional(),
    outputRef: z.string().optional(),
  }),
  tool_call_error: z.object({
    type: z.literal('tool_call_error'),
    toolCallId,
    error: z.string(),
    retryable: z.boolean(),
    wasRetried: z.boolean(),
  }),
  approval_request: z.object({
    type: z.literal('approval_request'),
    approvalId: z.string(),
    toolCallId,
    toolName: z.string().min(1),
    input: z.unknown(),
    repeatOf: z
      .object({
        at: z.iso.datetime(),
        outcome: z.enum(['approved', 'running', 'completed', 'failed', 'unknown']),
      })
      .optional(),
    question: questionSchema.optional(),
  }),
  message_end: z.object({
    type: z.literal('message_end'),
    usage: z.object({ inputTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() }),
  }),
  error: z.object({
    type: z.literal('error'),
    code: z.enum([
      'AI_SERVICE_UNAVAILABLE',
      'DATABASE_ERROR',
      'VALIDATION_ERROR',
      'RATE_LIMITED',
      'TIMEOUT',
      'INTERNAL_ERROR',
    ]),
    message: z.string(),
    retryable: z.boolean(),
  }),
};

/** Any frame of this dialect. */
export const toolEventSchema = z.discriminatedUnion('type', [
  toolEventSchemas.message_start,
  toolEventSchemas.text_delta,
  toolEventSchemas.tool_call_start,
  toolEventSchemas.tool_call_end,
  toolEventSchemas.tool_call_error,
  toolEventSchemas.approval_request,
  toolEventSchemas.message_end,
  toolEventSchemas.error,
]);

/** What a client posts. */
export const toolEventsRequestSchema = z.object({
  conversationId: z.string().optional(),
  message: z.string().trim().min(1).max(10_000),
});

/** What a client posts to try a failed call again. */
export const toolEventsRetrySchema = z.object({ conversationId: z.string(), toolCallId });

/** A stored message's content, in stream order. @source A20, A21 */
export const contentBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.unknown(),
    is_error: z.literal(true).optional(),
  }),
]);

/** `GET /api/dialects/tool-events?conversationId=…`. @source A20, A22 */
export const storedConversationSchema = z.object({
  conversationId: z.string(),
  messages: z.array(
    z.object({ id: z.string(), role: z.enum(['user', 'assistant']), content: z.array(contentBlockSchema) }),
  ),
  run: z.object({ status: chatStatusSchema }).optional(),
  lastEventId: z.string().optional(),
});

/** One frame. */
export type ToolEvent = Immutable<z.infer<typeof toolEventSchema>>;

/** A conversation as it is stored. */
export type StoredConversation = z.infer<typeof storedConversationSchema>;

/** One stored message. */
export type StoredMessage = z.infer<typeof storedConversationSchema>['messages'][number];

/** One block of a stored message. */
export type ContentBlock = z.infer<typeof contentBlockSchema>;
