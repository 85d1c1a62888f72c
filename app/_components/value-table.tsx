import { readableName } from '../_chat/readable-name.ts';
import { visibleText } from '../_chat/visible-text.ts';
import styles from './value-table.module.css';

type Row = Readonly<Record<string, unknown>>;

const mostColumns = 6;
const mostRows = 50;

/** Rows with the same plain fields, as a table. `ValueTable.fits` says whether rows are such rows. */
export function ValueTable({ rows }: { rows: readonly Row[] }) {
  const columns = Object.keys(rows[0] ?? {});
  const shown = rows.slice(0, mostRows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={styles.scroller} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {readableName(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <tr key={rowKey(index)}>
              {columns.map((column) => (
                <td key={column}>{visibleText(String(row[column] ?? ''))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && <p className={styles.rest}>and {rows.length - shown.length} more</p>}
    </div>
  );
}

ValueTable.fits = (rows: readonly Row[]): boolean => {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0 || columns.length > mostColumns) return false;
  return rows.every(
    (row) =>
      Object.keys(row).length === columns.length &&
      columns.every((column) => column in row && (row[column] === null || typeof row[column] !== 'object')),
  );
};

function rowKey(index: number): string {
  return `row-${index}`;
}
