import type { UIMessage } from 'ai';
import type { ApprovalFlow } from '../../../flow/approval-flow.ts';
import { type ChatId, createChatId, type Principal, type RunId } from '../../../protocol/index.ts';
import { nullIfNotFound } from '../../../server/errors.ts';
import { refuseParam } from '../errors.ts';
import { chatOfId } from '../ids.ts';
import { derivedId, type EndUser, endUserOf } from '../request/end-user.ts';
import type { ReadInput, SpokenPart } from '../request/input.ts';
import type { ResponsesRequest } from '../request/request-schema.ts';
import { claimsOf } from './client-history.ts';
import { heldItems, relationTo } from './held-items.ts';
import { chatOfRequest } from './named-chat.ts';
import { chatBefore } from './older-response.ts';
import { chatOfKey, type Once } from './once.ts';
import { chatOfItems, continues, type KnownChat } from './recent-questions.ts';

/** Headers by which clients name a conversation, the most specific first. Codex CLI sends the first three. */
const sessionHeaders = ['thread-id', 'session_id', 'session-id', 'x-session-id'] as const;

const longestKey = 512;

/** The conversation of a request, and what of its input is new there. */
export type Conversation = {
  /** The chat to continue; `undefined`: the request begins one. */
  readonly chatId?: ChatId;
  readonly newChatId: ChatId;
  /** For a new chat if `newChatId` was derived, and is taken by another person or belongs to an erased chat. */
  readonly freeChatId?: ChatId;
  /** What a new chat begins with. */
  readonly history: readonly UIMessage[];
  /** The parts of the new message. */
  readonly parts: readonly SpokenPart[];
  /** The run whose open question is the response: nothing is sent to the flow. */
  readonly repeats?: RunId;
};

/** What decides about the conversation, apart from the input. */
export type Correspondence = {
  readonly principal: Principal;
  readonly headers: Headers;
  readonly body: ResponsesRequest;
  /** For a chat and a message that a repeated request must not begin twice. */
  readonly once?: Once;
  /** The client shows no questions, so it cannot withdraw one by writing on. */
  readonly asksInText: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
};

/**
 * Finds the conversation of a request: by the key that it was sent with before, by `conversation`, `previous_response_id` or an id of ours in the input, by a
 * session header or `prompt_cache_key`, or by its items.
 *
 * @throws CountersignError `invalid-request`, `not-found`
 * @source C15, ADR 0014
 */
export async function conversationOf(
  flow: ApprovalFlow,
  request: Correspondence,
  input: ReadInput,
): Promise<Conversation> {
  const { principal, body, once } = request;
  const endUser = endUserOf(principal, body);
  const newChatId = endUser.mark(once?.id ?? createChatId());
  const repeated = once && (await chatOfKey(flow, principal, once));
  // The flow knows the message, so of its parts only that there are some counts.
  if (repeated)
    return { chatId: repeated, newChatId, history: [], parts: spokenIn(input.speeches).slice(-1) };
  const named = chatOfRequest(body, input);
  if (named) {
    if (!endUser.owns(named)) throw refuseParam('not-found', nameOf(body), `There is no chat ${named}.`);
    return ofNamed(flow, request, input, { named, newChatId });
  }
  const isAnswer = input.answers.length > 0 || input.outputs.length > 0;
  const begun = { newChatId, history: claimsOf(input), parts: tailOf(input) };
  if (isAnswer || !endUser.isKnown) return begun;

  const session = sessionOf(request.headers);
  if (session !== undefined) {
    const chatId = endUser.mark(derivedId('session', [...endUser.seed, session]));
    const known = await readChat(flow, principal, chatId);
    return known ? ofKnown(known, newChatId, input, 'repeat') : derived(begun, chatId, once);
  }
  const cached = cacheChat(body, endUser, input);
  const keyed = cached && (await readChat(flow, principal, cached));
  if (keyed && continues(input, keyed.held)) return ofKnown(keyed, newChatId, input, 'repeat');
  const found = await chatOfItems(flow, { ...request, endUser }, input);
  if (found) return ofKnown(found, newChatId, input, 'repeat');
  return cached && !keyed && once === undefined ? derived(begun, cached, once) : begun;
}

