import type { ReportedQuestion } from '../../channels/question-summary.ts';
import type { Clock, Logger, Principal } from '../../protocol/index.ts';
import {
  anything,
  byKind,
  checkSettings,
  clock,
  func,
  listOf,
  logger,
  type SettingCheck,
  secret,
  unfit,
} from '../../protocol/settings.ts';
import type { Subscriber } from '../../protocol/subscriber.ts';
import { loopbackHosts } from '../../server/guard.ts';
import type { SlackWords } from './slack-words.ts';

/** The settings of `slackChannel`. */
export type SlackChannelSettings = Pick<Subscriber, 'principal'> & {
  /** Names the subscription in the store. Default: `slack`. */
  readonly id?: string;
  /** The token of the app's bot, `xoxb-…`. */
  readonly token: string;
  /** The signing secret of the Slack app. While you replace it, a list of both. */
  readonly signingSecret: string | readonly string[];
  /**
   * The id of the channel, such as `C0123456789`, or a function that returns it; `undefined` sends no message. It must return the same
   * channel for the outcome of a question.
   */
  readonly channel: string | ((question: ReportedQuestion) => string | undefined);
  /**
   * The person who uses a Slack account. `undefined` and `null` refuse the account. Look it up in your own directory: names and
   * addresses in Slack can be changed by their users.
   *
   * @param slackUserId such as `U0123456789`, of the app's own workspace
   */
  readonly principalOf: (
    slackUserId: string,
  ) => Principal | null | undefined | Promise<Principal | null | undefined>;
  /**
   * Returns the address of the page on which a signed-in person answers. Everyone in the channel sees it, so it must not be a link that
   * signs somebody in. Default: the inbox, if the flow has a `baseUrl`.
   */
  readonly inboxUrl?: (approvalId: string) => string;
  /** Texts, for example in another language. Default: English. */
  readonly words?: Partial<SlackWords>;
  /**
   * Keeps the process alive for work that takes longer than the response, such as `after` of Next or `waitUntil` of a serverless
   * platform. Servers that stay up do not need it.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /** Slack's Web API. Default: `https://slack.com/api`. For GovSlack: `https://slack-gov.com/api`. */
  readonly apiUrl?: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
};

const botToken: SettingCheck = (value, path) => {
  if (typeof value !== 'string' || !/^xoxb-[\w-]+$/.test(value))
    unfit(path, 'must be the token of a bot, which begins with `xoxb-`');
};

const secrets: SettingCheck = (value, path) => {
  byKind({ string: secret, list: listOf(secret) }, 'must be a secret, or a list of secrets')(value, path);
  if (Array.isArray(value) && value.length === 0) unfit(path, 'must contain a secret');
};

const channelId: SettingCheck = (value, path) => {
  if (!/^[CDG][A-Z0-9]{2,}$/.test(String(value)))
    unfit(
      path,
      'must be the id of a channel, such as `C0123456789`: Slack shows it in the details of the channel',
    );
};

const apiAddress: SettingCheck = (value, path) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isPlain = url !== null && `${url.origin}${url.pathname}`.replace(/\/$/, '') === value;
  const isSafe = url?.protocol === 'https:' || loopbackHosts.includes(url?.hostname ?? '');
  if (!isPlain || !isSafe) unfit(path, 'must be an address with https, without a query or a trailing slash');
};

/** The flow checks the id and the principal. */
const checks = {
  id: anything,
  principal: anything,
  token: botToken,
  signingSecret: secrets,
  channel: byKind({ string: channelId, function: anything }, 'must be the id of a channel, or a function'),
  principalOf: func,
  inboxUrl: func,
  words: anything,
  waitUntil: func,
  apiUrl: apiAddress,
  logger,
  clock,
} satisfies Record<keyof SlackChannelSettings, SettingCheck>;

/** @throws CountersignError `invalid-settings` */
export function checkSlackSettings(settings: SlackChannelSettings): void {
  checkSettings('slackChannel', settings, checks, ['token', 'signingSecret', 'channel', 'principalOf']);
}
