import type { OutcomeToRecord } from '../../client/calls/post-outcome.ts';
import type { Resolution } from '../../client/calls/resolution.ts';
import type { CallState } from '../../client/calls/tool-call.ts';

type ResolvedBy = Pick<Resolution, 'outcome' | 'source'> & { readonly name: string };

/** Plain English. */
export const toolWords = {
  /** After the tool's title; empty to show nothing. */
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
  } satisfies Record<CallState, string>,
  noReason: 'No reason was given.',
  /** For a call without a question. */
  deniedByRule: 'Denied by a rule',
  /** For a call that has ended, but whose result is withheld until the end of the turn. */
  withheldResult: 'The result appears after the last answer.',
  arguments: 'Arguments',
  argumentsLater: 'Shown with the result.',
  argumentsJson: 'Arguments as JSON',
  problemHeading: 'Error',
  result: 'Result',
  resultJson: 'Result as JSON',
  /** @param count a whole number of at least 0, and not 1 */
  results: (count: number): string => `${count} results`,
  /** For a call that was imported with its chat. */
  imported: 'imported',
  triedTwice: 'tried twice',
  /** @param milliseconds how long the call took */
  duration(milliseconds: number): string {
    if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
    if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  },
  /** Asks for the outcome of a call whose outcome is unknown. */
  outcomeHint: "It isn't known whether this took effect. Check, then record what you found.",
  outcomeQuestion: 'What happened?',
  outcomeChoice: { completed: 'It happened', 'not-run': "It didn't run" } satisfies Record<
    OutcomeToRecord['outcome'],
    string
  >,
  outcomeNote: 'Note',
  outcomeNoteHint: '(optional, shared with the assistant)',
  outcomeSave: 'Record outcome',
  outcomeSaving: 'Recording…',
  outcomeRecorded: 'Outcome recorded.',
  outcomeRefused: "The outcome wasn't recorded. Try again.",
  /** Who reported a call's outcome. The time follows. @param by `name` is empty unless a person said so */
  resolved({ outcome, source, name }: ResolvedBy): string {
    if (source === 'late') return 'The outcome arrived late, at';
    if (source === 'lookup') return 'The outcome was looked up at';
    const what = {
      completed: 'that it happened',
      failed: 'that it failed',
      'not-run': "that it didn't run",
    };
    return `${name} recorded ${what[outcome]},`;
  },
};

/** Texts of the tool card. */
export type ToolWords = Readonly<typeof toolWords>;
