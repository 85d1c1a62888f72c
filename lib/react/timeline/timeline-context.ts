'use client';

import { createContext, useContext } from 'react';
import type { Timeline } from '../../client/timeline/parse-timeline.ts';
import type { TimelineWords } from '../words/timeline-words.ts';

/** What the parts of a `ToolTimeline` share. */
export type TimelineView = {
  readonly timeline: Timeline;
  readonly words: TimelineWords;
  /** Epoch milliseconds, at least the end of everything that is told: where what has not ended is drawn to. */
  readonly now: number;
};

/** Holds the view of the timeline above. */
export const TimelineContext = createContext<TimelineView | undefined>(undefined);

/** The timeline that a part stands in. @throws Error outside a `ToolTimeline` */
export function useTimeline(): TimelineView {
  const view = useContext(TimelineContext);
  if (view === undefined) throw new Error('A part of ToolTimeline stands outside of one: put it inside.');
  return view;
}
