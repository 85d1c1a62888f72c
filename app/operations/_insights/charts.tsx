import { useId } from 'react';
import { waitText } from './format-counts.ts';
import styles from './insights.module.css';
import type { Counts } from './insights-api.ts';

/** A row of a table and of its chart. */
export type NamedCounts = Counts & { readonly name: string };

const mostBars = 8;
const longestLabel = 17;
const rowHeight = 46;

/** Bars of waiting times: the median, and the time within which 95 % were answered. Its table has the same numbers. */
export function WaitChart({ title, rows }: { title: string; rows: readonly NamedCounts[] }) {
  const [titleId, descriptionId] = [useId(), useId()];
  const answered = rows
    .flatMap(({ name, waitMs }) => (waitMs ? [{ name, ...waitMs }] : []))
    .slice(0, mostBars);
  if (answered.length === 0) return <p>No request was answered.</p>;
  const longest = Math.max(1, ...answered.map(({ p95 }) => p95));
  const widthOf = (ms: number) => `${Math.max(0.5, (ms / longest) * 100)}%`;
  return (
    <svg
      className={styles.chart}
      height={answered.length * rowHeight}
      role="img"
      aria-labelledby={titleId}
      aria-describedby={descriptionId}
    >
      <title id={titleId}>{title}</title>
      <desc id={descriptionId}>
        {answered
          .map(({ name, median, p95 }) => `${name}: median ${waitText(median)}, 95 % within ${waitText(p95)}`)
          .join('. ')}
      </desc>
      {answered.map(({ name, median, p95 }, index) => (
        <g key={name} transform={`translate(0 ${index * rowHeight})`}>
          <text className={styles.label} y="15">
            {name.length > longestLabel ? `${name.slice(0, longestLabel)}…` : name}
          </text>
          <text className={styles.value} x="100%" y="15" textAnchor="end">
            {waitText(median)} / {waitText(p95)}
          </text>
          <rect className={styles.most} y="22" height="14" rx="2" width={widthOf(p95)} />
          <rect className={styles.median} y="22" height="14" rx="2" width={widthOf(median)} />
        </g>
      ))}
    </svg>
  );
}

const chartHeight = 130;
const columnsHeight = 110;

/** A column for each hour of the day, as high as the number of requests. Its table has the same numbers. */
export function HourChart({ title, hours }: { title: string; hours: readonly NamedCounts[] }) {
  const [titleId, descriptionId] = [useId(), useId()];
  const most = Math.max(1, ...hours.map(({ settled }) => settled));
  const busiest = hours.find(({ settled }) => settled === most);
  return (
    <svg
      className={styles.chart}
      height={chartHeight}
      role="img"
      aria-labelledby={titleId}
      aria-describedby={descriptionId}
    >
      <title id={titleId}>{title}</title>
      <desc id={descriptionId}>
        {busiest ? `Most requests: ${busiest.settled}, at ${busiest.name}.` : 'No requests.'}
      </desc>
      <line className={styles.axis} x1="0" x2="100%" y1={columnsHeight} y2={columnsHeight} />
      {hours.map(({ name, settled }, hour) => {
        const height = (settled / most) * (columnsHeight - 4);
        const [x, width] = [`${(hour * 100) / 24 + 0.4}%`, `${100 / 24 - 0.8}%`];
        return (
          <rect
            key={name}
            className={styles.median}
            {...{ x, width, height }}
            y={columnsHeight - height}
            rx="1"
          />
        );
      })}
      {[0, 6, 12, 18].map((hour) => (
        <text key={hour} className={styles.value} x={`${(hour * 100) / 24 + 0.4}%`} y={chartHeight - 4}>
          {hours[hour]?.name}
        </text>
      ))}
    </svg>
  );
}
