import type { EventReference, FlowStore } from '../../log/store/index.ts';
import type { ApprovalId, ChatId, EventOf, FlowEvent, Question } from '../../protocol/index.ts';
import type { Subscriber } from '../../protocol/subscriber.ts';
import { encode } from '../../protocol/wire/codec.ts';
import {
  eventTypes,
  reportedQuestionSchema,
  type SubscriptionEvent,
} from '../../protocol/wire/subscription-event.ts';
import { mayRead } from '../../rights/permissions.ts';
import { questionView } from '../../rights/question-rights.ts';
import { noRights, visibleRights } from '../../rights/rights-to.ts';
import { evidenceWithoutChats } from '../../rights/shown-evidence.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { withCurrentId } from '../../settings/former-ids.ts';
import { redactEvents } from '../../views/reader/redact-events.ts';
import { isReferred } from './feed-events.ts';
import { defaultDueSoonMs } from './settings.ts';

/** What the content of events is read from. */
export type EventSource = {
  readonly settings: FlowSettings;
  readonly store: FlowStore;
  /** @see SubscriptionSettings.baseUrl */
  readonly baseUrl?: string | undefined;
};

type Links = { readonly links?: { readonly inbox: string; readonly chat: string } };
/** An event that no plugin reports. */
type KernelEvent = Exclude<SubscriptionEvent, { readonly data: { readonly plugin: string } }>;
type QuestionType = Extract<(typeof eventTypes)[number], `question.${string}`>;

/**
 * The content of an event, as its subscriber may see it now.
 *
 * @returns `undefined` if the chat was erased, or the subscriber may not see it
 * @source ADR 0043.8
 */
export async function renderEvent(
  source: EventSource,
  given: Pick<Subscriber, 'principal' | 'dueSoonMs'>,
  { id, reference }: { readonly id: string; readonly reference: EventReference },
): Promise<SubscriptionEvent | undefined> {
  const principal = given.principal && withCurrentId(source.settings, given.principal);
  const subscriber = principal ? { ...given, principal } : given;
  if (reference.approvalId !== undefined) return renderQuestion(source, subscriber, id, reference);
  const { chatId, seq } = reference;
  const { store, settings, baseUrl } = source;
  const [event] = await store.events.read(chatId, seq - 1, 1);
  const head = await store.chats.head(chatId);
  if (!head || !isReferred(id, chatId, event)) return undefined;
  const maySeeChat = principal !== undefined && (await mayRead(settings, principal, head));
  if (principal && !maySeeChat) return undefined;
  const facts = { id, timestamp: isoTime(event.at) };
  const shared = { chatId, ...linksTo(baseUrl, chatId) };
  switch (event.type) {
    case 'plugin-event':
      // Its reference names the question.
      return undefined;
    case 'tool-failed': {
      const requested = await callOf(store, chatId, event);
      if (!requested) return undefined;
      const { toolCallId, toolName, title, description } = requested;
      const named = { toolCallId, toolName, title };
      const shown = maySeeChat && description !== undefined ? { description } : {};
      return { ...facts, type: 'outcome.unknown', data: { ...shared, ...named, ...shown } };
    }
    case 'run-failed': {
      const shown = maySeeChat ? { error: event.error } : {};
      return { ...facts, type: 'turn.failed', data: { ...shared, runId: event.runId, ...shown } };
    }
    case 'run-completed':
    case 'run-cancelled': {
      const outcome = event.type === 'run-completed' ? 'completed' : event.reason;
      return { ...facts, type: 'turn.ended', data: { ...shared, runId: event.runId, outcome } };
    }
  }
}

async function renderQuestion(
  { store, settings, baseUrl }: EventSource,
  { principal, dueSoonMs = defaultDueSoonMs }: Pick<Subscriber, 'principal' | 'dueSoonMs'>,
  id: string,
  { approvalId, type, seq }: EventReference & { readonly approvalId: ApprovalId },
): Promise<SubscriptionEvent | undefined> {
  const question = await store.questions.read(approvalId);
  if (!question) return undefined;
  const rights = principal
    ? await visibleRights(settings, principal, question)
    : { ...noRights, ...evidenceWithoutChats(question) };
  if (!rights) return undefined;
  const json = encode(reportedQuestionSchema, questionView(question, rights));
  const data = { question: json, ...linksTo(baseUrl, question.chatId) };
  if (seq !== undefined) {
    const [event] = await store.events.read(question.chatId, seq - 1, 1);
    if (event?.type !== 'plugin-event' || !isReferred(id, question.chatId, event)) return undefined;
    const { plugin, says } = event;
    return {
      id,
      timestamp: isoTime(event.at),
      type: `question.${event.name}`,
      data: { ...data, plugin, says },
    };
  }
  if (!isQuestionType(type)) return undefined;
  const at = await timeOf(store, type, question, dueSoonMs);
  if (at === undefined) return undefined;
  const event: KernelEvent = { id, timestamp: isoTime(at), type, data };
  return event;
}

function isQuestionType(type: string): type is QuestionType {
  return type.startsWith('question.') && eventTypes.some((known) => known === type);
}

/** When it happened. Only the log has the time of a withdrawal: `undefined` if the chat was erased meanwhile. */
async function timeOf(
  store: FlowStore,
  type: QuestionType,
  { id, chatId, requestedAt, answer, deadline }: Question,
  dueSoonMs: number,
): Promise<number | undefined> {
  switch (type) {
    case 'question.opened':
      return requestedAt;
    case 'question.due-soon':
      return deadline === undefined ? requestedAt : deadline - dueSoonMs;
    case 'question.settled':
      return answer?.at ?? requestedAt;
    case 'question.withdrawn': {
      const isEnd = (event: FlowEvent) => event.type === 'approval-withdrawn' && event.approvalId === id;
      return (await store.events.read(chatId, 0)).find(isEnd)?.at;
    }
  }
}

/** The request of a call, redacted. */
async function callOf(
  store: FlowStore,
  chatId: ChatId,
  { toolCallId }: EventOf<'tool-failed'>,
): Promise<EventOf<'tool-requested'> | undefined> {
  const events = redactEvents(await store.events.read(chatId, 0));
  return events.find(
    (event): event is EventOf<'tool-requested'> =>
      event.type === 'tool-requested' && event.toolCallId === toolCallId,
  );
}

function linksTo(baseUrl: string | undefined, chatId: ChatId): Links {
  const base = baseUrl?.replace(/\/+$/, '');
  if (base === undefined) return {};
  return { links: { inbox: `${base}/inbox`, chat: `${base}/chats/${encodeURIComponent(chatId)}` } };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
