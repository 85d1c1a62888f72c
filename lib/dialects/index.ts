export {
  clientFrameSchema as chatSocketClientFrameSchema,
  clientFrameSchemas as chatSocketClientFrameSchemas,
  errorCodeSchema as chatSocketErrorCodeSchema,
  serverFrameSchema as chatSocketServerFrameSchema,
  serverFrameSchemas as chatSocketServerFrameSchemas,
} from './chat-socket/schema.ts';
export { type ChatSocketSettings, createChatSocket } from './chat-socket/session.ts';
export * from './client.ts';
export { openApiDocument } from './openapi/document.ts';
export { createResponsesHandler, type ResponsesHandlerSettings } from './responses/handler.ts';
export { createToolEventsHandler } from './tool-events/handler.ts';
export {
  contentBlockSchema,
  storedConversationSchema,
  toolEventSchema,
  toolEventSchemas,
  toolEventsRequestSchema,
} from './tool-events/schema.ts';
export { createTwoStepHandlers } from './two-step-stream/handler.ts';
export {
  messageRequestSchema,
  messageResponseSchema,
  streamEventSchemas,
} from './two-step-stream/schema.ts';
