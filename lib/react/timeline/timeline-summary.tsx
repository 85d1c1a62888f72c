'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useTimeline } from './timeline-context.ts';

/** The figures of a chat: questions and how they ended, and what took the time. */
export function TimelineSummaryRow(props: ComponentPropsWithoutRef<'dl'>) {
  const { timeline, words } = useTimeline();
  const { summary } = timeline;
  const { medianWaitMs } = summary;
  const figures: readonly (readonly [name: string, label: string, value: string | number])[] = [
    ['questions', words.questions, summary.questions],
    ['median-wait', words.medianWait, medianWaitMs === undefined ? words.none : words.duration(medianWaitMs)],
    ['denied', words.denied, summary.denied],
    ...(summary.withdrawn > 0 ? [['withdrawn', words.withdrawn, summary.withdrawn] as const] : []),
    ['waiting', words.waiting, words.duration(summary.waitingMs)],
    ['model', words.model, words.duration(summary.modelMs)],
    ['tool', words.tools, words.duration(summary.toolMs)],
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
