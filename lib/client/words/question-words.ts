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

/** Texts about a question, for its card and for pages without React. */
export type QuestionWords = {
  /** The first part of the card's name. The sentence about the call follows. */
  readonly approvalNeeded: string;
  /** The same for a question that a value answers. */
  readonly answerNeeded: string;
  /** The top line of the card. */
  readonly kicker: string;
  /** The same for a question that a value answers. */
  readonly valueKicker: string;
  /** The same, for a person who may not answer. */
  readonly notYoursKicker: string;
  readonly settledKicker: string;
  /** A question's place in its queue. `undefined` shows nothing: the only question needs no number. */
  place(position: Position): string | undefined;
  risk(risk: NonNullable<Question['risk']>): string;
  /** The question as one announcement, for people who do not see the card appear. */
  spoken(question: Question): string;
  /** How long the question has been open. */
  waiting(passed: TimeLeft): string;
  /**
   * Says that the same call ran or was approved within the previous day.
   *
   * @param passed how long ago; absent until it is known
   */
  repeated(outcome: Repeat['outcome'], passed?: TimeLeft): string;
  /** The link to that call. */
  readonly showRepeat: string;
  /**
   * How often the asker completed calls about the same, and the last denial. @param history `count` 100 stands for 100 or more;
   * `passed` since the last one
   */
  history(history: {
    subject: string;
    count: number;
    passed?: TimeLeft;
    denied?: { by: string; passed?: TimeLeft } | undefined;
  }): string;
  /** A call of the same turn that failed before. @param call its `error` is absent for people who may not see the chat */
  earlier(call: EarlierCall): string;

  timeLeft(left: TimeLeft): string;
  readonly timeIsUp: string;
  /** The remaining time as announced a few times. */
  spokenTimeLeft(left: TimeLeft): string;

  /** The heading of the messages that led to the call. */
  readonly context: string;
  /** For a person who uses a right that was delegated to them. @param name of the person who delegated it */
  answersFor(name: string): string;
  /** The labels of the message of a person without a known name, and of the model's text. */
  readonly asked: string;
  readonly assistant: string;
  /** The heading of the call's effect. */
  readonly effect: string;
  /** @param required the request cannot be approved without a known effect */
  effectUnknown(required: boolean): string;
  /** How many rows a table has in all. */
  rows(count: number): string;

  readonly noArguments: string;
  readonly showJson: string;
  /** For a request or a call that could not be laid out. Its JSON follows. */
  readonly unshown: string;
  /** The heading of the arguments as the model wrote them, if the tool receives different ones. */
  readonly asWritten: string;
  readonly asRun: string;

  /** The heading of what the options of a question would run. */
  readonly options: string;
  /** Opens the field for the reason. */
  readonly addReason: string;
  readonly reason: string;
  readonly reasonHint: string;
  /** The same, if the tool asks for a reason with each denial. */
  readonly reasonOnDenyHint: string;
  readonly deny: string;
  /** Deny and Approve of a question that a person answers by filling in a form. */
  readonly decline: string;
  readonly sendValue: string;
  /** The name on the Control key of this language's keyboards. */
  readonly controlKey: string;
  readonly approve: string;
  readonly approveEdited: string;
  readonly sending: string;
  readonly refused: string;
  /** For a question whose tool has changed since. */
  readonly outdated: string;
  readonly notYours: string;
  /** The label of the button that scrolls to the open question. */
  readonly backToQuestion: string;
  /** For a question that needs a recent sign-in, if the page can sign the person in. */
  readonly stepUp: string;
  /** The same, if the page cannot. */
  readonly stepUpElsewhere: string;
  readonly signInAgain: string;
  /** @param reason written by the person who paused the tool */
  paused(reason: string): string;

  /** How a question ended, with the label of the option that was chosen. */
  chosen(isApproved: boolean, label: string): string;
  /** How a question ended. */
  settled(question: { state: QuestionState; answer?: QuestionAnswer }): string;
  readonly approvedEdited: string;
  /** Who answered. */
  by(name: string): string;
  /** Who answered, and for whom. @param other the person who had delegated the right to answer */
  forPerson(name: string, other: string): string;
  /** Where an answer came from; `undefined` for a source that is meaningless to people. */
  via(source: string): string | undefined;
  /** @param at the time, in this person's time zone */
  moment(at: Date): string;

  /** An empty value. */
  readonly none: string;
  readonly yes: string;
  readonly no: string;
  /** The rows of a table that the server did not send. @param count at least 1 */
  more(count: number): string;
  /** Shows more of a long list, or all of a long text. @param hidden items or characters, at least 1 */
  showMore(hidden: number, isText: boolean): string;
  /** Collapses to the beginning. */
  readonly showLess: string;
  /** The locale of dates and amounts: BCP 47, such as `de-CH`. `undefined` is the browser's. */
  readonly locale: string | undefined;
};

