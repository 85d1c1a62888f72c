import type { UIMessage } from 'ai';
import { isRecord } from '../../protocol/json.ts';
import { isPart } from '../../protocol/parts.ts';
import type { ChatStatus } from '../../protocol/wire/chat/chat-status.ts';
import type { DraftJson } from '../../protocol/wire/chat/draft.ts';
import { reportMistake } from '../http/mistake.ts';
import { anyItems, listOf, object, oneOf, optional, type Read, text } from '../http/read-wire.ts';
import { parseQuestion, type Question } from '../question.ts';
import { readDraft } from './live/live-parts.ts';

/** A chat as the server has it. @source H4 */
export type StoredChat<Message extends UIMessage = UIMessage> = {
  readonly id: string;
  readonly title: string;
  readonly messages: Message[];
  /** The text of the ongoing turn that was already shown. */
  readonly draft?: string;
  /** The same, text by text, each with its place in the last message. */
  readonly drafts?: readonly DraftJson[];
  readonly run: {
    readonly status: ChatStatus;
    /** The run continues where this plugin is. No instance that has it was running. */
    readonly waitsForPlugin?: string;
  };
  /** The approval id of the open question. */
  readonly open?: string;
  /** All questions of this chat. Settled ones contain who answered, and when. */
  readonly questions: readonly Question[];
};

/** The result of loading a chat. `missing`: no such chat, or no such API. `failed`: unknown. */
export type LoadedChat<Message extends UIMessage = UIMessage> =
  | { readonly type: 'loaded'; readonly chat: StoredChat<Message> }
  | { readonly type: 'missing' }
  | { readonly type: 'failed' };

/** How to reach the chats. */
export type ChatsApi = {
  /** Default: `/api/chat`. */
  readonly api?: string;
  /** Pass your own for custom headers, credentials or tests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
};

/**
 * Loads a chat with its messages, its draft, the state of its run and its questions. Never throws.
 *
 * @source H4
 */
export async function loadChat<Message extends UIMessage = UIMessage>(
  id: string,
  { api = '/api/chat', fetch = globalThis.fetch }: ChatsApi = {},
): Promise<LoadedChat<Message>> {
  try {
    const response = await fetch(`${api}/${encodeURIComponent(id)}`, { cache: 'no-store' });
    if (!response.ok) return { type: isRefusal(response.status) ? 'missing' : 'failed' };
    const chat = parseChat<Message>(await response.json().catch(() => undefined));
    return chat ? { type: 'loaded', chat } : { type: 'missing' };
  } catch (error) {
    reportMistake(error);
    return { type: 'failed' };
  }
}

/** A chat that has not begun. */
export function newChat<Message extends UIMessage = UIMessage>(id: string, title = ''): StoredChat<Message> {
  return { id, title, messages: [], run: { status: 'idle' }, questions: [] };
}

/** Whether a retry is useless: this person has no such chat, or the server has no such API. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 404 || status === 405 || status === 410;
}

/** Messages are the SDK's own: their parts keep its types. */
const readMessage: Read<UIMessage> = (value) =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  (value.role === 'user' || value.role === 'assistant') &&
  Array.isArray(value.parts) &&
  value.parts.every(isPart)
    ? (value as unknown as UIMessage)
    : undefined;

const readRun = object<StoredChat['run']>({
  status: oneOf('idle', 'active', 'waiting', 'failed'),
  waitsForPlugin: optional(text),
});

const readChat = object<Partial<StoredChat> & Pick<StoredChat, 'id' | 'messages' | 'run'>>({
  id: text,
  title: optional(text),
  messages: listOf(readMessage),
  run: readRun,
  draft: optional(text),
  drafts: optional(listOf(readDraft)),
  open: optional(text),
  questions: optional((value) => anyItems(value)?.flatMap((question) => parseQuestion(question) ?? [])),
});

/** Parses the response to `GET /api/chat/{id}`; `undefined` when the value is no chat. Messages keep the SDK's types. */
export function parseChat<Message extends UIMessage>(value: unknown): StoredChat<Message> | undefined {
  const chat = readChat(value);
  return chat && { title: '', questions: [], ...chat, messages: chat.messages as Message[] };
}
