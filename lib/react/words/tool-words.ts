import type { Resolution } from '../../client/calls/resolution.ts';

type ResolvedBy = Pick<Resolution, 'outcome' | 'source'> & { readonly name: string };

/** What the tool card says. */
export const toolWords = {
  callState: {
    preparing: 'Preparing',
    asking: 'Waiting for you',
    approved: '',
    running: 'Running',
    searching: 'Searching',
    retrying: 'Retrying',
    held: 'Done',
    done: 'Done',
    failed: 'Failed',
    unknown: 'Outcome unknown',
    denied: 'Not run',
    withdrawn: 'Not run',
  },
  noReason: 'No reason was given.',
  heldResult: 'The result appears after the last answer.',
  arguments: 'Arguments',
  argumentsLater: 'Shown with the result.',
  argumentsJson: 'Arguments as JSON',
  problemHeading: 'Error',
  result: 'Result',
  resultJson: 'Result as JSON',
  /** @param count a whole number of at least 0 */
  results: (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`,
  triedTwice: 'tried twice',
  /** @param milliseconds how long the call took */
  duration(milliseconds: number): string {
    if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
    if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
    const seconds = Math.round(milliseconds / 1000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  },
  you: 'you',

  outcomeHint: 'It is not known whether this took effect. Check, then record what you found.',
  outcomeQuestion: 'What happened?',
  outcomeChoice: { completed: 'It happened', 'not-run': 'It did not happen' },
  outcomeNote: 'Note',
  outcomeNoteHint: '(optional, shared with the assistant)',
  outcomeSave: 'Record outcome',
  outcomeSaving: 'Recording…',
  outcomeRecorded: 'Outcome recorded.',
  outcomeRefused: "The outcome wasn't recorded. Try again.",
  /** Who reported a call's outcome. The time follows. @param name empty unless a person said so */
  resolved({ outcome, source, name }: ResolvedBy): string {
    if (source === 'late') return 'The outcome arrived late, at';
    if (source === 'lookup') return 'The outcome was looked up at';
    const what = {
      completed: 'that it happened',
      failed: 'that it failed',
      'not-run': 'that it did not happen',
    };
    return `${name} recorded ${what[outcome]},`;
  },
} as const;
