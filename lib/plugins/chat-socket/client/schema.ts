import { z } from 'zod';

const toolCallId = z.string().min(1).describe('Tells parallel calls apart; the same in start and outcome.');
const toolName = z.string().min(1);
/** No `default`: the OpenAPI document would show the time at which it was made. */
const timestamp = z.iso
  .datetime()
  .optional()
  .describe('UTC, ISO 8601; set by itself.')
  .transform((at = new Date().toISOString()) => at);

/** What the frames of a turn have in common. */
const ofTurn = {
  message_id: z
    .string()
    .min(1)
    .optional()
    .describe('The message that the turn makes. On every frame of a turn.'),
  conversation_id: z.string().min(1).optional().describe('On every frame of a turn.'),
};
const clientMessageId = z.uuid().optional().describe('The same id starts nothing twice.');
const streamResults = z.boolean().optional().describe('Send preliminary results as they come.');
const acceptApprovals = z
  .boolean()
  .optional()
  .describe('The client shows questions, so none is described by a `token`.');

/** What a client sends, by type. @source D1, D15, D20-D24 */
export const clientFrameSchemas = {
  message: z.object({
    type: z.literal('message'),
    conversation_id: z.string().optional(),
    client_message_id: clientMessageId,
    content: z.string().trim().min(1).max(100_000),
    stream_results: streamResults,
    accept_approvals: acceptApprovals,
  }),
  resume: z.object({
    type: z.literal('resume'),
    conversation_id: z.string().min(1).max(256),
    message_id: z.string().min(1).max(256).optional().describe('Default: the last message.'),
    stream_results: streamResults,
    accept_approvals: acceptApprovals,
  }),
  ping: z.object({ type: z.literal('ping') }),
  cancel: z.object({
    type: z.literal('cancel'),
    conversation_id: z.string().optional().describe('Default: every turn that goes on over this socket.'),
  }),
  tool_cancel: z.object({ type: z.literal('tool_cancel'), tool_call_id: toolCallId.max(256) }),
  tool_retry: z.object({
    type: z.literal('tool_retry'),
    tool_call_id: toolCallId.max(256),
    accept_approvals: acceptApprovals,
  }),
  list_tools: z.object({ type: z.literal('list_tools') }),
  tool_approval_response: z.object({
    type: z.literal('tool_approval_response'),
    approval_id: z.string().min(1).max(256),
    approved: z.boolean(),
    reason: z.string().max(2_000).optional(),
  }),
};

/** Any frame of a client. */
export const clientFrameSchema = z.discriminatedUnion('type', [
  clientFrameSchemas.message,
  clientFrameSchemas.resume,
  clientFrameSchemas.ping,
  clientFrameSchemas.cancel,
  clientFrameSchemas.tool_cancel,
  clientFrameSchemas.tool_retry,
  clientFrameSchemas.list_tools,
  clientFrameSchemas.tool_approval_response,
]);

/** The reason of an `error` frame. @source D3 */
export const errorCodeSchema = z.enum([
  'INVALID_FORMAT',
  'ACCESS_DENIED',
  'LLM_ERROR',
  'INTERNAL_ERROR',
  'TOOL_ERROR',
  'TOOL_CANCELLED',
  'ALREADY_ANSWERED',
  'BUSY',
  'PAUSED',
  'RATE_LIMITED',
]);

