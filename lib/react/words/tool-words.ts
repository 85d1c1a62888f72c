import type { OutcomeToRecord } from '../../client/calls/post-outcome.ts';
import type { Resolution } from '../../client/calls/resolution.ts';
import type { CallState } from '../../client/calls/tool-call.ts';

type ResolvedBy = Pick<Resolution, 'outcome' | 'source'> & { readonly name: string };

/** Texts of the tool card. */
export type ToolWords = {
  /** After the tool's title; empty to show nothing. */
  readonly callState: { readonly [State in CallState]: string };
  readonly noReason: string;
  /** For a call that nobody was asked about. */
  readonly deniedByRule: string;
  /** For a call that has ended, but whose result is withheld until the end of the turn. */
  readonly withheldResult: string;
  readonly arguments: string;
  readonly argumentsLater: string;
  readonly argumentsJson: string;
  readonly problemHeading: string;
  readonly result: string;
  readonly resultJson: string;
  /** @param count a whole number of at least 0, and not 1 */
  results(count: number): string;
  /** For a call that was imported with its chat. */
  readonly imported: string;
  readonly triedTwice: string;
  /** @param milliseconds how long the call took */
  duration(milliseconds: number): string;
  /** Used if this person answered or asked. */
  readonly you: string;
  /** The same, for a person without a name on the server's own machine. */
  readonly localUser: string;

  /** Asks for the outcome of a call whose outcome is unknown. */
  readonly outcomeHint: string;
  readonly outcomeQuestion: string;
  readonly outcomeChoice: { readonly [Choice in OutcomeToRecord['outcome']]: string };
  readonly outcomeNote: string;
  readonly outcomeNoteHint: string;
  readonly outcomeSave: string;
  readonly outcomeSaving: string;
  readonly outcomeRecorded: string;
  readonly outcomeRefused: string;
  /** Who reported a call's outcome. The time follows. @param by `name` is empty unless a person said so */
  resolved(by: ResolvedBy): string;
};

/** Plain English. */
export const toolWords: ToolWords = {
  callState: {
    preparing: 'Preparing',
    asking: 'Waiting for you',
    sending: 'Sending your answer',
    approved: '',
    running: 'Running',
    searching: 'Searching',
    retrying: 'Retrying',
    withheld: 'Done',
    done: 'Done',
    failed: 'Failed',
    unknown: 'Outcome unknown',
    denied: 'Not run',
    withdrawn: 'Not run',
  },
  noReason: 'No reason was given.',
  deniedByRule: 'Denied by a rule',
  withheldResult: 'The result appears after the last answer.',
  arguments: 'Arguments',
  argumentsLater: 'Shown with the result.',
  argumentsJson: 'Arguments as JSON',
  problemHeading: 'Error',
  result: 'Result',
  resultJson: 'Result as JSON',
  results: (count) => `${count} results`,
  imported: 'imported',
  triedTwice: 'tried twice',
  duration(milliseconds) {
    if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
    if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  },
  you: 'you',
  localUser: 'the local user',

  outcomeHint: "It isn't known whether this took effect. Check, then record what you found.",
  outcomeQuestion: 'What happened?',
  outcomeChoice: { completed: 'It happened', 'not-run': 'It did not happen' },
  outcomeNote: 'Note',
  outcomeNoteHint: '(optional, shared with the assistant)',
  outcomeSave: 'Record outcome',
  outcomeSaving: 'Recording…',
  outcomeRecorded: 'Outcome recorded.',
  outcomeRefused: "The outcome wasn't recorded. Try again.",
  resolved({ outcome, source, name }) {
    if (source === 'late') return 'The outcome arrived late, at';
    if (source === 'lookup') return 'The outcome was looked up at';
    const what = {
      completed: 'that it happened',
      failed: 'that it failed',
      'not-run': 'that it did not happen',
    };
    return `${name} recorded ${what[outcome]},`;
  },
};
