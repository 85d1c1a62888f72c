import { LRUCache } from 'lru-cache';
import type { SubscriptionEvent } from '../../protocol/wire/subscription-event.ts';
import type { DeliveryFailure } from '../../settings/subscriptions.ts';
import type { ReportedQuestion } from '../question-summary.ts';
import { findMessages } from './find-messages.ts';
import { messageOf } from './message.ts';
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

/** Posts a message for each question, and shows the outcome in it. */
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

  async function search(question: ReportedQuestion, channel: string, signal: AbortSignal) {
    const { botId } = await identity(signal);
    const requestedAt = Date.parse(question.requestedAt);
    const where = { channel, id: question.id, requestedAt, now: clock.now(), botId };
    return findMessages(api, where, signal);
  }

  async function post(
    question: ReportedQuestion,
    channel: string,
    url: string | undefined,
    signal: AbortSignal,
  ) {
    const [found] = await search(question, channel, signal);
    if (found !== undefined) return void known.set(question.id, found);
    const message = messageOf(question, { words, url });
    const quiet = { unfurl_links: false, unfurl_media: false };
    const { ts } = await api('chat.postMessage', { channel, ...quiet, ...message }, signal);
    if (typeof ts === 'string') known.set(question.id, ts);
  }

  async function update(
    question: ReportedQuestion,
    channel: string,
    url: string | undefined,
    signal: AbortSignal,
  ) {
    const remembered = known.get(question.id);
    const all = remembered === undefined ? await search(question, channel, signal) : [remembered];
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
        else if (event.type === 'question.opened') await post(question, channel, url, signal);
        return undefined;
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        const { message: failed, retryAfterMs } = error;
        return { failed, ...(retryAfterMs !== undefined && { retryAfterMs }) };
      }
    },
  };
}
