export { messageItems, type ToolEventsItem } from './message-items.ts';
export { readToolEvents } from './read-tool-events.ts';
export type { AskedApproval, ToolEventsMessage } from './tool-events-state.ts';
export { ToolInvocation, type ToolInvocationProps } from './tool-invocation.tsx';
export { defaultInvocationWords, type InvocationWords } from './tool-invocation-words.ts';
export { type ToolEventsChat, type ToolEventsOptions, useToolEvents } from './use-tool-events.ts';
