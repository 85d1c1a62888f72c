import { getToolName, isToolUIPart, type ModelMessage, type UIMessage } from 'ai';
import {
  type EventBody,
  type Person,
  type Principal,
  parseMessageId,
  personOf,
} from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { type EndedPart, endPart } from './end-parts.ts';
import { modelMessagesOf } from './model-messages.ts';

/** The event of one imported message. */
export type ImportedMessage = Extract<EventBody, { type: 'message-imported' }>;

type Whose = { readonly settings: FlowSettings; readonly by: Person };

/** The first event of an imported chat. */
export function chatImported(
  digest: string,
  principal: Principal,
): Extract<EventBody, { type: 'chat-imported' }> {
  return { type: 'chat-imported', digest, by: personOf(principal) };
}

/** The events of messages without open approvals. */
export async function importMessages(
  whose: Whose,
  messages: readonly UIMessage[],
): Promise<ImportedMessage[]> {
  const events: ImportedMessage[] = [];
  for (const message of messages) events.push(await importMessage(whose, message));
  return events;
}

/** A message without open approvals. */
async function importMessage({ settings, by }: Whose, message: UIMessage): Promise<ImportedMessage> {
  const parts = message.parts.map((part) => endPart(settings, part));
  return { ...imported(message, parts, by), modelMessages: await forModel(settings, message, parts) };
}

/** The event of a message, without the model's version. */
export function imported(message: UIMessage, parts: readonly EndedPart[], by: Person): ImportedMessage {
  const shown = parts.map((part) => part.shown);
  const ran = parts.flatMap((part) =>
    part.ran && isToolUIPart(part.shown) ? [getToolName(part.shown)] : [],
  );
  return {
    type: 'message-imported',
    messageId: parseMessageId(message.id),
    message: { ...message, parts: shown },
    modelMessages: [],
    ran: [...new Set(ran)],
    by,
  };
}

/** Parts of a message as the model sees them. */
export function forModel(
  { tools }: FlowSettings,
  message: UIMessage,
  parts: readonly EndedPart[],
): Promise<ModelMessage[]> {
  return modelMessagesOf(
    message,
    parts.flatMap((part) => part.forModel ?? []),
    tools,
  );
}
