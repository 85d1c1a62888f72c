import type { EarlierCall, Question, QuestionAnswer, QuestionState, Repeat } from '../question.ts';
import { readableName } from '../text/readable-name.ts';
import { type TimeLeft, timeLeft } from '../text/time-left.ts';

/** A question's place in its queue. */
type Position = NonNullable<Question['position']>;

/** How long ago something was, as far as that is known. */
function ago(passed: TimeLeft | undefined): string {
  return passed ? `${lengthOf(passed)} ago` : 'earlier';
}

/** The outcome of an earlier call like this one, in words, and its time. */
function repeated(outcome: Repeat['outcome'], passed?: TimeLeft): string {
  const when = ago(passed);
  switch (outcome) {
    case 'approved':
      return `The same request was approved ${when}.`;
    case 'running':
      return `The same request was started ${when} and is still running.`;
    case 'completed':
      return `The same request ran ${when}.`;
    case 'failed':
      return `The same request failed ${when}.`;
    case 'unknown':
      return `The same request was started ${when}. Its outcome is unknown.`;
  }
}

/** The outcome of an earlier call of the turn. */
function earlier({ toolName, title, outcome, error }: EarlierCall): string {
  const what = outcome === 'unknown' ? 'outcome unknown' : 'failed';
  return `${title ?? readableName(toolName)}: ${what}.${error === undefined ? '' : ` ${error}`}`;
}

