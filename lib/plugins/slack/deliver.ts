import { LRUCache } from 'lru-cache';
import type { ReportedQuestion } from '../../channels/question-summary.ts';
import { isSameJson } from '../../protocol/index.ts';
import type { DeliveryFailure } from '../../protocol/subscriber.ts';
import type { SubscriptionEvent } from '../../protocol/wire/subscription-event.ts';
import { type FoundMessage, findMessages, type Search } from './find-messages.ts';
import { messageOf, questionMetadata, type SlackMessage, type SlackMetadata } from './message.ts';
import { hasNotices, noticedBy, noticeMessage } from './notice-message.ts';
import { SlackError } from './slack-api.ts';
import type { SlackParts } from './slack-parts.ts';

/** Only saves searches. What is not in it is found in the channel. */
const mostRemembered = 10_000;

/** Errors after which a message will never show the outcome, because nobody can see it, or Slack does not change it any more. */
const notChangeable: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** Posts a message for each question, and for what plugins report about it, and shows the outcome in all of them. */
export type SlackMessages = {
  deliver(event: SubscriptionEvent, signal: AbortSignal): Promise<DeliveryFailure | undefined>;
  /** Shows a question as it is now in one message. @throws SlackError */
  show(question: Parameters<typeof messageOf>[0], where: { channel: string; ts: string }): Promise<void>;
};

/**
 * Before a message is posted, the channel is searched for it, because an event is delivered again if the process died before the
 * delivery was recorded. Slack has no idempotency key for messages.
 *
 * @source ADR 0051.2
 */
export function createSlackMessages(parts: SlackParts): SlackMessages {
  const { api, settings, words } = parts;
  const known = new LRUCache<string, string>({ max: mostRemembered });
  const urlOf = (question: ReportedQuestion, inbox?: string) => settings.inboxUrl?.(question.id) ?? inbox;

  /** Posts a message, unless the channel has it. @returns its `ts` */
  async function post(message: SlackMessage, channel: string, since: string, signal: AbortSignal) {
    const wanted = { matches: isSame(message.metadata), areSeveral: false };
    const [found] = await search(parts, wanted, { channel, since }, signal);
    if (found !== undefined) return found.ts;
    const quiet = { unfurl_links: false, unfurl_media: false };
    const { ts } = await api('chat.postMessage', { channel, ...quiet, ...message }, signal);
    return typeof ts === 'string' ? ts : undefined;
  }

  async function open(
    question: ReportedQuestion,
    channel: string,
    url: string | undefined,
    signal: AbortSignal,
  ) {
    const ts = await post(messageOf(question, { words, url }), channel, question.requestedAt, signal);
    if (ts !== undefined) known.set(question.id, ts);
  }

  async function update(
    question: ReportedQuestion,
    channel: string,
    url: string | undefined,
    signal: AbortSignal,
  ) {
    for (const { ts, metadata } of await messagesOf(question, channel, signal)) {
      const event = noticedBy(metadata);
      const message =
        event === undefined
          ? messageOf(question, { words, url })
          : noticeMessage(question, event, { words, url });
      await show(message, { channel, ts }, signal);
    }
  }

  /** The messages that show the question: its own, and once it is no longer open, those about what plugins have reported. */
  async function messagesOf(
    question: ReportedQuestion,
    channel: string,
    signal: AbortSignal,
  ): Promise<readonly FoundMessage[]> {
    const { id, state, requestedAt } = question;
    const metadata = questionMetadata(id);
    const ts = known.get(id);
    const own = ts === undefined ? [] : [{ ts, metadata }];
    const areSeveral = state !== 'open' && hasNotices(question);
    if (own.length > 0 && !areSeveral) return own;
    const matches = areSeveral
      ? (other: SlackMetadata) => other.event_payload.question === id
      : isSame(metadata);
    const found = await search(parts, { matches, areSeveral }, { channel, since: requestedAt }, signal);
    return [...own, ...found.filter((message) => message.ts !== ts)];
  }

  async function show(message: object, where: { channel: string; ts: string }, signal?: AbortSignal) {
    try {
      await api('chat.update', { ...where, ...message }, signal);
    } catch (error) {
      const { code } = error instanceof SlackError ? error : {};
      if (code === undefined || !notChangeable.has(code)) throw error;
    }
  }

  return {
    show: (question, where) => show(messageOf(question, { words, url: urlOf(question) }), where),

    async deliver(event, signal) {
      if (!('question' in event.data)) return undefined;
      const { question, links } = event.data;
      const channel = settings.channel(question);
      if (channel === undefined) return undefined;
      const url = urlOf(question, links?.inbox);
      try {
        // A question that was decided before its delivery needs nobody any more.
        if (question.state !== 'open') await update(question, channel, url, signal);
        else if (event.type === 'question.opened') await open(question, channel, url, signal);
        if (question.state === 'open' && 'plugin' in event.data) {
          await update(question, channel, url, signal);
          await post(noticeMessage(question, event.id, { words, url }), channel, event.timestamp, signal);
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        const { message: failed, retryAfterMs } = error;
        return { failed, retryAfterMs };
      }
    },
  };
}

/** @param where.since when they were posted at the earliest, ISO 8601 */
async function search(
  { api, identity, clock }: SlackParts,
  wanted: Pick<Search, 'matches' | 'areSeveral'>,
  { channel, since }: { readonly channel: string; readonly since: string },
  signal: AbortSignal,
) {
  const { botId } = await identity(signal);
  const where = { channel, since: Date.parse(since), now: clock.now(), botId };
  return findMessages(api, { ...wanted, ...where }, signal);
}

const isSame = (wanted: SlackMetadata) => (metadata: SlackMetadata) => isSameJson(metadata, wanted);