/** What the server sends, by type. @source D2, D5-D9, D19-D24 */
export const serverFrameSchemas = {
  started: z.object({
    type: z.literal('started'),
    client_message_id: z.string().optional().describe('That of the `message` which began the turn.'),
    replay: z.literal(true).optional().describe('The frames of this message follow from its first on.'),
    ...ofTurn,
  }),
  token: z.object({ type: z.literal('token'), content: z.string(), ...ofTurn }),
  reset: z.object({
    type: z.literal('reset'),
    content: z.string().describe('Takes the place of all text of this message.'),
    ...ofTurn,
  }),
  complete: z.object({
    type: z.literal('complete'),
    message_id: z.string().min(1).describe('Under which the message is saved.'),
    conversation_id: z.string().min(1),
  }),
  error: z.object({
    type: z.literal('error'),
    message: z.string().min(1),
    code: errorCodeSchema.optional(),
    recoverable: z.boolean().optional().describe('The answer still comes, and `complete`.'),
    field: z.string().optional().describe('The field of the frame that does not fit.'),
    limit: z.number().optional().describe('The limit that `field` exceeds, or does not reach.'),
    retry_after: z.int().positive().optional().describe('Seconds after which the frame may be sent again.'),
    tool_call_id: toolCallId.optional(),
    approval_id: z.string().optional(),
    client_message_id: z.string().optional(),
    ...ofTurn,
  }),
  pong: z.object({ type: z.literal('pong') }),
  tool_start: z.object({
    type: z.literal('tool_start'),
    tool_call_id: toolCallId,
    tool_name: toolName,
    tool_input: z.string().min(1).describe('The arguments as JSON.'),
    timestamp,
    ...ofTurn,
  }),
  tool_complete: z.object({
    type: z.literal('tool_complete'),
    tool_call_id: toolCallId,
    tool_name: toolName,
    tool_result: z.string().min(1).describe('A text as it is, other values as JSON.'),
    truncated: z.literal(true).optional(),
    original_length: z.int().positive().optional().describe('Of the whole result, in bytes of UTF-8.'),
    timestamp,
    ...ofTurn,
  }),
  tool_result_chunk: z.object({
    type: z.literal('tool_result_chunk'),
    tool_call_id: toolCallId,
    tool_name: toolName,
    index: z.int().nonnegative(),
    content: z.string().min(1).describe('The result so far; takes the place of the one before.'),
    timestamp,
    ...ofTurn,
  }),
  tool_result_end: z.object({
    type: z.literal('tool_result_end'),
    tool_call_id: toolCallId,
    tool_name: toolName,
    chunks: z.int().positive(),
    timestamp,
    ...ofTurn,
  }),
  tool_approval_request: z.object({
    type: z.literal('tool_approval_request'),
    approval_id: z.string().min(1),
    tool_call_id: toolCallId,
    tool_name: toolName,
    tool_input: z.string().min(1),
    description: z.string(),
    ...ofTurn,
  }),
  tools: z.object({
    type: z.literal('tools'),
    tools: z.array(
      z.object({ name: toolName, title: z.string(), description: z.string(), input_schema: z.unknown() }),
    ),
  }),
};

/** Any frame of the server. Older clients know `token`, `complete`, `error` and `pong`. */
export const serverFrameSchema = z.discriminatedUnion('type', [
  serverFrameSchemas.started,
  serverFrameSchemas.token,
  serverFrameSchemas.reset,
  serverFrameSchemas.complete,
  serverFrameSchemas.error,
  serverFrameSchemas.pong,
  serverFrameSchemas.tool_start,
  serverFrameSchemas.tool_complete,
  serverFrameSchemas.tool_result_chunk,
  serverFrameSchemas.tool_result_end,
  serverFrameSchemas.tool_approval_request,
  serverFrameSchemas.tools,
]);

/** A frame of a client. */
export type ClientFrame = z.infer<typeof clientFrameSchema>;

/** A frame of the server, as it arrives. */
export type ServerFrame = z.infer<typeof serverFrameSchema>;

/** A frame of the server before it is formatted: fields with defaults may be absent. */
export type ServerFrameInput = z.input<typeof serverFrameSchema>;

/** A frame of a turn before it gets its ids. */
export type TurnFrame = Exclude<ServerFrameInput, { type: 'pong' | 'tools' }>;

/** @see errorCodeSchema */
export type ChatSocketErrorCode = z.infer<typeof errorCodeSchema>;