/** Plain English for all of them. */
export const questionWords: QuestionWords = {
  approvalNeeded: 'Approval needed',
  answerNeeded: 'Answer needed',
  kicker: 'Your approval is needed',
  valueKicker: 'Your answer is needed',
  notYoursKicker: 'Waiting for approval',
  settledKicker: 'Decided',
  place({ index, of }) {
    if (of === undefined) return index === 1 ? undefined : `Request ${index}`;
    return of === 1 ? undefined : `${index} of ${of}`;
  },
  risk: (risk) => risks[risk],
  spoken({ position, title, description, risk, riskReason, repeatOf, earlier: failed = [] }) {
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
  waiting: (passed) => `Waiting for ${lengthOf(passed)}`,
  repeated,
  showRepeat: 'View it',
  history({ subject, count, passed, denied }) {
    const denial = denied && `Last denied ${ago(denied.passed)} by ${denied.by}.`;
    if (count === 0)
      return denial ? `Never completed for ${subject}. ${denial}` : `First time for ${subject}.`;
    const times = count === 1 ? 'Once' : `${count}${count === 100 ? ' or more' : ''} times`;
    const completed = `${times} before for ${subject}${passed ? `, last ${ago(passed)}` : ''}.`;
    return [completed, denial].filter(Boolean).join(' ');
  },
  earlier,

  timeLeft({ hours, minutes, seconds }) {
    if (hours > 0) return `Expires in ${hours} h ${minutes} min`;
    if (minutes > 0) return `Expires in ${minutes} min ${seconds} s`;
    return `Expires in ${seconds} s`;
  },
  timeIsUp: 'Time is up',
  spokenTimeLeft({ minutes, seconds }) {
    const rest = minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : `${seconds} seconds`;
    return `This request expires in ${rest}.`;
  },

  context: 'What led to this request',
  answersFor: (name) => `You answer for ${name}.`,
  asked: 'Message',
  assistant: 'Assistant',
  effect: 'Effect',
  effectUnknown: (required) =>
    required
      ? "The effect of this request couldn't be determined. You can deny it, or try again later."
      : "The effect of this request couldn't be determined.",
  rows: (count) => (count === 1 ? '1 row' : `${count} rows`),

  noArguments: 'No arguments',
  showJson: 'Show JSON',
  unshown: "This couldn't be displayed. Its exact content is in the JSON.",
  asWritten: 'As written',
  asRun: 'As run',

  options: 'What each option does',
  addReason: 'Add a reason',
  reason: 'Reason',
  reasonHint: '(optional, shared with the assistant)',
  reasonOnDenyHint: '(requested when you deny, shared with the assistant)',
  deny: 'Deny',
  decline: 'Decline',
  sendValue: 'Send answer',
  controlKey: 'Ctrl',
  approve: 'Approve',
  approveEdited: 'Approve edited',
  sending: 'Sending your answer…',
  refused: "Your answer wasn't accepted.",
  outdated: 'This tool has changed. You can deny this request; the updated one appears here automatically.',
  notYours: "Waiting for someone else. You can't answer this request.",
  backToQuestion: 'Back to the question',
  stepUp: 'Sign in again to answer this request.',
  stepUpElsewhere: 'Sign in again to answer this request, then reload this page.',
  signInAgain: 'Sign in again',
  paused: (reason) => `Paused: ${reason} You can deny this request, or approve it when the pause ends.`,

  chosen,
  settled({ state, answer }) {
    if (state === 'superseded') return 'Cancelled by a new message';
    if (state === 'cancelled') return 'Cancelled: the run was stopped';
    if (state === 'expired') return 'Denied: nobody answered in time';
    if (state === 'tool-changed') return 'Cancelled: the tool changed';
    if (state === 'withdrawn') return 'Withdrawn: nobody answered in time';
    if (state === 'asked-again') return 'Requested again: nobody answered in time';
    const isApproved = answer?.approved ?? state === 'approved';
    if (answer?.value !== undefined) return 'Answered';
    if (answer?.option) return chosen(isApproved, answer.option.label);
    if (answer?.input !== undefined) return 'Approved with edited arguments';
    return isApproved ? 'Approved' : 'Denied';
  },
  approvedEdited: 'Approved with edited arguments',
  by: (name) => `by ${name}`,
  forPerson: (name, other) => `${name} for ${other}`,
  via(source) {
    if (source === 'http') return 'from the inbox';
    return source === 'sse' || source === 'bidi' ? 'from the chat' : undefined;
  },
  moment(at) {
    const isToday = at.toDateString() === new Date().toDateString();
    const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
    return at.toLocaleString(undefined, { hour: '2-digit', minute: '2-digit', ...day });
  },

  none: 'none',
  yes: 'Yes',
  no: 'No',
  more: (count) => `and ${count} more`,
  showMore: (hidden, isText) =>
    isText ? `Show all (${hidden} more characters)` : `Show more (${hidden} not shown)`,
  showLess: 'Show less',
  locale: undefined,
};
