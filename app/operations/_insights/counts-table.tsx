import type { NamedCounts } from './charts.tsx';
import { answeredOf, shareText, waitText } from './format-counts.ts';
import styles from './insights.module.css';

/** Counts as a table. It scrolls by itself where it is wider than the page. */
export function CountsTable({ of, rows }: { of: string; rows: readonly NamedCounts[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard.
    <section className={styles.scrolled} aria-label={`Table by ${of.toLowerCase()}`} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Requests</th>
            <th scope="col">Median wait</th>
            <th scope="col">95 % within</th>
            <th scope="col">Approved in 3 s</th>
            <th scope="col">Edited</th>
            <th scope="col">Denied</th>
            <th scope="col">Expired</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, ...counts }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{counts.settled}</td>
              <td>{waitText(counts.waitMs?.median)}</td>
              <td>{waitText(counts.waitMs?.p95)}</td>
              <td>{shareText(counts.quick, answeredOf(counts))}</td>
              <td>{shareText(counts.edited, answeredOf(counts))}</td>
              <td>{shareText(counts.denied, answeredOf(counts))}</td>
              <td>{shareText(counts.expired, counts.settled)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
