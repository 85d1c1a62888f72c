import type { SlackChannelSettings } from 'countersign/plugins/slack';

/** The channel of Slack in which questions are posted. */
export type SlackSettings = Pick<SlackChannelSettings, 'token' | 'signingSecret' | 'apiUrl'> & {
  readonly channel: string;
};

/** The mail server, and the address of the sender. */
export type EmailSettings = { readonly smtpUrl: string; readonly from: string };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables for e-mail.
 *
 * @param url the public address of the app, for links
 * @throws Error that names the variable and the expected value
 */
export function emailFrom(
  { COUNTERSIGN_SMTP_URL: smtpUrl, COUNTERSIGN_EMAIL_FROM: from }: Environment,
  url: string | undefined,
): EmailSettings | undefined {
  if (!smtpUrl && !from) return undefined;
  if (!smtpUrl || !from)
    throw new Error('Set both COUNTERSIGN_SMTP_URL and COUNTERSIGN_EMAIL_FROM, or neither.');
  if (!/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? '')) {
    throw new Error(
      'COUNTERSIGN_SMTP_URL must be an address such as smtps://user:password@mail.example.com.',
    );
  }
  if (url === undefined)
    throw new Error('E-mail needs COUNTERSIGN_URL, because messages have links to the app.');
  return { smtpUrl, from };
}

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
