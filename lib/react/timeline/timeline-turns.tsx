'use client';

import type { ComponentPropsWithoutRef, KeyboardEvent, ReactNode } from 'react';
import { useId, useMemo } from 'react';
import { visibleText } from '../../client/text/visible-text.ts';
import type { TimelineSpan, TimelineTurn } from '../../client/timeline/parse-timeline.ts';
import { timeScale } from '../../client/timeline/time-scale.ts';
import { useCardWords } from '../words/card-words.ts';
import { useTimeline } from './timeline-context.ts';
import { type SpanPlace, TimelineRow } from './timeline-row.tsx';

/** Props of `TimelineTurns`, and any attribute of its `<ol>`. */
export type TimelineTurnsProps = Omit<ComponentPropsWithoutRef<'ol'>, 'children'> & {
  /** Renders one span in its `<li>`. Default: a row with a bar and expandable details. */
  readonly children?: (span: TimelineSpan, place: SpanPlace) => ReactNode;
};

/** The waterfall: a list of turns, each a list of its spans. Arrow keys go from row to row. */
export function TimelineTurns({ children, ...rest }: TimelineTurnsProps) {
  const { timeline, words } = useTimeline();
  if (timeline.spans.length === 0) return <p data-countersign="timeline-empty">{words.empty}</p>;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari
    <ol role="list" data-countersign="timeline-turns" onKeyDown={moveFocus} {...rest}>
      {timeline.turns.map((turn) => (
        <Turn key={turn.turn} turn={turn} draw={children} />
      ))}
    </ol>
  );
}

function Turn({ turn, draw }: { turn: TimelineTurn; draw: TimelineTurnsProps['children'] }) {
  const { timeline, words, now } = useTimeline();
  const card = useCardWords();
  const headingId = useId();
  const spans = useMemo(() => timeline.spans.filter((span) => span.turn === turn.turn), [timeline, turn]);
  const start = Date.parse(turn.startedAt);
  const end = Math.max(start, ...spans.map((span) => endOf(span, now)));
  const scale = useMemo(
    () =>
      timeScale(
        spans.map((span) => ({
          start: Date.parse(span.startedAt),
          end: endOf(span, now),
          isWaiting: span.kind === 'waiting' || span.kind === 'retry',
        })),
      ),
    [spans, now],
  );
  const placeOf = (span: TimelineSpan): SpanPlace => {
    const from = Date.parse(span.startedAt);
    const to = endOf(span, now);
    return {
      left: scale.at(from),
      width: scale.at(to) - scale.at(from),
      isShortened: scale.isShortened(from, to),
      afterMs: Math.max(0, from - start),
      durationMs: span.durationMs ?? to - from,
    };
  };

  return (
    <li data-countersign="timeline-turn">
      <section aria-labelledby={headingId}>
        <header data-countersign="timeline-turn-header">
          <h2 id={headingId}>{visibleText(words.turn(turn))}</h2>
          <p>
            <time dateTime={turn.startedAt}>{card.moment(new Date(start))}</time>
            <span>{words.duration(end - start)}</span>
          </p>
        </header>
        {/* biome-ignore lint/a11y/noRedundantRoles: lists without bullets lose their role in Safari */}
        <ol role="list" data-countersign="timeline-rows">
          {spans.map((span) => (
            <li key={span.id} data-kind={span.kind} data-state={span.state}>
              {draw ? draw(span, placeOf(span)) : <TimelineRow span={span} place={placeOf(span)} />}
            </li>
          ))}
        </ol>
      </section>
    </li>
  );
}

function endOf({ endedAt, durationMs, startedAt }: TimelineSpan, now: number): number {
  return endedAt === undefined
    ? now
    : Math.max(Date.parse(endedAt), Date.parse(startedAt) + (durationMs ?? 0));
}

const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_index, last) => last,
};

/** Moves from row to row. Keys pressed inside details are left alone. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-countersign="timeline-row"]')];
  const index = event.target instanceof HTMLElement ? rows.indexOf(event.target) : -1;
  const step = steps[event.key];
  if (index === -1 || !step) return;
  event.preventDefault();
  rows[step(index, rows.length - 1)]?.focus();
}
