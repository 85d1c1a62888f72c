export { messageItems, type ToolEventsItem } from '../client/conversation/message-items.ts';
export { readToolEvents } from '../client/conversation/read-tool-events.ts';
export type { AskedApproval, ToolEventsMessage } from '../client/conversation/tool-events-state.ts';
export { defaultInvocationWords, type InvocationWords } from './invocation-words.ts';
export { ToolInvocation, type ToolInvocationProps } from './tool-invocation.tsx';
export { type ToolEventsChat, type ToolEventsOptions, useToolEvents } from './use-tool-events.ts';
