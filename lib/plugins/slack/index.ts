export type { ReportedQuestion } from '../../channels/question-summary.ts';
export { type SlackChannel, slackChannel } from './slack-channel.ts';
export type { SlackChannelSettings } from './slack-settings.ts';
export { defaultSlackWords, type SlackWords } from './slack-words.ts';
