export type { ReportedQuestion } from '../../channels/question-summary.ts';
export { emailChannel } from './email-channel.ts';
export type {
  EmailChannelSettings,
  Mail,
  MailAddress,
  MailTransport,
  Recipient,
} from './email-settings.ts';
export { defaultEmailWords, type EmailWords } from './email-words.ts';
