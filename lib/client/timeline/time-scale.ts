/** A stretch of time to lay out. Epoch milliseconds. */
export type Stretch = {
  readonly start: number;
  readonly end: number;
  /** A stretch with only waiting. It may be drawn shorter than its duration. */
  readonly isWaiting: boolean;
};

/** Where moments lie on a line from 0 to 1. */
export type TimeScale = {
  readonly at: (moment: number) => number;
  /** Whether waiting between two moments is drawn shorter than to scale. */
  readonly isShortened: (start: number, end: number) => boolean;
};

/** All waiting together is at most this many times as wide as all work. */
const longestWait = 1.5;

type Segment = { readonly start: number; readonly end: number; readonly isIdle: boolean };

/**
 * Lays out stretches so that an hour of waiting does not hide the second of work before it. Idle time is
 * drawn to scale until it would take more than 60% of the line, and is shortened beyond that. All work is
 * drawn to scale.
 */
export function timeScale(stretches: readonly Stretch[]): TimeScale {
  const segments = segmentsOf(stretches);
  const length = ({ start, end }: Segment) => end - start;
  const busyMs = segments.reduce((sum, one) => (one.isIdle ? sum : sum + length(one)), 0);
  const capMs =
    busyMs === 0
      ? Number.POSITIVE_INFINITY
      : capOf(segments.filter(({ isIdle }) => isIdle).map(length), busyMs);
  const widthOf = (segment: Segment) => (segment.isIdle ? Math.min(length(segment), capMs) : length(segment));

  const total = segments.reduce((sum, segment) => sum + widthOf(segment), 0);
  const at = (moment: number) => {
    let before = 0;
    for (const segment of segments) {
      if (moment >= segment.end) before += widthOf(segment);
      else if (moment > segment.start)
        before += (widthOf(segment) * (moment - segment.start)) / length(segment);
    }
    return total === 0 ? 0 : before / total;
  };
  const shortened = segments.filter((segment) => widthOf(segment) < length(segment));
  return {
    at,
    isShortened: (start, end) => shortened.some((segment) => segment.start < end && segment.end > start),
  };
}

/** The maximum width of each of these, so that together they fit. */
function capOf(lengths: readonly number[], busyMs: number): number {
  let room = busyMs * longestWait;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = room / (sorted.length - index);
    if (length > share) return share;
    room -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** Splits time at every start and end, and marks the segments without work as idle. */
function segmentsOf(stretches: readonly Stretch[]): Segment[] {
  const moments = [...new Set(stretches.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const work = stretches.filter(({ isWaiting }) => !isWaiting);
  return moments.slice(1).map((end, index) => {
    const start = moments[index] ?? end;
    return { start, end, isIdle: !work.some((one) => one.start < end && one.end > start) };
  });
}
