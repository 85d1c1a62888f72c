import { type DocumentWords, documentWords } from '../../channels/document-words.ts';
import { type LineWords, lineWords } from '../../channels/question-lines.ts';
import type { EditWords } from '../../client/words/edit-words.ts';
import { type QuestionWords, questionWords } from '../../client/words/question-words.ts';

/** The texts of a page without a question. */
type Notice = { readonly title: string; readonly text: string };

/** The situations in which a link shows no question. */
export type LinkNotice =
  | 'unknown'
  | 'expired'
  | 'not-yours'
  | 'unavailable-question'
  | 'sign-in'
  | 'foreign-form'
  | 'too-large'
  | 'rate-limited'
  | 'failed';

/**
 * All texts of the pages of answer links. The texts about the question are those of the approval card, so an app can pass the texts that
 * it has for the card.
 *
 * @source ADR 0038, ADR 0045
 */
export type AnswerLinkWords = Omit<
  QuestionWords,
  'spoken' | 'showRepeat' | 'spokenTimeLeft' | 'backToQuestion'
> &
  DocumentWords &
  LineWords &
  Pick<EditWords, 'noChanges'> & {
    /** The title of every page. */
    readonly page: string;
    /** @param name of the person who answers */
    answeringAs(name: string): string;
    /** For links that need no sign-in. */
    readonly keepPrivate: string;
    /** @param at when the effect was determined */
    asOf(at: string): string;
    readonly twoSteps: string;
    readonly approveHighRisk: string;
    readonly youApprove: string;
    readonly youDeny: string;
    readonly confirmApproval: string;
    readonly confirmHighRisk: string;
    readonly confirmDenial: string;
    /** The button that opens the form of a request that needs a value. */
    readonly fillInHere: string;
    /** Replaces `twoSteps` for such a request. */
    readonly fillInNext: string;
    readonly youAnswer: string;
    readonly youDecline: string;
    readonly confirmDecline: string;
    /** The heading of the form. */
    readonly fillIn: string;
    /** The heading of the problems of a form. */
    readonly problemSummary: string;
    readonly back: string;
    /** The request has changed since it was shown. */
    readonly changedSince: string;
    readonly needsDetails: string;
    readonly needsSignIn: string;
    readonly askedAgain: string;
    readonly signIn: string;
    readonly continueHere: string;
    readonly openInbox: string;
    readonly notices: { readonly [Name in LinkNotice]: Notice };
  };

/** Plain English. */
export const defaultAnswerLinkWords: AnswerLinkWords = {
  ...questionWords,
  ...documentWords,
  ...lineWords,
  locale: 'en',
  noChanges: 'No changes.',
  outdated:
    'This tool has changed. You can deny this request, but not approve it. The updated request needs a new link.',
  refused: "Your answer wasn't accepted. Nothing was recorded.",
  via: (source) => (source === 'link' ? 'by link' : questionWords.via(source)),

  page: 'Approval request',
  answeringAs: (name) => `You answer as ${name}.`,
  keepPrivate: 'Keep this link to yourself. Until it expires, anyone who has it can answer as you.',
  asOf: (at) => `As of ${at}`,
  twoSteps: 'You confirm your answer on the next page.',
  approveHighRisk: 'Approve high-risk request',
  youApprove: 'You approve:',
  youDeny: 'You deny:',
  confirmApproval: 'Confirm approval',
  confirmHighRisk: 'Confirm high-risk approval',
  confirmDenial: 'Confirm denial',
  fillInHere: 'Fill in an answer',
  fillInNext: 'You fill in your answer on the next page.',
  youAnswer: 'You answer:',
  youDecline: 'You decline:',
  confirmDecline: 'Confirm that you decline',
  fillIn: 'Your answer',
  problemSummary: 'There is a problem',
  back: 'Back',
  changedSince:
    'This request has changed since you opened it. Nothing was recorded. Check it again before you answer.',
  needsDetails: 'The form of this request cannot be filled in here. Answer it in the inbox, or decline here.',
  needsSignIn: 'This request needs a recent sign-in. Sign in, then answer it in the inbox.',
  askedAgain: 'The request was asked again. This link does not answer the new one.',
  signIn: 'Sign in',
  continueHere: 'Continue',
  openInbox: 'Open in the inbox',
  notices: {
    unknown: {
      title: "This link doesn't work",
      text: 'The address is incomplete, or the link is not from this server. Open the link from the original message again.',
    },
    expired: {
      title: 'This link has expired',
      text: 'Links work for a short time only. Answer from the inbox, or ask for a new link.',
    },
    'not-yours': {
      title: 'This link is for someone else',
      text: "You can't use it. Requests that you can answer are in your inbox.",
    },
    'unavailable-question': {
      title: 'This request is not available',
      text: "It was removed, or you can't see it.",
    },
    'sign-in': {
      title: 'Sign in to continue',
      text: 'This link needs your sign-in. Sign in, then continue here.',
    },
    'foreign-form': {
      title: 'Nothing was recorded',
      text: 'The form did not come from this page. Open the link again.',
    },
    'too-large': {
      title: 'Nothing was recorded',
      text: 'Your answer is too long. Open the link again and shorten it.',
    },
    'rate-limited': { title: 'Too many requests', text: 'Wait a moment, then open the link again.' },
    failed: {
      title: 'Something went wrong',
      text: 'Your answer may not have been recorded. Open the link again to check.',
    },
  },
};
