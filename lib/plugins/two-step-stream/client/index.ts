export {
  TwoStepClient,
  type TwoStepClientSettings,
  type TwoStepConnection,
  type TwoStepEvents,
} from './client.ts';
export { TwoStepError } from './error.ts';
export { type ReceivedEvent, readStreamEvent } from './read-message.ts';
export {
  type Activity,
  continueStream,
  emptyStreamState,
  interruptStream,
  reduceStreamEvent,
  type StreamState,
} from './reducer.ts';
export type { StreamEvent } from './schema.ts';
