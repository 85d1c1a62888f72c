'use client';

import type { ComponentPropsWithoutRef } from 'react';
import { useMemo } from 'react';
import { timelineUrl } from '../../client/timeline/load-timeline.ts';
import type { Timeline } from '../../client/timeline/parse-timeline.ts';
import { useNow } from '../use-now.ts';
import { useTimelineWords } from '../words/timeline-words.ts';
import { TimelineContext, type TimelineView, useTimeline } from './timeline-context.ts';
import { TimelineSummaryRow } from './timeline-summary.tsx';
import { TimelineTurns } from './timeline-turns.tsx';

/** Props of `ToolTimeline`, and any attribute of its `<section>`. */
export type ToolTimelineProps = ComponentPropsWithoutRef<'section'> & {
  /** From `useToolTimeline`, or from `GET /api/chat/{chatId}/timeline` by `parseTimeline`. */
  readonly timeline: Timeline;
};

/**
 * What happened in a chat and how long it took: the model, people, tools, pauses before retries. The list is complete
 * without its bars; each row opens to its arguments, its result, its answer.
 *
 * Has no styles; `countersign/react/styles.css` styles `data-countersign`. Without children it
 * renders all of its parts.
 */
export function ToolTimeline({ timeline, children, ...rest }: ToolTimelineProps) {
  const words = useTimelineWords();
  const isOngoing = timeline.spans.some(({ endedAt }) => endedAt === undefined);
  const latest = useMemo(
    () => Math.max(0, ...timeline.spans.map(({ startedAt, endedAt }) => Date.parse(endedAt ?? startedAt))),
    [timeline],
  );
  const clock = useNow(isOngoing ? 1_000 : undefined) ?? 0;
  // A clock behind the server's shows no negative time.
  const now = Math.max(clock + (timeline.aheadMs ?? 0), latest);
  const view = useMemo<TimelineView>(() => ({ timeline, words, now }), [timeline, words, now]);
  return (
    <TimelineContext.Provider value={view}>
      <section aria-label={words.label} data-countersign="timeline" data-state={timeline.status} {...rest}>
        {children ?? (
          <>
            <TimelineSummaryRow />
            <TimelineTurns />
            <TimelineExport />
          </>
        )}
      </section>
    </TimelineContext.Provider>
  );
}

/**
 * A link that saves the timeline as a file: the unmodified JSON of the endpoint.
 *
 * @param api default `/api/chat`
 */
export function TimelineExport({
  api,
  children,
  ...rest
}: ComponentPropsWithoutRef<'a'> & { readonly api?: string }) {
  const { timeline, words } = useTimeline();
  const { chatId } = timeline;
  return (
    <a
      data-countersign="timeline-export"
      href={timelineUrl(chatId, api)}
      download={`timeline-${chatId}.json`}
      {...rest}
    >
      {children ?? words.export}
    </a>
  );
}
