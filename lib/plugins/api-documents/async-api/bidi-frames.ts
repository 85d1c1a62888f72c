import { z } from 'zod';
import { chatRequestSchema } from '../../../server/requests/chat-request.ts';

const requestId = z.string().min(1).max(256);

/** Frames of the SDK's `WebSocketChatTransport` that a client sends, by type. @source H3 */
export const bidiClientFrameSchemas = {
  send: z.object({
    type: z.literal('send'),
    requestId,
    id: z.string().describe('The chat.'),
    trigger: z.enum(['submit-message', 'regenerate-message']),
    messageId: z.string().optional(),
    messages: z.array(z.unknown()).describe('Ignored, except for its end, if `body` has slim fields.'),
    body: chatRequestSchema
      .pick({ message: true, messageId: true, answers: true, outputs: true })
      .optional()
      .describe('The slim fields of `POST /api/chat`.'),
  }),
  resume: z.object({ type: z.literal('resume'), requestId, id: z.string().describe('The chat.') }),
  abort: z.object({ type: z.literal('abort'), requestId }),
};

/** Frames that the server sends, by type. The SDK's class closes the socket on any other. @source H3 */
export const bidiServerFrameSchemas = {
  start: z.object({ type: z.literal('start'), requestId }),
  chunk: z.object({
    type: z.literal('chunk'),
    requestId,
    sequence: z.int().nonnegative(),
    chunk: z.looseObject({ type: z.string() }).describe('As over SSE.'),
  }),
  end: z.object({ type: z.literal('end'), requestId }),
  error: z.object({
    type: z.literal('error'),
    requestId,
    errorText: z.string().describe('The error as JSON text.'),
  }),
  'no-active': z.object({ type: z.literal('no-active'), requestId }),
};
