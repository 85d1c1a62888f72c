export type { CallEnd } from '../log/turn/call-end.ts';
export type { Call, Step, Turn } from '../log/turn/turn.ts';
export { projectStream } from '../views/reader/project-stream.ts';
export {
  type Projection,
  type ProjectionRun,
  project,
  projectionStream,
  runProjection,
} from '../views/reader/projection.ts';
export {
  callForClient,
  createTurnReader,
  keptCalls,
  type ReadFrom,
  type TurnItem,
} from '../views/reader/read-turn.ts';
export { answerForClient, type LimitedClient } from './answer-for-client.ts';
export { chatSocket } from './chat-socket/index.ts';
export {
  clientFrameSchema as chatSocketClientFrameSchema,
  clientFrameSchemas as chatSocketClientFrameSchemas,
  errorCodeSchema as chatSocketErrorCodeSchema,
  serverFrameSchema as chatSocketServerFrameSchema,
  serverFrameSchemas as chatSocketServerFrameSchemas,
} from './chat-socket/schema.ts';
export * from './client.ts';
export { denialText, failureText } from './failure-text.ts';
export { type ResponsesSettings, responses } from './responses/index.ts';
export { toolEvents } from './tool-events/index.ts';
export {
  contentBlockSchema,
  storedConversationSchema,
  toolEventSchema,
  toolEventSchemas,
  toolEventsRequestSchema,
} from './tool-events/schema.ts';
export { twoStepStream } from './two-step-stream/index.ts';
export {
  messageRequestSchema,
  messageResponseSchema,
  streamEventSchemas,
} from './two-step-stream/schema.ts';
