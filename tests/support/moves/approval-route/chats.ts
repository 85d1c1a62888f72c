import type { UIMessage } from 'ai';

/** Stands for the app's table of chats. */
export const chats = new Map<string, UIMessage[]>();
