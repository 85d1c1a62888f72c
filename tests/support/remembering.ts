import type { FlowPlugin } from 'countersign/plugin';
import { remembered } from 'countersign/plugins/remembered';

/** Lets people have their approvals remembered. */
export const remembering: readonly FlowPlugin[] = [remembered()];

/** What an approval says to be remembered for all calls of its tool in the chat. */
export const rememberedInChat = { plugins: { remembered: { scope: 'chat', match: 'tool' } } } as const;

/** What an answer says that must be refused. */
export const badlyRemembered = { plugins: { remembered: 'chat' } };
