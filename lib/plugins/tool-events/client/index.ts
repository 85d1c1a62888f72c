export { ToolEventsClient, type ToolEventsClientOptions } from './client.ts';
export { contentBlocks } from './content-blocks.ts';
export { ToolEventsError } from './error.ts';
export { type InlineItem, inlineItems } from './inline-items.ts';
export { readToolEvent } from './read-message.ts';
export {
  noToolInvocations,
  reduceToolEvent,
  type ToolInvocation,
  type ToolInvocations,
  toggleToolInvocation,
  toolInvocationsOf,
  withToolOutput,
} from './reducer.ts';
export type { ContentBlock, StoredMessage, ToolEvent } from './schema.ts';
export type { ToolEventsClientState } from './state.ts';
export { isInvocationOf, type ToolCallStartOf, type ToolInvocationOf } from './typed-invocation.ts';
