import { type SlackChannelSettings, slackChannel } from 'countersign/plugins/slack';
import { questionHref } from '../inbox/question-href.ts';
import type { Channel, Environment } from './channel.ts';
import { words } from './lines.ts';

/** The channel of Slack in which questions are posted. */
type SlackSettings = Pick<SlackChannelSettings, 'token' | 'signingSecret' | 'apiUrl'> & {
  readonly channel: string;
};

/**
 * Reads the variables of the Slack app.
 *
 * @throws Error that names the variables if only some of them are set
 */
export function slackFrom({
  COUNTERSIGN_SLACK_TOKEN: token,
  COUNTERSIGN_SLACK_SIGNING_SECRET: signingSecret,
  COUNTERSIGN_SLACK_CHANNEL: channel,
  COUNTERSIGN_SLACK_API_URL: apiUrl,
}: Environment): SlackSettings | undefined {
  if (!token && !signingSecret && !channel) return undefined;
  if (token && signingSecret && channel) {
    return { token, signingSecret, channel, apiUrl: apiUrl || undefined };
  }
  throw new Error(
    'Set all of COUNTERSIGN_SLACK_TOKEN, COUNTERSIGN_SLACK_SIGNING_SECRET and COUNTERSIGN_SLACK_CHANNEL, or none.',
  );
}

/** The channel of Slack in which the app asks. */
export const slack: Channel = (environment, { people, url }) => {
  const settings = slackFrom(environment);
  return (
    settings &&
    (() =>
      slackChannel({
        ...settings,
        principalOf: (slackUserId) => people.find((person) => person.slack === slackUserId)?.principal,
        ...(url !== undefined && { inboxUrl: (id) => `${url}${questionHref({ id })}` }),
        logger: console,
        words,
      }))
  );
};
