import type { SlackChannelSettings } from 'countersign/slack';

/** The channel of Slack in which questions are posted. */
export type SlackSettings = Pick<SlackChannelSettings, 'token' | 'signingSecret' | 'apiUrl'> & {
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
}: Readonly<Record<string, string | undefined>>): SlackSettings | undefined {
  if (!token && !signingSecret && !channel) return undefined;
  if (token && signingSecret && channel) {
    return { token, signingSecret, channel, ...(apiUrl && { apiUrl }) };
  }
  throw new Error(
    'Set all of COUNTERSIGN_SLACK_TOKEN, COUNTERSIGN_SLACK_SIGNING_SECRET and COUNTERSIGN_SLACK_CHANNEL, or none.',
  );
}