/** A conversation that begins under a derived id. A request that must not begin twice has no other id to begin with. */
function derived(begun: Conversation, chatId: ChatId, once: Once | undefined): Conversation {
  return { ...begun, newChatId: chatId, ...(once === undefined && { freeChatId: begun.newChatId }) };
}

/** The conversation of a request that names its chat. */
async function ofNamed(
  flow: ApprovalFlow,
  { principal, body, asksInText }: Correspondence,
  input: ReadInput,
  { named, newChatId }: { readonly named: ChatId; readonly newChatId: ChatId },
): Promise<Conversation> {
  const stays: Conversation = { chatId: named, newChatId, history: [], parts: tailOf(input) };
  if (stays.parts.length === 0) return stays;
  const { conversation, previous_response_id: previous } = body;
  const isAnswer = input.answers.length > 0 || input.outputs.length > 0;
  if (previous && !conversation && !isAnswer) {
    const history = await chatBefore(flow, principal, previous);
    if (history) return { newChatId, history, parts: stays.parts };
  }
  const openQuestion = asksInText && !isAnswer ? 'repeat' : 'withdraw';
  const isStateful = conversation || previous;
  if (isStateful && openQuestion === 'withdraw') return stays;
  const known = await readChat(flow, principal, named);
  if (!known) return stays;
  if (isStateful) return known.held.open === undefined ? stays : { ...stays, repeats: known.held.open };
  return ofKnown(known, newChatId, input, openQuestion);
}

/**
 * What is new of an input whose chat is known: what extends the chat, or else everything after the last item of the
 * server. A client that holds its own history has not read the question of its chat, so that question is repeated.
 */
function ofKnown(
  { chatId, held }: KnownChat,
  newChatId: ChatId,
  input: ReadInput,
  openQuestion: 'repeat' | 'withdraw',
): Conversation {
  const relation = relationTo(input, held);
  const spoken = spokenIn(input.speeches);
  const repeatsAll = relation?.type === 'equal' && input.tail === 0 && openQuestion === 'withdraw';
  const parts = relation?.type === 'extends' || repeatsAll ? spoken.slice(relation.known) : tailOf(input);
  const repeats = openQuestion === 'repeat' ? held.open : undefined;
  return { chatId, newChatId, history: [], parts, repeats };
}

function tailOf({ speeches, tail }: ReadInput): SpokenPart[] {
  return spokenIn(speeches.slice(tail));
}

function spokenIn(speeches: ReadInput['speeches']): SpokenPart[] {
  return speeches.flatMap((speech) => (speech.role === 'user' ? [speech.part] : []));
}

async function readChat(
  flow: ApprovalFlow,
  principal: Principal,
  chatId: ChatId,
): Promise<KnownChat | undefined> {
  const events = await flow.chats.timeline({ principal, chatId }).catch(nullIfNotFound);
  return events ? { chatId, held: heldItems(events) } : undefined;
}

function sessionOf(headers: Headers): string | undefined {
  const given = sessionHeaders.map((name) => headers.get(name)).find((value) => value);
  return given?.slice(0, longestKey);
}

/**
 * The chat of a `prompt_cache_key`. Many programs send one key with all their conversations, so it names a conversation
 * only together with the first words.
 */
function cacheChat(
  { prompt_cache_key: key }: ResponsesRequest,
  endUser: EndUser,
  { speeches }: ReadInput,
): ChatId | undefined {
  if (!key) return undefined;
  const first = speeches.find(({ role }) => role === 'user');
  return endUser.mark(derivedId('prompt-cache-key', [...endUser.seed, key, JSON.stringify(first ?? null)]));
}

/** The field that names the chat of a request. */
function nameOf({ conversation, previous_response_id: previous }: ResponsesRequest): string {
  if (conversation) return 'conversation';
  return previous && chatOfId(previous) ? 'previous_response_id' : 'input';
}