/** A length of time in its largest unit. */
function lengthOf({ hours, minutes }: TimeLeft): string {
  if (hours + minutes === 0) return 'less than a minute';
  const days = Math.floor(hours / 24);
  const [unit, count] = days > 0 ? ['day', days] : hours > 0 ? ['hour', hours] : ['minute', minutes];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** "Approved: up to 100", without a verb that only repeats the outcome. */
function chosen(isApproved: boolean, label: string): string {
  const outcome = isApproved ? 'Approved' : 'Denied';
  const more = label.replace(isApproved ? /^approve\b\s*/i : /^deny\b\s*/i, '');
  return more === '' ? outcome : `${outcome}: ${more}`;
}

const risks = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' } as const;

/** Plain English. */
export const questionWords = {
  /** The first part of the card's name. The sentence about the call follows. */
  approvalNeeded: 'Approval needed',
  /** The same for a question that a value answers. */
  answerNeeded: 'Answer needed',
  /** The top line of the card. */
  kicker: 'Your approval is needed',
  /** The same for a question that a value answers. */
  valueKicker: 'Your answer is needed',
  /** The same, for a person who may not answer. */
  notYoursKicker: 'Waiting for approval',
  settledKicker: 'Decided',
  /** A question's place in its queue. `undefined` shows nothing: the only question needs no number. */
  place({ index, of }: Position): string | undefined {
    if (of === undefined) return index === 1 ? undefined : `Request ${index}`;
    return of === 1 ? undefined : `${index} of ${of}`;
  },
  risk: (risk: NonNullable<Question['risk']>): string => risks[risk],
  /** The question as one announcement, for people who do not see the card appear. */
  spoken({ title, description, risk, riskReason, repeatOf, ...question }: Question): string {
    const { position, earlier: failed = [] } = question;
    const place = position && `, request ${position.index}${position.of ? ` of ${position.of}` : ''}`;
    const sentence = `${title}: ${description.replace(/[.!?]$/, '')}`;
    const repeat = repeatOf && repeated(repeatOf.outcome, timeLeft(Date.now() - Date.parse(repeatOf.at)));
    return [
      `Approval needed${place ?? ''}`,
      sentence,
      repeat?.slice(0, -1),
      ...failed.map((call) => earlier(call).replace(/[.]$/, '')),
      risk && `${risk} risk${riskReason ? `: ${riskReason}` : ''}`,
    ]
      .filter(Boolean)
      .join('. ');
  },
  /** How long the question has been open. */
  waiting: (passed: TimeLeft): string => `Waiting for ${lengthOf(passed)}`,
  /**
   * Says that the same call ran or was approved within the previous day.
   *
   * @param passed how long ago; absent until it is known
   */
  repeated,
  /** The link to that call. */
  showRepeat: 'View it',
  /**
   * How often the asker completed calls about the same, and the last denial. @param history `count` 100 stands for 100 or more;
   * `passed` since the last one
   */
  history({
    subject,
    count,
    passed,
    denied,
  }: {
    subject: string;
    count: number;
    passed?: TimeLeft;
    denied?: { by: string; passed?: TimeLeft } | undefined;
  }): string {
    const denial = denied && `Last denied ${ago(denied.passed)} by ${denied.by}.`;
    if (count === 0)
      return denial ? `Never completed for ${subject}. ${denial}` : `First time for ${subject}.`;
    const times = count === 1 ? 'Once' : `${count}${count === 100 ? ' or more' : ''} times`;
    const completed = `${times} before for ${subject}${passed ? `, last ${ago(passed)}` : ''}.`;
    return [completed, denial].filter(Boolean).join(' ');
  },
  /** A call of the same turn that failed before. @param call its `error` is absent for people who may not see the chat */
  earlier,

  timeLeft({ hours, minutes, seconds }: TimeLeft): string {
    if (hours > 0) return `Expires in ${hours} h ${minutes} min`;
    if (minutes > 0) return `Expires in ${minutes} min ${seconds} s`;
    return `Expires in ${seconds} s`;
  },
  timeIsUp: 'Time is up',
  /** The remaining time as announced a few times. */
  spokenTimeLeft({ minutes, seconds }: TimeLeft): string {
    const rest = minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : `${seconds} seconds`;
    return `This request expires in ${rest}.`;
  },

  /** The heading of the messages that led to the call. */
  context: 'What led to this request',
  /** For a person who uses a right that was delegated to them. @param name of the person who delegated it */
  answersFor: (name: string): string => `You answer for ${name}.`,
  /** The labels of the message of a person without a known name, and of the model's text. */
  asked: 'Message',
  assistant: 'Assistant',
  /** The heading of the call's effect. */
  effect: 'Effect',
  /** @param required the request cannot be approved without a known effect */
  effectUnknown: (required: boolean): string =>
    required
      ? "The effect of this request couldn't be determined. You can deny it, or try again later."
      : "The effect of this request couldn't be determined.",
  /** How many rows a table has in all. */
  rows: (count: number): string => (count === 1 ? '1 row' : `${count} rows`),

  noArguments: 'No arguments',
  showJson: 'Show JSON',
  /** For a request or a call that could not be laid out. Its JSON follows. */
  unshown: "This couldn't be displayed. Its exact content is in the JSON.",
  /** The heading of the arguments as the model wrote them, if the tool receives different ones. */
  asWritten: 'As written',
  asRun: 'As run',

  /** The heading of what the options of a question would run. */
  options: 'What each option does',
  /** Opens the field for the reason. */
  addReason: 'Add a reason',
  reason: 'Reason',
  reasonHint: '(optional, shared with the assistant)',
  /** The same, if the tool asks for a reason with each denial. */
  reasonOnDenyHint: '(requested when you deny, shared with the assistant)',
  deny: 'Deny',
  /** Deny and Approve of a question that a person answers by filling in a form. */
  decline: 'Decline',
  sendValue: 'Send answer',
  /** The name on the Control key of this language's keyboards. */
  controlKey: 'Ctrl',
  approve: 'Approve',
  approveEdited: 'Approve edited',
  refused: "Your answer wasn't accepted.",
  /** For a question whose tool has changed since. */
  outdated: 'This tool has changed. You can deny this request; the updated one appears here automatically.',
  /** For a question whose options or form this page does not have. */
  cannotApprove:
    "This page can't show everything that is needed to approve this request. You can deny it here.",
  notYours: "Waiting for someone else. You can't answer this request.",
  /** The label of the button that scrolls to the open question. */
  backToQuestion: 'Back to the question',
  /** For a question that needs a recent sign-in, if the page can sign the person in. */
  stepUp: 'Sign in again to answer this request.',
  /** The same, if the page cannot. */
  stepUpElsewhere: 'Sign in again to answer this request, then reload this page.',
  signInAgain: 'Sign in again',
  /** @param reason written by the person who paused the tool */
  paused: (reason: string): string =>
    `Paused: ${reason} You can deny this request, or approve it when the pause ends.`,

  /** How a question ended, with the label of the option that was chosen. */
  chosen,
  /** How a question ended. */
  settled({ state, answer }: { state: QuestionState; answer?: QuestionAnswer }): string {
    if (state === 'superseded') return 'Cancelled by a new message';
    if (state === 'cancelled') return 'Cancelled: the run was stopped';
    if (state === 'expired') return 'Denied: no answer in time';
    if (state === 'tool-changed') return 'Cancelled: the tool changed';
    if (state === 'withdrawn') return 'Withdrawn: no answer in time';
    if (state === 'asked-again') return 'Requested again: no answer in time';
    const isApproved = answer?.approved ?? state === 'approved';
    if (answer?.value !== undefined) return 'Answered';
    if (answer?.option) return chosen(isApproved, answer.option.label);
    if (answer?.input !== undefined) return 'Approved with edited arguments';
    return isApproved ? 'Approved' : 'Denied';
  },
  approvedEdited: 'Approved with edited arguments',
  /** Who answered. */
  by: (name: string): string => `by ${name}`,
  /** Names this person, if they answered or asked. */
  you: 'you',
  /** Who answered, and for whom. @param other the person who had delegated the right to answer */
  forPerson: (name: string, other: string): string => `${name} for ${other}`,
  /** Where an answer came from; `undefined` for a source that is meaningless to people. */
  via(source: string): string | undefined {
    if (source === 'http') return 'from the inbox';
    return source === 'sse' || source === 'bidi' ? 'from the chat' : undefined;
  },
  /** @param at the time, in this person's time zone */
  moment(at: Date): string {
    const isToday = at.toDateString() === new Date().toDateString();
    const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
    return at.toLocaleString(undefined, { hour: '2-digit', minute: '2-digit', ...day });
  },

  /** An empty value. */
  none: 'none',
  yes: 'Yes',
  no: 'No',
  /** The rows of a table that the server did not send. @param count at least 1 */
  more: (count: number): string => `and ${count} more`,
  /** Shows more of a long list, or all of a long text. @param hidden items or characters, at least 1 */
  showMore: (hidden: number, isText: boolean): string =>
    isText ? `Show all (${hidden} more characters)` : `Show more (${hidden} not shown)`,
  /** Collapses to the beginning. */
  showLess: 'Show less',
};

/** Texts about a question, for its card and for pages without React. */
export type QuestionWords = Readonly<typeof questionWords> & {
  /** The locale of dates and amounts: BCP 47, such as `de-CH`. Default: the browser's. */
  readonly locale?: string;
};
