'use client';

import { createContext, useContext } from 'react';
import type { Timeline } from '../../client/timeline/parse-timeline.ts';
import type { TimelineWords } from '../words/timeline-words.ts';

/** What the parts of a `ToolTimeline` share. */
export type TimelineView = {
  readonly timeline: Timeline;
  readonly words: TimelineWords;
  /** Epoch milliseconds, never before the latest event: ongoing spans are drawn up to it. */
  readonly now: number;
};

/** Holds the view of the timeline above. */
export const TimelineContext = createContext<TimelineView | undefined>(undefined);

/** The surrounding timeline. @throws Error outside a `ToolTimeline` */
export function useTimeline(): TimelineView {
  const view = useContext(TimelineContext);
  if (view === undefined)
    throw new Error('A part of ToolTimeline was rendered outside a ToolTimeline. Put it inside.');
  return view;
}
