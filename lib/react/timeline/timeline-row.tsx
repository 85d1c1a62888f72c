'use client';

import { useId, useState } from 'react';
import { visibleText } from '../../client/text/visible-text.ts';
import type { TimelineSpan } from '../../client/timeline/parse-timeline.ts';
import { useTimeline } from './timeline-context.ts';
import { TimelineDetails } from './timeline-details.tsx';

/** Where a span lies within its turn. */
export type SpanPlace = {
  /** Fractions of the turn's width, 0 to 1. */
  readonly left: number;
  readonly width: number;
  /** Part of its waiting time is drawn shorter than to scale. */
  readonly isShortened: boolean;
  /** Milliseconds after the turn began. */
  readonly afterMs: number;
  /** Milliseconds; if it has not ended, until now. */
  readonly durationMs: number;
};

/** One span: what it is, how it ended and how long it took, as text and as a bar, with expandable details. */
export function TimelineRow({ span, place }: { span: TimelineSpan; place: SpanPlace }) {
  const { words } = useTimeline();
  const [isOpen, setOpen] = useState(false);
  const detailsId = useId();
  const { kind, state, endedAt } = span;
  const isOngoing = endedAt === undefined;

  return (
    <>
      <button
        type="button"
        data-countersign="timeline-row"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={() => setOpen(!isOpen)}
      >
        <span data-countersign="timeline-label">
          <span data-countersign="timeline-kind">{words.kinds[kind]}</span>
          <span data-countersign="unseen">: </span>
          <span data-countersign="timeline-title">{visibleText(words.span(span))}</span>
          <span data-countersign="unseen">, </span>
          <span data-countersign="timeline-state" data-state={state}>
            {words.states[state]}
          </span>
        </span>
        <span data-countersign="timeline-track" aria-hidden="true">
          <span
            data-countersign="timeline-bar"
            data-kind={kind}
            data-state={state}
            data-shortened={place.isShortened}
            style={{ insetInlineStart: percent(place.left), inlineSize: percent(place.width) }}
          />
        </span>
        <span data-countersign="unseen">, </span>
        <span data-countersign="timeline-duration">
          <span>{words.duration(place.durationMs)}</span>
          {isOngoing && <span data-countersign="unseen">, {words.ongoing}</span>}
        </span>
        <span data-countersign="unseen">, {words.startsAfter(place.afterMs)}</span>
      </button>
      <div id={detailsId} data-countersign="timeline-details" hidden={!isOpen}>
        {isOpen && <TimelineDetails span={span} />}
      </div>
    </>
  );
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 10_000) / 100}%`;
}
