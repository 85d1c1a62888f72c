import { LRUCache } from 'lru-cache';
import type { SubscriptionEvent } from '../../protocol/wire/subscription-event.ts';
import type { DeliveryFailure } from '../../settings/subscriptions.ts';
import type { ReportedQuestion } from '../question-summary.ts';
import { findMessages } from './find-messages.ts';
import { messageOf, questionMetadata, type SlackMessage, type SlackMetadata } from './message.ts';
import { type Noticed, noticeMessage } from './notice-message.ts';
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

/** Posts a message for each question, and shows its state and its outcome in it. */
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
  const { api, identity, settings, words, clock } = parts;
  const known = new LRUCache<string, string>({ max: mostRemembered });
  const urlOf = (question: ReportedQuestion, inbox?: string) => settings.inboxUrl?.(question.id) ?? inbox;

  /** @param since when it was posted at the earliest, ISO 8601 */
  async function search(metadata: SlackMetadata, channel: string, since: string, signal: AbortSignal) {
    const { botId } = await identity(signal);
    const where = { channel, metadata, since: Date.parse(since), now: clock.now(), botId };
    return findMessages(api, where, signal);
  }

  /** Posts a message, unless the channel has it. @returns its `ts` */
  async function post(message: SlackMessage, channel: string, since: string, signal: AbortSignal) {
    const [found] = await search(message.metadata, channel, since, signal);
    if (found !== undefined) return found;
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
    const remembered = known.get(question.id);
    const all =
      remembered === undefined
        ? await search(questionMetadata(question.id), channel, question.requestedAt, signal)
        : [remembered];
    for (const ts of all) await show(messageOf(question, { words, url }), { channel, ts }, signal);
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
        const noticed = question.state === 'open' ? noticedIn(event) : undefined;
        if (noticed) {
          await update(question, channel, url, signal);
          await post(noticeMessage(question, noticed, { words, url }), channel, event.timestamp, signal);
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        const { message: failed, retryAfterMs } = error;
        return { failed, ...(retryAfterMs !== undefined && { retryAfterMs }) };
      }
    },
  };
}

/** The step or reminder that an event reports. */
function noticedIn(event: SubscriptionEvent): Noticed | undefined {
  const { id } = event;
  if (event.type === 'question.reminded') return { id };
  if (event.type !== 'question.escalated') return undefined;
  const { label } = event.data;
  return { id, step: label === undefined ? {} : { label } };
}
