import { z } from 'zod';

const toolCallId = z.string().min(1).describe("The model's call id, the same in call and outcome.");

/** The one source of this dialect's payloads, by event name. The payload does not repeat its type. @source B1-B10, B12-B18 */
export const streamEventSchemas = {
  tool_call: z.object({ tool_call_id: toolCallId, title: z.string(), description: z.string() }),
  tool_response: z.object({ tool_call_id: toolCallId, message: z.string() }),
  error: z.object({
    tool_call_id: toolCallId.nullable().describe("That tool's error; null: the stream's."),
    message: z.string(),
  }),
  message_chunk: z.object({ text: z.string() }),
  reset: z.object({ text: z.string().describe('Takes the place of all text that was sent.') }),
  approval_request: z.object({
    approval_id: z.string(),
    tool_call_id: toolCallId,
    title: z.string(),
    description: z.string(),
  }),
  done: z.object({ reason: z.enum(['complete', 'error', 'cancelled', 'approval_required']) }),
};

/** `POST /api/chat/message`. @source B1 */
export const messageRequestSchema = z.object({
  message: z.string().trim().min(1).max(100_000),
  client_message_id: z.uuid().optional().describe('The same id starts nothing twice.'),
  chat_id: z.string().optional(),
});

/** What `POST /api/chat/message` answers. */
export const messageResponseSchema = z.object({
  stream_id: z.string(),
  chat_id: z.string().describe('Names the chat for the messages that follow.'),
});

type Schemas = typeof streamEventSchemas;

/** One event of a stream, by name. */
export type StreamEvent = {
  [Type in keyof Schemas]: { type: Type; data: z.infer<Schemas[Type]> };
}[keyof Schemas];
