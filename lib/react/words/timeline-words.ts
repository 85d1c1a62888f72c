import type {
  SpanKind,
  SpanState,
  TimelineSpan,
  TimelineTurn,
} from '../../client/timeline/parse-timeline.ts';
import { useSection } from './use-section.ts';

function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Plain English. */
export const defaultTimelineWords = {
  /** The readable name of the timeline. */
  label: 'Timeline',
  empty: 'Nothing has happened in this chat yet.',
  kinds: {
    model: 'Model',
    waiting: 'Waiting for a person',
    tool: 'Tool',
    retry: 'Waiting to retry',
  } satisfies Record<SpanKind, string>,
  states: {
    running: 'running',
    open: 'open',
    completed: 'done',
    failed: 'failed',
    approved: 'approved',
    denied: 'denied',
    superseded: 'cancelled by a new message',
    expired: 'no answer in time',
    cancelled: 'stopped',
    'tool-changed': 'requested again: the tool changed',
    withdrawn: 'withdrawn: no answer in time',
    'asked-again': 'requested again: no answer in time',
  } satisfies Record<SpanState, string>,
  /** The heading of a turn: what the person wrote, if that is known. */
  turn: ({ turn, text }: TimelineTurn): string => text || `Message ${turn}`,
  /** What a span is called in its row. */
  span: ({ kind, label }: TimelineSpan): string => (kind === 'retry' ? `${label} (retry)` : label),
  /** @param ms milliseconds, at least 0 */
  duration,
  /** Marks a span that has not ended. */
  ongoing: 'ongoing',
  /** @param ms after the start of its turn */
  startsAfter: (ms: number): string => `starts after ${duration(ms)}`,
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
  /** Shown instead of a missing figure. */
  none: '–',
  export: 'Export as JSON',
  input: 'Arguments',
  output: 'Result',
  error: 'Error',
  answer: 'Answer',
  editedInput: 'Edited arguments',
  tokens: 'Tokens',
  usage: ({ inputTokens = 0, outputTokens = 0 }: NonNullable<TimelineSpan['usage']>): string =>
    `${inputTokens} in, ${outputTokens} out`,
  started: 'Started',
  /** With seconds: events of a timeline are close together. */
  moment: (at: Date): string => at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
  showJson: 'Show JSON',
  /** Why a call was retried. */
  retryError: 'Previous error',
  /** Set if no person was asked. */
  automatic: (approved: boolean, reason: string | undefined): string =>
    `${approved ? 'Approved' : 'Denied'} without asking${reason === undefined ? '' : `: ${reason}`}`,
  /** Set if a person approved the call before its question was due. @param name of this person */
  approvedEarly: (name: string): string => `Pre-approved by ${name}`,
};

/** All texts of the timeline. Pass your own for another language or tone. */
export type TimelineWords = Readonly<typeof defaultTimelineWords>;

/** The texts of the timeline. */
export const useTimelineWords = (): TimelineWords => useSection('timeline', defaultTimelineWords);
