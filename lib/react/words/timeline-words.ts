import type {
  SpanKind,
  SpanState,
  TimelineSpan,
  TimelineStatus,
  TimelineTurn,
} from '../../client/timeline/parse-timeline.ts';

/** All texts of the timeline. Pass your own for another language or tone. */
export type TimelineWords = {
  /** The readable name of the timeline. */
  label: string;
  empty: string;
  kinds: { readonly [Kind in SpanKind]: string };
  states: { readonly [State in SpanState]: string };
  status: { readonly [Status in TimelineStatus]: string };
  /** The heading of a turn: what the person wrote, if that is known. */
  turn(turn: TimelineTurn): string;
  /** What a span is called in its row. */
  span(span: TimelineSpan): string;
  /** @param ms milliseconds, at least 0 */
  duration(ms: number): string;
  /** Marks a span that has not ended. */
  ongoing: string;
  /** @param ms after the start of its turn */
  startsAfter(ms: number): string;
  summary: string;
  questions: string;
  medianWait: string;
  denied: string;
  withdrawn: string;
  waiting: string;
  model: string;
  tools: string;
  retries: string;
  failures: string;
  /** Shown instead of a missing figure. */
  none: string;
  export: string;
  input: string;
  output: string;
  error: string;
  answer: string;
  editedInput: string;
  tokens: string;
  usage(usage: NonNullable<TimelineSpan['usage']>): string;
  started: string;
  /** With seconds: events of a timeline are close together. */
  moment(at: Date): string;
  showJson: string;
  /** Why a call was retried. */
  retryError: string;
  /** Set if no person was asked. */
  automatic(approved: boolean, reason: string | undefined): string;
  /** Set if a person approved the call before its question was due. @param name of this person */
  advance(name: string): string;
};

/** Plain English. */
export const defaultTimelineWords: TimelineWords = {
  label: 'Timeline',
  empty: 'Nothing has happened in this chat yet.',
  kinds: { model: 'Model', waiting: 'Waiting for a person', tool: 'Tool', retry: 'Waiting to retry' },
  states: {
    running: 'running',
    open: 'open',
    completed: 'done',
    failed: 'failed',
    approved: 'approved',
    denied: 'denied',
    superseded: 'cancelled by a new message',
    expired: 'nobody answered in time',
    cancelled: 'stopped',
    'tool-changed': 'requested again: the tool changed',
    withdrawn: 'withdrawn: nobody answered in time',
    'asked-again': 'requested again: nobody answered in time',
  },
  status: { idle: 'Done', active: 'Running', waiting: 'Waiting', failed: 'Failed' },
  turn: ({ turn, text }) => text || `Message ${turn}`,
  span: ({ kind, label }) => (kind === 'retry' ? `${label} (retry)` : label),
  duration(ms) {
    if (ms < 1_000) return `${Math.round(ms)} ms`;
    if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
    const seconds = Math.round(ms / 1_000);
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  },
  ongoing: 'ongoing',
  startsAfter: (ms) => `starts after ${defaultTimelineWords.duration(ms)}`,
  summary: 'Summary',
  questions: 'Requests',
  medianWait: 'Median wait',
  denied: 'Denied',
  withdrawn: 'Cancelled',
  waiting: 'Waiting',
  model: 'Model',
  tools: 'Tools',
  retries: 'Retries',
  failures: 'Failures',
  none: '–',
  export: 'Export as JSON',
  input: 'Arguments',
  output: 'Result',
  error: 'Error',
  answer: 'Answer',
  editedInput: 'Edited arguments',
  tokens: 'Tokens',
  usage: ({ inputTokens = 0, outputTokens = 0 }) => `${inputTokens} in, ${outputTokens} out`,
  started: 'Started',
  moment: (at) => at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
  showJson: 'Show JSON',
  retryError: 'Previous error',
  automatic: (approved, reason) =>
    `${approved ? 'Approved' : 'Denied'} without asking${reason === undefined ? '' : `: ${reason}`}`,
  advance: (name) => `Pre-approved by ${name}`,
};
