import { z } from 'zod';
import { approvalsSchema } from '../../protocol/wire/approvals-page.ts';
import { chatSchema } from '../../protocol/wire/chat/stored-chat.ts';
import { timelineSchema } from '../../protocol/wire/chat/timeline.ts';
import { newAnswerSchema } from '../../protocol/wire/new-answer.ts';
import { questionSchema } from '../../protocol/wire/question.ts';
import { toolResultSchema } from '../../protocol/wire/tool-result.ts';
import { advanceSchema, upcomingSchema } from '../../protocol/wire/upcoming.ts';
import { errorSchema } from '../../server/errors.ts';
import { type JsonSchema, ref } from '../../server/openapi/operations.ts';
import { chatRequestSchema } from '../../server/requests/chat-request.ts';
import { approvalSchema, previewedSchema, previewRequestSchema } from '../../server/routes/approvals.ts';
import { auditSchema } from '../../server/routes/audit.ts';
import { chatsSchema, titleSchema } from '../../server/routes/chats.ts';
import {
  delegatedSchema,
  delegateSchema,
  delegationsSchema,
  peopleSchema,
} from '../../server/routes/delegations.ts';
import { healthSchema } from '../../server/routes/health.ts';
import { outcomeRequestSchema, recordedOutcomeSchema } from '../../server/routes/outcomes.ts';
import { rememberedSchema } from '../../server/routes/remembered.ts';
import { sessionsSchema } from '../../server/routes/sessions.ts';
import { clientFrameSchema, serverFrameSchema } from '../chat-socket/schema.ts';
import { responsesRequestSchema } from '../responses/request/request-schema.ts';
import { responseEventSchemas } from '../responses/schema/event-schema.ts';
import {
  deletedSchema,
  inputItemsSchema,
  modelSchema,
  modelsSchema,
} from '../responses/schema/list-schema.ts';
import { errorBodySchema, responseSchema } from '../responses/schema/response-schema.ts';
import {
  contentBlockSchema,
  storedConversationSchema,
  toolEventSchemas,
  toolEventsRequestSchema,
  toolEventsRetrySchema,
} from '../tool-events/schema.ts';
import {
  messageRequestSchema,
  messageResponseSchema,
  streamEventSchemas,
} from '../two-step-stream/schema.ts';
import {
  draftPartSchema,
  lifecyclePartSchema,
  messageChangedPartSchema,
  toolInputPartSchema,
} from './data-parts.ts';
import { descriptions } from './descriptions.ts';

const prefixed = (prefix: string, schemas: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));

/** Each event type of the Responses stream, by its own name. @source C13, C14 */
export const responseEvents: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  responseEventSchemas.map((schema) => [schema.shape.type.value, schema]),
);

/** The event names of the two-step stream. @source B4-B8 */
export const twoStepEvents: readonly string[] = Object.keys(streamEventSchemas);

/** Every schema of the document, by name. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  Error: errorSchema,
  Question: questionSchema,
  Approvals: approvalsSchema,
  Approval: approvalSchema,
  NewAnswer: newAnswerSchema,
  PreviewRequest: previewRequestSchema,
  Previewed: previewedSchema,
  Upcoming: upcomingSchema,
  AdvanceRequest: advanceSchema,
  Remembered: rememberedSchema,
  Delegations: delegationsSchema,
  DelegateRequest: delegateSchema,
  Delegated: delegatedSchema,
  People: peopleSchema,
  Sessions: sessionsSchema,
  Chats: chatsSchema,
  Chat: chatSchema,
  ChatRequest: chatRequestSchema,
  Title: titleSchema,
  Audit: auditSchema,
  Timeline: timelineSchema,
  ToolResult: toolResultSchema,
  OutcomeRequest: outcomeRequestSchema,
  Resolution: recordedOutcomeSchema,
  Health: healthSchema,
  DataToolLifecycle: lifecyclePartSchema,
  DataDraft: draftPartSchema,
  DataToolInput: toolInputPartSchema,
  DataMessageChanged: messageChangedPartSchema,
  ToolEventsRequest: toolEventsRequestSchema,
  ToolEventsRetry: toolEventsRetrySchema,
  StoredConversation: storedConversationSchema,
  ContentBlock: contentBlockSchema,
  ...prefixed('tool-events', toolEventSchemas),
  MessageRequest: messageRequestSchema,
  MessageResponse: messageResponseSchema,
  ...prefixed('two-step-stream', streamEventSchemas),
  ResponsesRequest: responsesRequestSchema,
  Response: responseSchema,
  ResponsesError: errorBodySchema,
  ResponseDeleted: deletedSchema,
  ResponseInputItems: inputItemsSchema,
  Model: modelSchema,
  Models: modelsSchema,
  ...responseEvents,
  'chat-socket.client': clientFrameSchema,
  'chat-socket.server': serverFrameSchema,
};

/** References to all schemas whose name begins so. */
export const refs = (prefix: string): JsonSchema[] =>
  Object.keys(schemas)
    .filter((name) => name.startsWith(prefix))
    .map(ref);

/** The document's schemas, made from the ones that check the traffic. @source B16, C14 */
export function componentSchemas(more: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries({ ...schemas, ...more }).map(([name, schema]) => [name, jsonSchemaOf(schema)]),
  );
}

/** A schema as JSON Schema, with its descriptions. @param target OpenAPI has 2020-12, AsyncAPI draft 7 */
export function jsonSchemaOf(
  schema: z.ZodType,
  target: 'draft-2020-12' | 'draft-07' = 'draft-2020-12',
): JsonSchema {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
    target,
    unrepresentable: 'any',
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const description = descriptions.get(zodSchema);
      if (description !== undefined) jsonSchema.description = description;
    },
  });
  return plain;
}
