import { readableName, visibleText } from 'countersign/react';
import type { ReactNode } from 'react';
import { Button } from '../../_ui/button.tsx';
import { HourChart, type NamedCounts, WaitChart } from './charts.tsx';
import { CountsTable } from './counts-table.tsx';
import styles from './insights.module.css';
import { type Insights, type InsightsQuery, readInsights } from './insights-api.ts';

const periods = [7, 30, 90, 365] as const;
const riskNames = { high: 'High', medium: 'Medium', low: 'Low', none: 'No risk given' } as const;

/** How people answer, as charts with their tables. Rendered by the server, so the browser loads no code for it. */
export async function InsightsSection({ query }: { query: InsightsQuery }) {
  const insights = await readInsights(query);
  return (
    <section className={styles.insights} aria-label="Insights" id="insights" tabIndex={-1}>
      <h2>Insights</h2>
      <p>How long requests wait, and how people answer them. Periods are whole days, UTC.</p>
      <QueryForm query={query} />
      {insights ? (
        <Charts insights={insights} query={query} />
      ) : (
        <p role="alert">
          There is no report for this period and time zone. Enter a name such as Europe/Berlin.
        </p>
      )}
    </section>
  );
}

function QueryForm({ query }: { query: InsightsQuery }) {
  return (
    <form className={styles.form} action="/operations#insights">
      <label>
        Requests of the last
        <select name="since" defaultValue={query.since}>
          {periods.map((days) => (
            <option key={days} value={`${days}d`}>
              {days} days
            </option>
          ))}
        </select>
      </label>
      <label>
        Time zone
        <input
          name="timeZone"
          defaultValue={query.timeZone}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      <Button type="submit">Show</Button>
    </form>
  );
}

function Charts({ insights, query }: { insights: Insights; query: InsightsQuery }) {
  const { all, timeZone } = insights;
  if (all.settled === 0) return <p>No request was asked and settled in this period.</p>;
  const tools = insights.tools.map(({ toolName, title, ...counts }) => ({
    ...counts,
    name: toolName === undefined ? 'Other tools' : visibleText(title ?? readableName(toolName)),
  }));
  const risks = insights.risks.map(({ risk, ...counts }) => ({
    ...counts,
    name: riskNames[risk ?? 'none'],
  }));
  const approvers = insights.approvers.map(({ approver, ...counts }) => ({
    ...counts,
    name: approver ? visibleText(approver.name) : 'Other people',
  }));
  const hours = insights.hours.map(({ hour, ...counts }) => ({
    ...counts,
    name: `${String(hour).padStart(2, '0')}:00`,
  }));
  return (
    <>
      <CountsTable of="All requests" rows={[{ ...all, name: 'All' }]} />
      <p className={styles.note}>
        “Approved in 3 s”, “Edited” and “Denied” are parts of the answers, “Expired” of all requests. In the
        charts, a filled bar is the median wait, and an outlined bar the time within which 95 % were answered.
      </p>
      <Group title="Waiting time by tool" of="Tool" rows={tools} />
      <Group title="Waiting time by risk" of="Risk" rows={risks} />
      <Group title="Waiting time by person" of="Person" rows={approvers} />
      <Figure title={`Requests by hour of the day, ${timeZone}`} of="Hour" rows={hours}>
        <HourChart title={`Requests by hour of the day, ${timeZone}`} hours={hours} />
      </Figure>
      <p>
        <a href={`/api/operations/insights.csv?${new URLSearchParams(query)}`} download>
          Export as CSV
        </a>
      </p>
    </>
  );
}

function Group({ title, of, rows }: { title: string; of: string; rows: readonly NamedCounts[] }) {
  return (
    <Figure title={title} of={of} rows={named(rows)}>
      <WaitChart title={title} rows={named(rows)} />
    </Figure>
  );
}

function Figure(props: { title: string; of: string; rows: readonly NamedCounts[]; children: ReactNode }) {
  const { title, of, rows, children } = props;
  return (
    <figure className={styles.figure}>
      <figcaption>{title}</figcaption>
      {children}
      <details>
        <summary>Show as a table</summary>
        <CountsTable of={of} rows={rows} />
      </details>
    </figure>
  );
}

/** Two people or tools may have one name. */
function named(rows: readonly NamedCounts[]): readonly NamedCounts[] {
  return rows.map((row, index) => {
    const before = rows.slice(0, index).filter(({ name }) => name === row.name).length;
    return before === 0 ? row : { ...row, name: `${row.name} (${before + 1})` };
  });
}
