export type { CallEnd } from '../log/turn/call-end.ts';
export type { Call, Step, Turn } from '../log/turn/turn.ts';
export { projectStream } from '../views/reader/project-stream.ts';
export {
  type Projection,
  type ProjectionRun,
  project,
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
export { denialText, failureText } from './failure-text.ts';
