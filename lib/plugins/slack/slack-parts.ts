import { z } from 'zod';
import type { ReportedQuestion } from '../../channels/question-summary.ts';
import type { Clock } from '../../protocol/index.ts';
import { createSlackApi, type SlackApi } from './slack-api.ts';
import type { SlackChannelSettings } from './slack-settings.ts';
import { defaultSlackWords, type SlackWords } from './slack-words.ts';

/** Who the app is in Slack. */
export type SlackIdentity = { readonly botId: string; readonly teamId: string };

/** What deliveries and interactions share. */
export type SlackParts = {
  readonly settings: Omit<SlackChannelSettings, 'channel'> & {
    channel(question: ReportedQuestion): string | undefined;
  };
  readonly api: SlackApi;
  /** Read once. @throws SlackError */
  identity(signal?: AbortSignal): Promise<SlackIdentity>;
  readonly words: SlackWords;
  readonly clock: Clock;
};

const identitySchema = z.object({ bot_id: z.string(), team_id: z.string() });

/** @param settings checked */
export function createSlackParts(settings: SlackChannelSettings, clock: Clock): SlackParts {
  const { token, apiUrl = 'https://slack.com/api', channel } = settings;
  const api = createSlackApi({ token, apiUrl });
  let known: SlackIdentity | undefined;
  return {
    settings: { ...settings, channel: typeof channel === 'string' ? () => channel : channel },
    api,
    async identity(signal) {
      if (known) return known;
      const { bot_id: botId, team_id: teamId } = identitySchema.parse(await api('auth.test', {}, signal));
      known = { botId, teamId };
      return known;
    },
    words: { ...defaultSlackWords, ...settings.words },
    clock,
  };
}
