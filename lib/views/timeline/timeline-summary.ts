import type { TimelineSpan, TimelineSummary } from './timeline-span.ts';

export function summarize(spans: readonly TimelineSpan[]): TimelineSummary {
  const questions = spans.filter(({ kind }) => kind === 'waiting');
  const executed = spans.filter(({ kind, state }) => kind === 'tool' && state !== 'denied');
  const answered = questions.filter(({ answer }) => answer !== undefined);
  const medianWaitMs = median(answered.map(({ durationMs = 0 }) => durationMs));
  const total = (wanted: TimelineSpan['kind']) =>
    spans.reduce((sum, { kind, durationMs = 0 }) => (kind === wanted ? sum + durationMs : sum), 0);
  return {
    questions: questions.length,
    approved: answered.filter(({ answer }) => answer?.approved).length,
    denied: answered.filter(({ answer }) => !answer?.approved).length,
    withdrawn: questions.filter(({ state, answer }) => !answer && state !== 'open').length,
    medianWaitMs,
    waitingMs: total('waiting'),
    modelMs: total('model'),
    toolMs: total('tool'),
    calls: executed.length,
    retries: spans.filter(({ kind }) => kind === 'retry').length,
    failures: spans.filter(({ state }) => state === 'failed').length,
  };
}

/** Half lie below it; between the two in the middle of an even number. Whole milliseconds. */
function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)];
  const low = sorted[Math.ceil(middle) - 1];
  return high === undefined || low === undefined ? undefined : Math.round((low + high) / 2);
}
