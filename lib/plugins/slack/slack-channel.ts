import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import type { Subscriber } from '../../protocol/subscriber.ts';
import { createSlackMessages } from './deliver.ts';
import { createSlackHandler } from './handler.ts';
import { createSlackParts } from './slack-parts.ts';
import { checkSlackSettings, type SlackChannelSettings } from './slack-settings.ts';

/** @see slackChannel */
export type SlackChannel = {
  /** Posts questions and shows their outcomes: for the plugin `subscriptions`. */
  readonly subscriber: Subscriber;
  /**
   * The endpoint for Slack's interactions, a `POST` route. Its address is the “Request URL” of the app's “Interactivity & Shortcuts”. It
   * checks Slack's signature, so do not put it behind a sign-in.
   */
  handler(flow: ApprovalFlow): Route;
};

/**
 * Asks in a channel of Slack: a message for each question, with its sentence, arguments, risk and evidence, and with the buttons Approve,
 * Deny and Open, or one for each option. Answers are checked like every other answer. The message then shows the outcome, also if the answer came from elsewhere.
 *
 * The bot needs the scopes `chat:write` and `channels:history` (`groups:history` for a private channel), and must be in the channel.
 *
 * @throws CountersignError `invalid-settings`
 * @example
 * const slack = slackChannel({ token, signingSecret, channel: 'C0123456789', principalOf: (id) => users.bySlackId(id) });
 * const flow = createApprovalFlow({ store, model, plugins: [subscriptions({ subscribers: [slack.subscriber], baseUrl })] });
 * export const POST = slack.handler(flow);
 * @source ADR 0051
 */
export function slackChannel(settings: SlackChannelSettings): SlackChannel {
  checkSlackSettings(settings);
  const { id = 'slack', principal, clock = systemClock } = settings;
  const parts = createSlackParts(settings, clock);
  const messages = createSlackMessages(parts);
  return {
    subscriber: {
      id,
      events: ['question.opened', 'question.*', 'question.settled', 'question.withdrawn'],
      principal,
      deliver: (event, { signal }) => messages.deliver(event, signal),
    },
    handler: (flow) => createSlackHandler({ ...parts, flow, messages }),
  };
}
