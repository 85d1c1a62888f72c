import { lineWords } from '../../channels/question-lines.ts';
import type { SummaryWords } from '../../channels/question-summary.ts';
import { type QuestionWords, questionWords } from '../../client/words/question-words.ts';

/**
 * All texts in Slack. Those about the question are those of the approval card.
 *
 * @source ADR 0038, ADR 0051
 */
export type SlackWords = SummaryWords &
  Pick<
    QuestionWords,
    | 'approvalNeeded'
    | 'answerNeeded'
    | 'approve'
    | 'deny'
    | 'options'
    | 'reason'
    | 'reasonHint'
    | 'reasonOnDenyHint'
  > & {
    readonly open: string;
    /** @param name of the person whose chat asks */
    askedBy(name: string): string;
    /** The message does not show the whole request, so it can only be approved on its page. */
    readonly tooLong: string;
    /** The effect has details that the message does not show. */
    readonly moreDetails: string;
    /** The request cannot be approved without values that a person enters. */
    readonly needsDetails: string;
    /** The request is a form, which its page shows. */
    readonly needsAnswer: string;
    /** Nobody has answered yet. */
    readonly reminder: string;
    /** In the dialog that confirms the approval of a high-risk request. */
    readonly confirmTitle: string;
    readonly confirmText: string;
    readonly cancel: string;
    /** The title of the form for a denial. At most 24 characters are shown. */
    readonly denyTitle: string;
    readonly unknownPerson: string;
    readonly notYours: string;
    readonly needsSignIn: string;
    readonly answeredAlready: string;
    /** The answer counts, and the request needs those of other people. */
    readonly waitsForOthers: string;
    readonly changed: string;
    readonly gone: string;
    /** @param outcome how the question ended */
    settledAlready(outcome: string): string;
    /** @param reason written by the person who paused the tool; empty if it is not known */
    paused(reason: string): string;
    readonly failed: string;
  };

/** Plain English. */
export const defaultSlackWords: SlackWords = {
  ...questionWords,
  ...lineWords,
  open: 'Open',
  askedBy: (name) => `Asked by ${name}`,
  tooLong: 'This request is too long for a message. Open it to approve it.',
  moreDetails: 'Open the request for the details of its effect.',
  needsDetails: 'To approve this request, open it and enter the details. You can deny it here.',
  needsAnswer: 'Open this request to fill in the answer, or to decline.',
  reminder: 'Still waiting for an answer',
  confirmTitle: 'Approve this high-risk request?',
  confirmText: 'Check the request in the message before you approve it.',
  cancel: 'Cancel',
  denyTitle: 'Deny the request',
  unknownPerson: "Your Slack account isn't known here, so you can't answer requests. Nothing was recorded.",
  notYours: "You can't answer this request. Nothing was recorded.",
  needsSignIn: 'This request needs a recent sign-in. Open it to answer it. Nothing was recorded.',
  answeredAlready: 'Your answer to this request is recorded already, and cannot be changed.',
  waitsForOthers: 'Your answer is recorded. The request waits for others.',
  changed:
    'This request has changed since it was shown. Nothing was recorded. Check it again before you answer.',
  gone: 'This request is no longer open. Nothing was recorded.',
  settledAlready: (outcome) => `This request was decided already: ${outcome}. Nothing was recorded.`,
  paused: (reason) =>
    `This tool is paused${reason ? `: ${reason}` : ''}. You can deny this request. Nothing was recorded.`,
  failed: "Your answer wasn't accepted. Try again, or open the request.",
};
