import { z } from 'zod';
import * as wire from '../../server/wire-schemas.ts';
import { clientFrameSchema, serverFrameSchema } from '../chat-socket/schema.ts';
import { responsesRequestSchema } from '../responses/request/request-schema.ts';
import { responseEventSchemas } from '../responses/schema/event-schema.ts';
import { errorBodySchema, responseSchema } from '../responses/schema/response-schema.ts';
import {
  contentBlockSchema,
  storedConversationSchema,
  toolEventSchemas,
  toolEventsRequestSchema,
} from '../tool-events/schema.ts';
import {
  messageRequestSchema,
  messageResponseSchema,
  streamEventSchemas,
} from '../two-step-stream/schema.ts';

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const prefixed = (prefix: string, schemas: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));

/** Each event type of the Responses stream, by its own name. @source C13, C14 */
export const responseEvents: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  responseEventSchemas.map((schema) => [schema.shape.type.value, schema]),
);

/** Every schema of the document, by name. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  Error: wire.errorSchema,
  Question: wire.questionSchema,
  Approvals: wire.approvalsSchema,
  Approval: wire.approvalSchema,
  Decision: wire.decisionSchema,
  Remembered: wire.rememberedSchema,
  Sessions: wire.sessionsSchema,
  Chats: wire.chatsSchema,
  Chat: wire.chatSchema,
  ChatRequest: wire.chatRequestSchema,
  Title: wire.titleSchema,
  Audit: wire.auditSchema,
  Timeline: wire.timelineSchema,
  ToolResult: wire.toolResultSchema,
  OutcomeRequest: wire.outcomeRequestSchema,
  Resolution: wire.recordedOutcomeSchema,
  ...wire.dataPartSchemas,
  ToolEventsRequest: toolEventsRequestSchema,
  StoredConversation: storedConversationSchema,
  ContentBlock: contentBlockSchema,
  ...prefixed('tool-events', toolEventSchemas),
  MessageRequest: messageRequestSchema,
  MessageResponse: messageResponseSchema,
  ...prefixed('two-step-stream', streamEventSchemas),
  ResponsesRequest: responsesRequestSchema,
  Response: responseSchema,
  ResponsesError: errorBodySchema,
  ...responseEvents,
  'chat-socket.client': clientFrameSchema,
  'chat-socket.server': serverFrameSchema,
};

/** A reference to a schema of the document. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** References to all schemas whose name begins so. */
export const refs = (prefix: string): JsonSchema[] =>
  Object.keys(schemas)
    .filter((name) => name.startsWith(prefix))
    .map(ref);

/** The document's schemas, made from the ones that check the traffic. @source B16, C14 */
export function componentSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
      return [name, plain];
    }),
  );
}
