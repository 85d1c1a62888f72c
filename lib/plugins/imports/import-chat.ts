import { newChatHead } from '../../log/chat-head.ts';
import { titleOf } from '../../log/chat-title.ts';
import type { ChatHead } from '../../log/store/index.ts';
import {
  type ChatId,
  CountersignError,
  canonicalJson,
  isPrincipal,
  parseChatId,
  personOf,
} from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import { retryOnConflict } from '../../run/retry-on-conflict.ts';
import { runtime } from '../../runtime/runtime.ts';
import { currentId } from '../../settings/former-ids.ts';
import { appendMessages } from './append-messages.ts';
import { isWaiting } from './ask-imported.ts';
import { checkMessages } from './check-messages.ts';
import { chatImported, importMessages } from './import-messages.ts';
import type { CheckedImport, ImportRequest, ImportResult } from './import-request.ts';
import { importWithQuestion } from './import-with-question.ts';

const longestTitle = 200;

/**
 * Creates a chat from existing messages, in one append. None of their calls run here. If the chat was
 * imported with the same messages before, nothing changes, whatever followed. An erased chat stays erased.
 *
 * @throws CountersignError `invalid-request` for invalid messages, if the chat exists with other content, and
 *   if a chat with this id was erased; `payload-too-large`
 * @source ADR 0036
 */
export async function importChat(engine: Engine, request: ImportRequest): Promise<ImportResult> {
  const checked = await checkRequest(engine, request);
  const { chatId } = checked;
  return retryOnConflict(engine, chatId, async () => {
    const found = await engine.store.chats.head(chatId);
    if (found) return unchanged(engine, found, checked);
    await refuseErased(engine, chatId);
    const now = await engine.clock.sure();
    const first = checked.messages.find(({ role }) => role === 'user');
    const head = {
      ...newChatHead(chatId, checked.principal.id, checked.createdAt ?? checked.updatedAt ?? now),
      title: checked.title ?? titleOf(first?.parts ?? []),
    };
    return isWaiting(checked.messages.at(-1))
      ? importWithQuestion(engine, head, checked)
      : importEnded(engine, head, checked);
  });
}

async function checkRequest({ clock }: Engine, request: ImportRequest): Promise<CheckedImport> {
  const chatId = parseChatId(request.chatId);
  const { principal, title, createdAt, updatedAt } = request;
  if (!isPrincipal(principal)) throw refuse('`principal` needs an `id` and a `name`, both strings.', chatId);
  const isTitle = title === undefined || (title.trim() !== '' && title.length <= longestTitle);
  if (!isTitle) throw refuse(`\`title\` must have 1 to ${longestTitle} characters.`, chatId);
  const now = await clock.sure();
  for (const [name, at] of Object.entries({ createdAt, updatedAt })) {
    if (at === undefined || (Number.isInteger(at) && at >= 0 && at <= now)) continue;
    throw refuse(`\`${name}\` must be a time in the past, in epoch milliseconds.`, chatId);
  }
  if (createdAt !== undefined && updatedAt !== undefined && updatedAt < createdAt) {
    throw refuse('`updatedAt` must not be before `createdAt`.', chatId);
  }
  const messages = await checkMessages(request.messages);
  const digest = runtime.digest(canonicalJson(messages));
  return { ...request, chatId, messages, digest };
}

/** @throws CountersignError `invalid-request` if the chat has other content */
async function unchanged(
  { store, settings }: Engine,
  { id: chatId, ownerId, open }: ChatHead,
  { principal, digest }: CheckedImport,
): Promise<ImportResult> {
  const [first] = await store.events.read(chatId, 0, 1);
  if (first?.type !== 'chat-imported') {
    throw refuse(`Chat ${chatId} exists, and was not imported.`, chatId);
  }
  if (currentId(settings, ownerId) !== principal.id) {
    throw refuse(`Chat ${chatId} was imported for another principal.`, chatId);
  }
  if (first.digest !== digest) {
    throw refuse(`Chat ${chatId} was imported with other messages. Import these under a new id.`, chatId);
  }
  return { status: 'unchanged', open: open !== null ? open : undefined };
}

/**
 * A script that imports all chats again would bring erased ones back. And instances distinguish a chat from an erased one with
 * its id by `createdAt`, which an import repeats.
 */
async function refuseErased({ store }: Engine, chatId: ChatId): Promise<void> {
  const erasedAt = await store.erasures.at(chatId);
  if (erasedAt === undefined) return;
  const time = new Date(erasedAt).toISOString();
  throw refuse(`Chat ${chatId} was erased (${time}). To bring its messages back, use a new id.`, chatId);
}

/** Imports a chat without an open question. */
async function importEnded(
  engine: Engine,
  head: ChatHead,
  { principal, messages, digest, updatedAt }: CheckedImport,
): Promise<ImportResult> {
  const { settings } = engine;
  const events = await importMessages({ settings, by: personOf(principal) }, messages);
  return appendMessages(engine, head, [chatImported(digest, principal), ...events], updatedAt);
}

function refuse(message: string, chatId: ChatId): CountersignError {
  return new CountersignError('invalid-request', message, { chatId });
}
