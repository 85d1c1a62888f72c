import type { ProviderMetadata, UIMessage } from 'ai';
import { getToolName, isToolUIPart } from 'ai';
import { isRecord } from '../../protocol/json.ts';
import { parseDescriptor, type Question } from '../question.ts';

/** One part of a message. */
export type ChatPart = UIMessage['parts'][number];

/** A part that shows a call, static or dynamic. */
export type ToolPart = Extract<ChatPart, { toolCallId: string }>;

/** A part whose question is open. */
export type OpenPart = Extract<ToolPart, { state: 'approval-requested' }>;

/** Whether the part is a call that a person is asked about. */
export function isOpenPart(part: ChatPart): part is OpenPart {
  return isToolUIPart(part) && part.state === 'approval-requested' && part.approval.isAutomatic !== true;
}

/**
 * The last message of the assistant: only its question can be open. A message of the person after it cancels the question, but not
 * before the server replies to it, and then another message of the assistant follows.
 */
export function lastReplyIn<Message extends UIMessage>(messages: readonly Message[]): Message | undefined {
  return messages.findLast(({ role }) => role === 'assistant');
}

/** The messages of the person at the end, which the server has not replied to. */
export function unsentIn<Message extends UIMessage>(messages: readonly Message[]): Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/** The open question of a chat. @see lastReplyIn */
export function openPartOf(messages: readonly UIMessage[]): OpenPart | undefined {
  return lastReplyIn(messages)?.parts.find(isOpenPart);
}

/** Whether some message shows this question's call with an outcome that is unknown so far. */
export function showsUnknownOutcome(messages: readonly UIMessage[], approvalId: string): boolean {
  return messages.some(({ parts }) =>
    parts.some((part) => {
      if (!isToolUIPart(part) || part.state !== 'output-error' || part.approval?.id !== approvalId)
        return false;
      const facts = part.toolMetadata?.countersign;
      return isRecord(facts) && facts.outcome === 'unknown';
    }),
  );
}

/** All text of a message, with blocks separated by a blank line. */
export function textOf(message: UIMessage): string {
  return message.parts
    .flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []))
    .join('\n\n');
}

/**
 * The approval ids of the answers in the last message that the server may not have received yet; none while a question
 * is open, since the answers wait for its own.
 */
export function unsettledAnswers(messages: readonly UIMessage[]): readonly string[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return [];
  const calls = last.parts.filter(isToolUIPart);
  if (calls.some(isOpenPart)) return [];
  return calls.flatMap((part) =>
    part.state === 'approval-responded' && part.approval.isAutomatic !== true ? [part.approval.id] : [],
  );
}

/**
 * Reopens questions at the end of the messages whose answer had no effect yet. Stored messages do not contain edited
 * arguments, and the server may not have received the answer; sending it now would approve the arguments as proposed.
 *
 * @param ids of those questions. Default: all whose calls have no result here, although some may have been received
 */
export function askedAgain<Message extends UIMessage>(
  messages: readonly Message[],
  ids: readonly string[] = unsettledAnswers(messages),
): Message[] {
  const unsettled = new Set(ids);
  const last = messages.at(-1);
  if (last === undefined || unsettled.size === 0) return [...messages];
  const parts = last.parts.map((part) =>
    isToolUIPart(part) && part.state === 'approval-responded' && unsettled.has(part.approval.id)
      ? {
          ...part,
          state: 'approval-requested',
          approval: { ...part.approval, approved: undefined, reason: undefined },
        }
      : part,
  );
  return [...messages.slice(0, -1), { ...last, parts }];
}

/** An open question as `useChat` has it, for a card. @source H13 */
export function questionOfPart(part: OpenPart, chatId: string): Question {
  const toolName = getToolName(part);
  return {
    ...parseDescriptor(part.approval.descriptor, toolName, part.title),
    id: part.approval.id,
    chatId,
    toolCallId: part.toolCallId,
    toolName,
    input: part.input,
    state: 'open',
  };
}

/** Where a part belongs among the others of its message; absent if the server sent it in that place. @source T3 */
export function positionOf(part: ChatPart): number | undefined {
  const { providerMetadata, callProviderMetadata, resultProviderMetadata } = part as PartMetadata;
  const facts = (providerMetadata ?? callProviderMetadata ?? resultProviderMetadata)?.countersign;
  return isRecord(facts) && typeof facts.position === 'number' ? facts.position : undefined;
}

type PartMetadata = {
  readonly [Name in
    | 'providerMetadata'
    | 'callProviderMetadata'
    | 'resultProviderMetadata']?: ProviderMetadata;
};
