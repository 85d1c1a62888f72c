'use client';

import type { ComponentPropsWithoutRef } from 'react';
import type { SpanKind, TimelineSpan } from '../../client/timeline/parse-timeline.ts';
import { useTimeline } from './timeline-context.ts';

/** The figures of a chat: questions and how they ended, and the time spent so far. */
export function TimelineSummaryRow(props: ComponentPropsWithoutRef<'dl'>) {
  const { timeline, words, now } = useTimeline();
  const { summary, spans } = timeline;
  /** Ended spans, and the elapsed time of ongoing ones. */
  const lasted = (kind: SpanKind, endedMs: number) => words.duration(endedMs + ongoingMs(spans, kind, now));
  const { medianWaitMs } = summary;
  const figures: readonly (readonly [name: string, label: string, value: string | number])[] = [
    ['questions', words.questions, summary.questions],
    ['median-wait', words.medianWait, medianWaitMs === undefined ? words.none : words.duration(medianWaitMs)],
    ['denied', words.denied, summary.denied],
    ...(summary.withdrawn > 0 ? [['withdrawn', words.withdrawn, summary.withdrawn] as const] : []),
    ['waiting', words.waiting, lasted('waiting', summary.waitingMs)],
    ['model', words.model, lasted('model', summary.modelMs)],
    ['tool', words.tools, lasted('tool', summary.toolMs)],
    ...(summary.retries > 0 ? [['retries', words.retries, summary.retries] as const] : []),
    ...(summary.failures > 0 ? [['failures', words.failures, summary.failures] as const] : []),
  ];
  return (
    <dl aria-label={words.summary} data-countersign="timeline-summary" {...props}>
      {figures.map(([name, label, value]) => (
        <div key={name} data-figure={name}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The server adds up only ended spans. @param now epoch milliseconds, by the server's clock */
function ongoingMs(spans: readonly TimelineSpan[], wanted: SpanKind, now: number): number {
  return spans.reduce(
    (sum, { kind, startedAt, endedAt }) =>
      kind === wanted && endedAt === undefined ? sum + Math.max(0, now - Date.parse(startedAt)) : sum,
    0,
  );
}
