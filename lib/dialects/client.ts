export { ChatSocketClient, type ChatSocketClientSettings } from './chat-socket/client/client.ts';
export { ChatSocketError } from './chat-socket/client/error.ts';
export type { ClientSocket, ClientSocketClass, SocketConnection } from './chat-socket/client/socket.ts';
export {
  emptySocketTurn,
  type ReceivedFrame,
  reduceSocketFrame,
  reduceSocketTurns,
  type SocketToolCall,
  type SocketTurn,
  type SocketTurns,
} from './chat-socket/reducer.ts';
export type {
  ClientFrame as ChatSocketClientFrame,
  ServerFrame as ChatSocketServerFrame,
} from './chat-socket/schema.ts';
export { DialectClient, type DialectConnection } from './client/dialect-client.ts';
export { DialectError, type DialectErrorFacts } from './client/error.ts';
export { ReadingClient } from './client/reading-client.ts';
export type { ServerAddress } from './client/server-request.ts';
export { ResponsesClient, type ResponsesConnection } from './responses/client/client.ts';
export { type ResponsesClientOptions, ResponsesError } from './responses/client/error.ts';
export {
  emptyResponses,
  openRequest,
  type ResponsesState,
  reduceResponseEvent,
} from './responses/reducer.ts';
export type { ResponseEvent } from './responses/schema/event-schema.ts';
export { ToolEventsClient, type ToolEventsClientOptions } from './tool-events/client/client.ts';
export { ToolEventsError } from './tool-events/client/error.ts';
export type { ToolEventsClientState } from './tool-events/client/state.ts';
export { contentBlocks } from './tool-events/content-blocks.ts';
export { type InlineItem, inlineItems } from './tool-events/inline-items.ts';
export { readToolEvent } from './tool-events/read-message.ts';
export {
  noToolInvocations,
  reduceToolEvent,
  type ToolInvocation,
  type ToolInvocations,
  toggleToolInvocation,
  toolInvocationsOf,
  withToolOutput,
} from './tool-events/reducer.ts';
export type { ContentBlock, StoredMessage, ToolEvent } from './tool-events/schema.ts';
export {
  isInvocationOf,
  type ToolCallStartOf,
  type ToolInvocationOf,
} from './tool-events/typed-invocation.ts';
export {
  TwoStepClient,
  type TwoStepClientSettings,
  type TwoStepConnection,
  type TwoStepEvents,
} from './two-step-stream/client/client.ts';
export { TwoStepError } from './two-step-stream/client/error.ts';
export { type ReceivedEvent, readStreamEvent } from './two-step-stream/read-message.ts';
export {
  type Activity,
  continueStream,
  emptyStreamState,
  interruptStream,
  reduceStreamEvent,
  type StreamState,
} from './two-step-stream/reducer.ts';
export type { StreamEvent } from './two-step-stream/schema.ts';
