import type { UIMessage } from 'ai';

/** A message as the chat API gives it: the SDK's `UIMessage`. @source contract H4 */
export type StoredMessage = UIMessage;
